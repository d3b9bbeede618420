"""Finds what a text claims about a run, and which of it the run does not bear out.

Read are claims that a variable has a value, also an item or the length of one; that the call
or a line returns a value or raises; and how often a loop or a line runs. They may be worded
in many ways, and stand in code, emphasis, formulas or tables; what only quotes the program
is no claim. A claim about a variable agrees where the variable had that value at some moment;
in a clause that names one line, where it had it before or after a step of that line.

What the trace does not hold is not judged: values of expressions inside a statement, and what
calls of other functions return where no variable holds it. Nor are sentences that say what
would be, and claims whose subject is a pronoun.
"""

from curricula.narrator.claims.disagreements import disagreements

__all__ = ["disagreements"]
