"""Answers questions on standard input, one JSON a line, until it closes.

    python -m rules.bench

The address space is limited: a grammar that explodes ends this process with a MemoryError, not the
machine.
"""

import json
import resource
import sys

from rules.bench.work import answer

ADDRESS_SPACE_BYTES = 3 * 1024**3


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    for line in sys.stdin.buffer:
        said = json.dumps(answer(json.loads(line)), ensure_ascii=False)
        sys.stdout.buffer.write(said.encode() + b"\n")
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
