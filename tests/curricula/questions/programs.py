"""Programs whose runs questions are derived from, with what each shows."""

PROGRAMS = {
    "loop": (
        "def f(items):\n"
        "    total = 0\n"
        "    for item in items:\n"
        "        if item % 2:\n"
        "            total += item\n"
        "        else:\n"
        "            total -= 1\n"
        "    return [total]\n",
        "f([3, 4, 5, 6])",
    ),
    "recursion": (
        "def f(n):\n"
        "    if n < 2:\n"
        "        return [n]\n"
        "    left = f(n - 1)\n"
        "    left.append(n)\n"
        "    return left\n",
        "f(4)",
    ),
    "caught": (
        "def f(texts):\n"
        "    found = []\n"
        "    for text in texts:\n"
        "        try:\n"
        "            found.append(int(text))\n"
        "        except ValueError:\n"
        "            found.append(-1)\n"
        "    return found\n",
        "f(['12', 'x', '30'])",
    ),
    "raises": (
        "def f(table, keys):\n"
        "    seen = ''\n"
        "    for key in keys:\n"
        "        seen += table[key] + ';'\n"
        "    return seen\n",
        "f({'a': 'xy', 'b': 'z'}, ['a', 'b', 'c'])",
    ),
    "helper": (
        "def twice(x):\n"
        "    y = x * 2\n"
        "    return y\n"
        "\n"
        "def f(a, b):\n"
        "    low = twice(a)\n"
        "    while low < b:\n"
        "        low = twice(low)\n"
        "    return low, b\n",
        "f(3, 40)",
    ),
    "with": (
        "from contextlib import contextmanager\n"
        "\n"
        "@contextmanager\n"
        "def marked(out):\n"
        "    out.append('in')\n"
        "    yield out\n"
        "    out.append('out')\n"
        "\n"
        "def f(n):\n"
        "    out = []\n"
        "    with marked(out) as box:\n"
        "        box.append(n * 11)\n"
        "    return out\n",
        "f(2)",
    ),
    "sets": (
        "def f(text):\n"
        "    letters = set(text)\n"
        "    common = letters & {'a', 'b', 'z'}\n"
        "    order = sorted(common)\n"
        "    return order\n",
        "f('bandana')",
    ),
}
