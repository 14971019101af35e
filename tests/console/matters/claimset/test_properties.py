"""What holds after any sequence of changes: citations stay true, no text is lost, undo is exact."""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from console.matters import claimset
from console.matters.claimset import ClaimSetError, Content
from console.matters.claimset.numerals import references, written_like

SUBJECT = "一种散热装置，其特征在于，包括壳体"
REFUSALS = {"would_cite_forward", "claim_is_cited", "claim_is_being_written"}


def citation(draw: st.DrawFn, last: int) -> str:
    """A citation of claims up to `last`, in one of the ways that real claims write it."""
    numbers = sorted(draw(st.sets(st.integers(1, last), min_size=1, max_size=5)))
    numerals = draw(st.sampled_from("1１一"))
    word = draw(st.sampled_from(["权利要求", "权利要求", "权利要求 ", "权力要求"]))
    digits = [written_like(number, numerals) for number in numbers]
    if len(numbers) == 1:
        return f"{word}{digits[0]}"
    form = draw(st.integers(0, 4))
    if form == 0:
        return f"{word}{'、'.join(digits[:-1])}或{digits[-1]}"
    if form == 1:
        return word + f"或{word}".join(digits)
    if form == 2:
        return f"{word}{'、'.join(digits)}中任一项"
    sign = draw(st.sampled_from(["至", "-", "～", "到"]))
    if form == 3 or len(numbers) == 2:
        return f"{word}{digits[0]}{sign}{digits[-1]}中任一项"
    return f"{word}{digits[0]}、{digits[1]}{sign}{digits[-1]}任意一项"


@st.composite
def claim_texts(draw: st.DrawFn, last: int) -> str:
    """A claim's text that may cite the claims 1 to `last`."""
    kind = draw(st.integers(0, 3)) if last else 0
    if kind == 0:
        return SUBJECT + draw(st.sampled_from(["。", "和3个风扇。", "，厚度为3至5毫米。"]))
    head = f"根据{citation(draw, last)}所述的散热装置，其特征在于，还包括风扇"
    if kind == 3:
        return f"{head}，所述风扇按{citation(draw, last)}所述的方法制成。"
    return f"{head}。"


@st.composite
def contents(draw: st.DrawFn) -> Content:
    content = claimset.empty()
    after = None
    for place in range(draw(st.integers(1, 9))):
        new = f"c{place:010x}"
        text = draw(claim_texts(place))
        seen = claimset.numbering(content)
        content = claimset.insert(content, new, after, text, revision=place + 1, seen=seen)
        after = new
    return content


def meaning(content: Content) -> dict[str, list[frozenset[str]]]:
    """Which claims each citation of each claim points to, by their ids."""
    ids = [row["id"] for row in content["claims"]]
    return {
        row["id"]: [
            frozenset(ids[number - 1] for number in reference.numbers)
            for reference in references(row["text"])
        ]
        for row in content["claims"]
    }


def wording(content: Content) -> dict[str, str]:
    """Each text without its citations: what must survive word for word."""
    result = {}
    for row in content["claims"]:
        text, done, parts = row["text"], 0, []
        for reference in references(text):
            parts.append(text[done : reference.start])
            done = reference.end
        result[row["id"]] = "#".join([*parts, text[done:]])
    return result


@dataclass
class Changes:
    """Carries operations out and remembers what every citation must mean by now."""

    content: Content
    revision: int = 100
    next_id: int = 0
    history: list[Content] = field(default_factory=list)

    def apply(self, data: st.DataObject) -> None:
        ids = [row["id"] for row in self.content["claims"]]
        kinds = ["insert", *(["move", "remove", "edit"] if ids else [])]
        kind = data.draw(st.sampled_from(kinds), label="kind")
        self.revision += 1
        try:
            after = getattr(self, f"_{kind}")(data, ids)
        except ClaimSetError as refusal:
            if refusal.code not in {"would_cite_forward", "claim_is_cited"}:
                raise
            return
        self.history.append(self.content)
        self.content = after

    def _insert(self, data: st.DataObject, ids: list[str]) -> Content:
        place = data.draw(st.integers(0, len(ids)), label="place")
        self.next_id += 1
        new = f"n{self.next_id:010x}"
        text = data.draw(claim_texts(place), label="text")
        before = self.content
        after = claimset.insert(
            before,
            new,
            ids[place - 1] if place else None,
            text,
            revision=self.revision,
            seen=claimset.numbering(before),
        )
        self.check(before, after, changed={new})
        return after

    def _move(self, data: st.DataObject, ids: list[str]) -> Content:
        claim_id = data.draw(st.sampled_from(ids), label="claim")
        to = data.draw(st.integers(0, len(ids) - 1), label="to")
        after = claimset.move(self.content, claim_id, to, revision=self.revision)
        assert after["claims"][to]["id"] == claim_id
        self.check(self.content, after)
        return after

    def _remove(self, data: st.DataObject, ids: list[str]) -> Content:
        claim_id = data.draw(st.sampled_from(ids), label="claim")
        before = self.content
        parents = meaning(before)[claim_id][:1]
        after = claimset.remove(before, claim_id, revision=self.revision)
        parent = next(iter(parents[0])) if parents and len(parents[0]) == 1 else None
        self.check(before, after, gone=claim_id, parent=parent)
        return after

    def _edit(self, data: st.DataObject, ids: list[str]) -> Content:
        claim_id = data.draw(st.sampled_from(ids), label="claim")
        text = data.draw(claim_texts(ids.index(claim_id)), label="text")
        before = self.content
        seen = claimset.numbering(before)
        after = claimset.edit(before, claim_id, text, revision=self.revision, seen=seen)
        assert claimset.row_of(after, claim_id)["text"] == text
        self.check(before, after, changed={claim_id})
        return after

    def check(
        self,
        before: Content,
        after: Content,
        *,
        changed: set[str] = frozenset(),  # type: ignore[assignment]
        gone: str = "",
        parent: str | None = None,
    ) -> None:
        expected = {
            claim_id: [
                frozenset(parent if c == gone and parent else c for c in one) for one in all_
            ]
            for claim_id, all_ in meaning(before).items()
            if claim_id != gone and claim_id not in changed
        }
        now = meaning(after)
        assert {key: now[key] for key in expected} == expected
        words = {key: text for key, text in wording(before).items() if key in expected}
        assert {key: wording(after)[key] for key in words} == words
        former = {row["id"]: row for row in before["claims"]}
        for row in after["claims"]:
            was = former.get(row["id"])
            same = was is not None and was["text"] == row["text"]
            assert row["rev"] == (
                was["rev"] if same and was and row["id"] not in changed else self.revision
            )


