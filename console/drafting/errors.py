"""Why a request about drafting is refused."""


class DraftingError(Exception):
    """`code` is one of

    no_disclosure        there is nothing to draft from
    nothing_to_write     the number of claims is used up by the agent's own first claim
    job_active           the document already has a job that is queued, running or paused
    too_many_drafts      the user has too many jobs waiting
    job_not_found        there is no such job in this matter
    job_not_active       the job has ended, or is not in the state that the request needs
    claim_gone           the claim to write anew is not there
    request_reused       the request's id was used for another matter before
    first_claim_refused  the agent's own first claim could not be put into the document

    The message is a sentence for the agent.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
