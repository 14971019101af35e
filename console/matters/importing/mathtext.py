"""Office Math as one line of text: (a+b)/(c), x^(2), √(x), ∑_(i=1)^(n) x."""

from lxml import etree

from console.matters.importing.names import attribute, child, name_of, value_of


def linear(element: etree._Element) -> str:
    """The formula as text, empty where it has none."""
    return "".join(_linear(each) for each in element)


def _linear(element: etree._Element) -> str:
    match name_of(element):
        case "m:t" | "w:t":
            return element.text or ""
        case "m:f":
            return f"{_group(element, 'm:num')}/{_group(element, 'm:den')}"
        case "m:sSup":
            return f"{_part(element, 'm:e')}^{_group(element, 'm:sup')}"
        case "m:sSub":
            return f"{_part(element, 'm:e')}_{_group(element, 'm:sub')}"
        case "m:sSubSup":
            scripts = f"_{_group(element, 'm:sub')}^{_group(element, 'm:sup')}"
            return _part(element, "m:e") + scripts
        case "m:sPre":
            scripts = f"_{_group(element, 'm:sub')}^{_group(element, 'm:sup')}"
            return scripts + _part(element, "m:e")
        case "m:rad":
            degree = _part(element, "m:deg")
            return f"{degree and f'[{degree}]'}√{_group(element, 'm:e')}"
        case "m:nary":
            return _nary(element)
        case "m:d":
            return _delimited(element)
        case "m:m":
            rows = [_cells(row) for row in element if name_of(row) == "m:mr"]
            return f"[{'; '.join(rows)}]"
        case "m:eqArr":
            return "; ".join(linear(each) for each in element if name_of(each) == "m:e")
        case "m:func":
            return f"{_part(element, 'm:fName')}{_group(element, 'm:e')}"
        case "m:limLow":
            return f"{_part(element, 'm:e')}_{_group(element, 'm:lim')}"
        case "m:limUpp":
            return f"{_part(element, 'm:e')}^{_group(element, 'm:lim')}"
        case "m:acc" | "m:bar":
            mark = value_of(element, "m:accPr", "m:chr") or "\u0305"
            return _part(element, "m:e") + mark
        case "w:del" | "w:moveFrom" | "m:rPr" | "m:ctrlPr" | "w:rPr":
            return ""
        case _:
            return linear(element)


def _nary(element: etree._Element) -> str:
    properties = child(element, "m:naryPr")
    sign = attribute(child(properties, "m:chr"), "val") or "∫"
    below, above = _part(element, "m:sub"), _part(element, "m:sup")
    limits = (f"_({below})" if below else "") + (f"^({above})" if above else "")
    return f"{sign}{limits} {_part(element, 'm:e')}"


def _delimited(element: etree._Element) -> str:
    properties = child(element, "m:dPr")
    marks = []
    for name, usual in (("m:begChr", "("), ("m:sepChr", "|"), ("m:endChr", ")")):
        own = child(properties, name)
        marks.append(usual if own is None else attribute(own, "val") or "")
    inner = marks[1].join(linear(each) for each in element if name_of(each) == "m:e")
    return f"{marks[0]}{inner}{marks[2]}"


def _cells(row: etree._Element) -> str:
    return ", ".join(linear(cell) for cell in row if name_of(cell) == "m:e")


def _part(element: etree._Element, name: str) -> str:
    found = child(element, name)
    return "" if found is None else linear(found)


def _group(element: etree._Element, name: str) -> str:
    """In brackets, unless it is a single sign or number that needs none."""
    text = _part(element, name)
    return text if len(text) == 1 or text.isdecimal() else f"({text})"
