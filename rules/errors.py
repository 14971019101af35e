"""What can stand in the way of a step of a rule author.

RulesError          `code` and a sentence to act on; `status` is the HTTP status of the answer
  EditConflict      somebody else saved first; carries both documents, so that nothing is lost
"""

from typing import Any


class RulesError(Exception):
    """`code` is one of

    wrong_state      the version is not in a state that allows the step
    reason_missing   a draft needs a reason
    four_eyes        who edited the draft cannot publish it
    outdated         another version came into force after the draft was begun
    unchanged        the draft is what is in force already
    no_text          a claim without a text is no example
    not_verified     the document does not compile, or an example has another verdict
    disagreement     engine and lark differ on an example: the compiler is wrong
    bad_request      the request has not the expected form
    busy, too_slow   the rule checker has no room now, or gave the document up (rules.bench)
    no_node          no inference node is ready
    """

    def __init__(self, code: str, message: str, *, status: int = 422, **more: Any) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.more = more


class EditConflict(RulesError):
    def __init__(self, message: str, **both: Any) -> None:
        super().__init__("edit_conflict", message, status=409, **both)
