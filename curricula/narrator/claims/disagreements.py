"""Holds the claims of a text against a run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice

from curricula.narrator.claims.counts import wrong_counts
from curricula.narrator.claims.evidence import Evidence
from curricula.narrator.claims.prose import without_quotes
from curricula.narrator.claims.results import wrong_results
from curricula.narrator.claims.tables import table_claims
from curricula.narrator.claims.variables import Claim, claims_in
from tracing import Trace

__all__ = ["MOST", "disagreements"]

MOST = 2000
"""Claims about variables that are looked at; a text with more of them is not taken."""
_LONGEST, _LONGEST_LINE = 60_000, 4_000
"""Characters of a text that is read, and of a line of it: some 15,000 tokens."""


def disagreements(text: str, trace: Trace) -> list[str]:
    """List the claims of a text that a run does not bear out.

    Args:
        text: Hostile text.
        trace: The run.

    Returns:
        A sentence for each; one more where there are more claims than are looked at.

    Example:
        >>> import tracing
        >>> trace = tracing.run("def f(n):\\n    m = n + 1\\n    return m\\n", "f(2)")
        >>> disagreements("Here **m** becomes 3, so `f(2)` returns 4.", trace)
        ['the call does not return 4']
    """
    if len(text) > _LONGEST or max(map(len, text.split("\n"))) > _LONGEST_LINE:
        return ["it is too long to be read"]
    known = Evidence(trace)
    lines = without_quotes(text, trace.source)
    found = list(islice(chain(claims_in(lines, known), table_claims(lines, known)), MOST + 1))
    wrong = [what for claim in found[:MOST] for what in _wrong(claim, known)]
    if len(found) > MOST:
        wrong.append(f"it has more than {MOST} claims")
    return [*wrong, *wrong_results(lines, known), *wrong_counts(lines, known)]


def _wrong(claim: Claim, known: Evidence) -> Iterator[str]:
    """Say what is wrong with a claim about a variable, if something is."""
    said = claim.values[0].literal
    if claim.part:
        if not known.has_part(claim.name, claim.part, claim.values):
            yield f"{claim.part} of {claim.name} is never {said}"
        return
    where = known.lines_with(claim.name, claim.values)
    if where is None:
        yield f"{claim.name} is never {said}"
    elif claim.line is not None and claim.line not in where:
        yield f"{claim.name} is not {said} at line {claim.line}"
