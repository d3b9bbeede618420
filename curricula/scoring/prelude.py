"""Gives code the imports that judges give it: ``List``, ``defaultdict``, ``math`` and so on.

Programs on LeetCode and in the datasets made of it use such names without an import. Only
names that the text holds are imported, before its first line, so whatever the program binds
itself wins.
"""

from __future__ import annotations

import re

__all__ = ["with_usual_imports"]

_NAMES = {
    name: module
    for module, names in {
        "typing": "Any Callable DefaultDict Deque Dict FrozenSet Generator Iterable Iterator List "
        "Mapping NamedTuple Optional Sequence Set Tuple Type TypeVar Union",
        "collections": "ChainMap Counter OrderedDict defaultdict deque namedtuple",
        "functools": "cache cmp_to_key lru_cache partial reduce",
        "itertools": "accumulate chain combinations combinations_with_replacement count cycle "
        "groupby islice pairwise permutations product repeat starmap takewhile zip_longest",
        "heapq": "heapify heappop heappush heappushpop heapreplace merge nlargest nsmallest",
        "bisect": "bisect_left bisect_right insort insort_left insort_right",
        "math": "ceil comb factorial floor gcd hypot inf isqrt lcm log log2 perm pi prod sqrt",
        "string": "ascii_letters ascii_lowercase ascii_uppercase digits punctuation",
        "operator": "itemgetter attrgetter",
        "dataclasses": "dataclass field",
    }.items()
    for name in names.split()
}
_MODULES = frozenset(
    "bisect collections copy datetime fractions functools heapq itertools json math operator os "
    "random re statistics string sys time typing".split()
)
_WORD = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\b(\s*\.)?")
_BISECT = re.compile(r"(?<![\w.])bisect\s*\(")
_FUTURE = re.compile(r"^from __future__ import .*$", re.MULTILINE)


def with_usual_imports(code: str, entry: str = "") -> str:
    r"""Put imports of the usual names that a program holds before it.

    Args:
        code: Any text.
        entry: A name that is not imported: the program must define it itself.

    Returns:
        The program, its lines moved down by one where anything is imported.

    Example:
        >>> with_usual_imports("def f(n: List[int]): return math.prod(n)\n")
        'from typing import List; import math\ndef f(n: List[int]): return math.prod(n)\n'
    """
    found = {(word, bool(dot)) for word, dot in _WORD.findall(code) if word != entry}
    lines = {f"import {word}" for word, dotted in found if dotted and word in _MODULES}
    lines |= {f"from {_NAMES[word]} import {word}" for word, _ in found if word in _NAMES}
    if entry != "bisect" and "import bisect" not in lines and _BISECT.search(code):
        lines.add("from bisect import bisect")
    if not lines:
        return code
    imports = "; ".join(sorted(lines)) + "\n"
    future = [match.end() for match in _FUTURE.finditer(code)]
    place = future[-1] + 1 if future else 0
    return code[:place] + imports + code[place:]
