from console.drafting.signs import without_signs


def test_signs_in_parentheses_disappear_but_formula_numbers_stay() -> None:
    text = "如图1和图2所示，底座(1)上设有立柱（2、3），通式(1)与步骤（2）不变，(3)加热。"
    assert without_signs(text) == "底座上设有立柱，通式(1)与步骤（2）不变，(3)加热。"
