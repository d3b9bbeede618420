"""What freehand writing keeps in mind: which values nothing has read yet, and what is in use.

Every value that is written down is read before the end, or the program says something for
nothing. So what waits to be read is chosen before what does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from synth import cst as c
from synth.bodies.freehand.phrases import Phrase, changes, phrases
from synth.context import Context, Var
from synth.grow import condition, is_char, measure, wording
from synth.names import item_names
from synth.types import INT, STR, Type

__all__ = ["Sheet", "key_of"]

_SIZED = frozenset("str bytes list tuple dict set frozenset range".split())
_CONSTANTS: dict[str, tuple[object, ...]] = {
    "word": ("no", "yes", "end", "abc", "x", "none", "ok"),
    "chars": ("aeiou", "aeiou", "abc", "lmn", "xyz", "-_ ", "ae", "st"),
    "sep": (" ", ",", "-", " ", ",", ":", "_", ", ", "/", "="),
    "fill": ("*", "-", "0", "#", "."),
    "base": (2, 2, 3, 3, 4, 5),
    "factor": (2, 2, 3, 4, 5),
    "width": (5, 6, 7, 8, 9, 10, 12),
    "end": (1, 2, -1, 0),
}
_LETTERS = "aeiorstnlbcdx"


def key_of(kind: Type) -> str:
    """Give the text under which phrases know a type."""
    return str(kind).replace(" ", "")


@dataclass(slots=True)
class Sheet:
    """A body that is being written.

    Attributes:
        ctx: The program.
        unread: Names of variables whose value nothing has read yet, parameters included.
        locked: Names that must not change here: a loop runs over them.
        inner: How many loops and branches are open.
        counting: Whether a ``while`` is open that counts its passes.
        apart: Names that stand in the phrase already.
    """

    ctx: Context
    unread: list[str] = field(default_factory=list)
    locked: list[str] = field(default_factory=list)
    inner: int = 0
    counting: bool = False
    apart: set[str] = field(default_factory=set)

    # --- Variables -------------------------------------------------------------------

    def read(self, variable: Var) -> c.Expression:
        """Read a variable."""
        if variable.name in self.unread:
            self.unread.remove(variable.name)
        return self.ctx.read(variable)

    def bind(self, kind: Type, *names: str, role: str = "state") -> Var:
        """Name a new value, which something must read."""
        made = self.ctx.bind(kind, *(names or item_names(kind)), role=role)
        self.owe(made)
        return made

    def owe(self, variable: Var) -> None:
        """Note that something must read a variable's value."""
        if variable.name not in self.unread:
            self.unread.append(variable.name)

    @contextmanager
    def inside(self, over: Var | None) -> Iterator[None]:
        """Be in a loop or branch, in which the variable that it goes over does not change."""
        if over is not None:
            self.locked.append(over.name)
        self.inner += 1
        yield
        self.inner -= 1
        if over is not None:
            self.locked.remove(over.name)

    @contextmanager
    def growing(self, variable: Var) -> Iterator[None]:
        """Write what is added to a variable, which does not read it: no ``text += text``.

        Nobody writes so, and a few dozen turns of it fill the memory.
        """
        place = self.ctx.scope.index(variable)
        del self.ctx.scope[place]
        yield
        self.ctx.scope.insert(place, variable)

    def choose(self, among: Sequence[Var]) -> Var:
        """Choose a variable: one that waits to be read before others, new before old."""
        waiting = {*self.unread, *self.ctx.waiting}
        weights = [
            (12 if v.name in waiting else 2 if v.role == "item" else 1) + place / len(among)
            for place, v in enumerate(among)
        ]
        return self.ctx.rng.choices(among, weights)[0]

    def of(self, kind: str) -> list[Var]:
        """List the variables of a type, or of any that has a length."""
        if kind == "sized":
            return [v for v in self.ctx.scope if v.type.name in _SIZED and not is_char(v)]
        # A character is no text here: little that is asked of texts makes sense of it.
        return [v for v in self.ctx.scope if key_of(v.type) == kind and not is_char(v)]

    def changeable(self) -> list[Var]:
        """List the variables that a statement may change here."""
        return [
            v
            for v in self.ctx.scope
            if v.name not in self.locked
            and v.role not in ("item", "index")
            and changes(key_of(v.type))
        ]

    # --- Expressions -----------------------------------------------------------------

    def some(self, kind: str, depth: int = 1, about: Var | None = None) -> c.Expression:
        """Give an expression of a type.

        Args:
            kind: The type's text form.
            depth: How deep phrases may nest in it; 0 is a variable or a constant.
            about: A variable that it must depend on, where a phrase allows it.

        Returns:
            The expression.
        """
        if about is not None and is_char(about) and kind in _OF_CHARS and self.ctx.chance(0.85):
            self.read(about)
            return _OF_CHARS[kind](about, self.ctx)
        fitting = [p for p in phrases(kind) if self._fits(p, about)] if depth > 0 else []
        if not fitting:
            return self._plain(kind, about)
        chosen = self.ctx.rng.choices(fitting, [p.weight for p in fitting])[0]
        return self.filled(chosen, depth - 1, about)

    def filled(self, phrase: Phrase, depth: int, about: Var | None = None) -> c.Expression:
        """Fill a phrase's holes, no two of them with the same variable."""
        holes = phrase.template.holes
        is_about = about is not None and any(_takes(hole, about) for hole in holes)
        outer, self.apart = self.apart, {about.name} if about and is_about else set()
        values = self._values(holes, depth, about)
        self.apart = outer
        for hole, value in zip(holes, values, strict=True):
            if hole == "new":
                self.ctx.taken.discard(value.value)  # type: ignore[attr-defined]
        made = phrase.template.build(values)
        return made  # type: ignore[return-value]

    def change(self, variable: Var, about: Var | None = None) -> c.Statement:
        """Write a statement that changes a variable, by another one where a phrase allows it."""
        with self.growing(variable):
            found = [p for p in changes(key_of(variable.type)) if self._fits(p, None)]
            by = [p for p in found if about and any(_takes(h, about) for h in p.template.holes)]
            phrase = self.ctx.rng.choices(by or found, [p.weight for p in by or found])[0]
            values = self._values(phrase.template.holes, 0, about, changed=variable)
        if not self.inner:
            self.owe(variable)
        return phrase.template.build(values)  # type: ignore[return-value]

    def _values(
        self, holes: Sequence[str], depth: int, about: Var | None, changed: Var | None = None
    ) -> list[c.Expression]:
        """Give a value for each hole; the first that fits is for the variable it is about."""
        place = next((n for n, h in enumerate(holes) if about and _takes(h, about)), None)
        values: list[c.Expression] = []
        for n, hole in enumerate(holes):
            if changed is not None and hole.startswith("!"):
                values.append(self.ctx.read(changed))
            elif about is not None and n == place:
                values.append(self.read(about))
            else:
                values.append(self._hole(hole, depth))
        return values

    def can(self, kind: str, about: Var | None = None) -> bool:
        """Tell whether there is more to give of a type than a constant, ``about`` a variable."""
        if about is None and self.of(kind):
            return True
        return any(self._fits(phrase, about) for phrase in phrases(kind))

    def _fits(self, phrase: Phrase, about: Var | None) -> bool:
        """Tell whether the holes of a phrase can be filled, each with a variable of its own."""
        wanted: dict[str, int] = {}
        about_fits = False
        for hole in phrase.template.holes:
            if about is not None and not about_fits and _takes(hole, about):
                about_fits = True
            elif hole not in _FREE and not hole.startswith("!"):
                kind = hole.lstrip("@")
                wanted[kind] = wanted.get(kind, 0) + 1
        if about is not None and not about_fits:
            return False
        spare = about.name if about else ""
        return all(
            sum(v.name != spare for v in self.of(kind)) >= count for kind, count in wanted.items()
        )

    def _hole(self, hole: str, depth: int) -> c.Expression:
        ctx = self.ctx
        if hole in _CONSTANTS:
            return c.literal(ctx.pick(_CONSTANTS[hole]))
        if hole == "new":
            return c.name(ctx.fresh("x", "y", "z", "e"))
        if hole == "num":
            return self._small()
        if hole == "char":
            return self.letter()
        if hole == "bool":
            return self.some("bool", 1)
        kind = hole.lstrip("@")
        if depth > 0 and kind == hole and ctx.chance(0.35):
            return self.some(hole, depth)
        among = [v for v in self.of(kind) if v.name not in self.apart]
        return self._picked(among) if among else self._plain(kind, None)

    def _picked(self, among: Sequence[Var]) -> c.Expression:
        chosen = self.choose(among)
        self.apart.add(chosen.name)
        return self.read(chosen)

    def _small(self) -> c.Expression:
        ints = [
            v
            for v in self.of("int")
            if (v.name in self.ctx.waiting or v.role == "item") and v.name not in self.apart
        ]
        if ints and self.ctx.chance(0.6):
            return self._picked(ints)
        return c.literal(self.ctx.pick((1, 1, 2, 2, 3, 3, 4, 5, 6)))

    def letter(self) -> c.Expression:
        """Give a short text: a parameter for it, a character at hand, or a constant."""
        texts = [
            v
            for v in self.ctx.scope
            if (is_char(v) or (v.type == STR and v.name in self.ctx.waiting))
            and v.name not in self.apart
        ]
        if texts and self.ctx.chance(0.75):
            return self._picked(texts)
        return c.literal(self.ctx.pick(_LETTERS))

    def _plain(self, kind: str, about: Var | None) -> c.Expression:
        """Give a variable of a type, or what can be made of another one."""
        if about is not None and key_of(about.type) == kind:
            return self.read(about)
        among = self.of(kind)
        if among and about is None:
            return self.read(self.choose(among))
        if kind == "bool":
            over = about or self.choose(self.ctx.scope)
            self.read(over)
            return condition(over, self.ctx)
        if kind in ("int", "str"):
            over = about or self.choose(self.ctx.scope)
            self.read(over)
            number = measure(over, self.ctx)
            return number if kind == "int" else c.call("str", number)
        return c.literal(_EMPTY.get(kind, 0))


_OF_CHARS: dict[str, Callable[[Var, Context], c.Expression]] = {
    "bool": condition,
    "int": measure,
    "str": wording,
}
"""What people write of one character is little, and not what they write of texts."""
_FREE = frozenset({*_CONSTANTS, "new", "num", "char", "bool"})
_EMPTY: dict[str, object] = {
    "list[int]": [],
    "list[str]": [],
    "dict[str,int]": {},
}


def _takes(hole: str, variable: Var) -> bool:
    """Tell whether a variable fits in a hole."""
    hole = hole.lstrip("@")
    if hole == "sized":
        return variable.type.name in _SIZED
    if hole == "num":
        return variable.type == INT
    if hole == "char":
        return is_char(variable)
    return hole == key_of(variable.type) and not is_char(variable)
