"""What a change of a pack does to many texts: which accepted ones it refuses, and the reverse.

Pure but for the processes it starts. Texts are judged by the serving engine over single bytes, in
batches that share one grammar (together.py).
"""

import json
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rules.compiler import ClaimState, State, StateError, compile_pack
from rules.compiler.verdict import matcher
from rules.together import Branch, Brancher, mark, size, together

LARGEST = 150_000
"""Characters of rules in one grammar. The engine takes 65,000 symbols, three characters each."""
BRANCH_SIZE = 400
AT_ONCE = 1024
"""Texts that a process takes at once: the more, the more of them share a frame."""


@dataclass(frozen=True)
class Comparison:
    """Positions in the given texts, ascending; `accepted` counts those that the old pack accepts.
    `stopped`: only `done` of the texts were looked at, not the first ones."""

    done: int
    accepted: int
    newly_refused: tuple[int, ...]
    newly_accepted: tuple[int, ...]
    stopped: bool


def compare(
    old: Mapping[str, Any],
    new: Mapping[str, Any],
    texts: Sequence[tuple[State, str]],
    *,
    processes: int = 2,
    progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Judges every text under both pack documents. A state that admits no text refuses it.

    `progress` gets the number of texts done after each thousand or so; `stop` is asked then too.
    Raises PackError when a document does not compile.
    """
    for document in (old, new):
        compile_pack(document)
    sources = [json.dumps(document, ensure_ascii=False) for document in (old, new)]
    accepted, refused_now, accepted_now, done = 0, list[int](), list[int](), 0
    # Texts written in like states beside one another: their grammars share the most.
    order = sorted(range(len(texts)), key=lambda place: _likeness(texts[place][0]))
    chunks = [order[start : start + AT_ONCE] for start in range(0, len(order), AT_ONCE)]
    # Not forked: the caller may have threads and connections. And no multiprocessing.Pool: to end
    # one early, in a thread, may take for ever.
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, context, _begin, (sources,))
    try:
        batches = ([texts[place] for place in chunk] for chunk in chunks)
        for chunk, (before, after) in zip(chunks, pool.map(_judged, batches), strict=True):
            for place, was, becomes in zip(chunk, before, after, strict=True):
                accepted += was
                if was and not becomes:
                    refused_now.append(place)
                elif becomes and not was:
                    accepted_now.append(place)
            done += len(chunk)
            progress(done)
            if stop():
                break
    finally:
        pool.shutdown(cancel_futures=True)
    return Comparison(
        done,
        accepted,
        tuple(sorted(refused_now)),
        tuple(sorted(accepted_now)),
        stopped=done < len(texts),
    )


def _likeness(state: State) -> tuple[Any, ...]:
    if isinstance(state, ClaimState):
        return (state.kind, tuple((one.number, one.multiple) for one in state.citable))
    return (state.entry, ())


def verdicts(brancher: Brancher, texts: Sequence[tuple[State, str]]) -> list[bool]:
    """Whether each text is accepted."""
    found = [False] * len(texts)
    placed: list[tuple[int, Branch]] = []
    for place, (state, _text) in enumerate(texts):
        try:
            placed.append((place, brancher.branch(state)))
        except StateError:
            continue
    for batch in _grammars(placed):
        numbers = {branch: n for n, branch in enumerate(dict.fromkeys(b for _, b in batch))}
        running = matcher(together(tuple(numbers)))
        for place, branch in batch:
            data = list((mark(numbers[branch]) + texts[place][1]).encode())
            found[place] = running.try_consume_tokens(data) == len(data) and running.is_accepting()
            running.reset()
    return found


def _grammars(placed: list[tuple[int, Branch]]) -> Iterator[list[tuple[int, Branch]]]:
    """Batches that fit one grammar. Branches of one frame come together, so a batch has few."""
    batch: list[tuple[int, Branch]] = []
    used, last = 0, ""
    for each in sorted(placed, key=lambda each: each[1].frame):
        cost = BRANCH_SIZE + (size(each[1].frame) if each[1].frame != last else 0)
        if batch and used + cost > LARGEST:
            yield batch
            batch, used = [], 0
            cost = BRANCH_SIZE + size(each[1].frame)
        batch.append(each)
        used, last = used + cost, each[1].frame
    if batch:
        yield batch


_documents: list[str] = []


def _begin(sources: list[str]) -> None:
    _documents[:] = sources


@lru_cache(maxsize=2)
def _brancher(which: int) -> Brancher:
    return Brancher(compile_pack(json.loads(_documents[which])))


def _judged(batch: Sequence[tuple[State, str]]) -> tuple[list[bool], list[bool]]:
    return verdicts(_brancher(0), batch), verdicts(_brancher(1), batch)