@settings(max_examples=150)
@given(content=contents(), data=st.data(), steps=st.integers(1, 8))
def test_every_citation_goes_on_pointing_to_its_claim_and_undo_is_exact(
    content: Content, data: st.DataObject, steps: int
) -> None:
    changes = Changes(content)
    for _step in range(steps):
        changes.apply(data)
    for former in reversed(changes.history):
        changes.revision += 1
        back = claimset.restore(changes.content, former, revision=changes.revision)
        assert without_rev(back) == without_rev(former)
        changes.content = back


def without_rev(content: Content) -> list[dict[str, object]]:
    return [{key: value for key, value in row.items() if key != "rev"} for row in content["claims"]]


@settings(max_examples=150)
@given(content=contents(), data=st.data(), steps=st.integers(0, 6))
def test_a_text_begun_before_other_changes_cites_the_claims_it_meant(
    content: Content, data: st.DataObject, steps: int
) -> None:
    last = len(content["claims"])
    text = data.draw(claim_texts(last))
    begun = claimset.begin(
        content, "w000000000", content["claims"][-1]["id"], job="job", revision=50
    )
    then = claimset.numbering(begun)
    ids = {number: claim_id for claim_id, number in then.items()}
    meant = [{ids[n] for n in ref.numbers} for ref in references(text)]
    parents: dict[str, str] = {}
    changes = DuringWriting(begun, parents=parents)
    for _step in range(steps):
        changes.apply(data)
    filled = claimset.fill(changes.content, "w000000000", text, numbering_then=then, revision=200)

    def final(claim_id: str) -> str:
        while claim_id in parents:
            claim_id = parents[claim_id]
        return claim_id

    assert meaning(filled)["w000000000"] == [frozenset(map(final, one)) for one in meant]
    row = claimset.row_of(filled, "w000000000")
    assert row["state"] == "proposed"
    assert "removed" not in filled


@dataclass
class DuringWriting(Changes):
    parents: dict[str, str] = field(default_factory=dict)

    def apply(self, data: st.DataObject) -> None:
        ids = [row["id"] for row in self.content["claims"]]
        settled = [each for each in ids if each != "w000000000"]
        kind = data.draw(st.sampled_from(["insert", "move", "remove"]), label="kind")
        if kind != "insert" and not settled:
            return
        self.revision += 1
        try:
            if kind == "insert":
                self.content = self._insert(data, ids)
            elif kind == "move":
                self.content = self._move(data, ids)
            else:
                self._remove_one(data, settled)
        except ClaimSetError as refusal:
            if refusal.code not in REFUSALS:
                raise

    def _insert(self, data: st.DataObject, ids: list[str]) -> Content:
        place = data.draw(st.integers(0, len(ids)), label="place")
        self.next_id += 1
        return claimset.insert(
            self.content,
            f"n{self.next_id:010x}",
            ids[place - 1] if place else None,
            SUBJECT + "。",
            revision=self.revision,
            seen={},
        )

    def _remove_one(self, data: st.DataObject, settled: list[str]) -> None:
        claim_id = data.draw(st.sampled_from(settled), label="claim")
        cited = meaning(self.content)[claim_id][:1]
        self.content = claimset.remove(self.content, claim_id, revision=self.revision)
        if cited and len(cited[0]) == 1:
            self.parents[claim_id] = next(iter(cited[0]))


@settings(max_examples=100)
@given(content=contents(), data=st.data())
def test_an_export_numbers_what_is_written_and_keeps_every_citation_true(
    content: Content, data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(content["claims"])))
    after = content["claims"][place - 1]["id"] if place else None
    begun = claimset.begin(content, "w000000000", after, job="job", revision=50)
    texts = claimset.written_texts(begun)
    rows = zip(content["claims"], texts, strict=True)
    exported: Content = {"claims": [{**row, "text": text} for row, text in rows]}
    assert meaning(exported) == meaning(content)
    assert wording(exported) == wording(content)
