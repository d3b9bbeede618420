"""Templates stand for what they say, whatever is put into their holes."""

import ast

import libcst as cst
import pytest

from synth.bodies.freehand.phrases import changes, phrases
from synth.templates import expression, statement

KINDS = ("str", "int", "bool", "list[str]", "list[int]", "dict[str,int]", "set[int]", "set[str]")
LOOSE = ("a if b else c", "a + b", "-a", "a or b", "a < b", "lambda: a", "a, b", "a.b[0]", "5")
EXPRESSIONS = [p.template for kind in KINDS for p in phrases(kind)]
STATEMENTS = [p.template for kind in KINDS for p in changes(kind)]


class Put(ast.NodeTransformer):
    """Put trees in the place of names."""

    def __init__(self, values):
        self.values = values

    def visit_Name(self, node):
        return self.values.get(node.id, node)


def tree_with(template, values):
    """Fill the holes of a template's tree, where no parentheses are to be thought of."""
    text, names = template.text, {}
    for place, hole in enumerate(template.holes):
        names[f"hole_{place}"] = values[place]
        once = not (hole == "new" or hole[0] in "!@")
        text = text.replace(f"<{hole}>", f"hole_{place}", 1 if once else -1)
    return ast.dump(Put(names).visit(ast.parse(text)))


@pytest.mark.parametrize("loose", LOOSE)
def test_a_filled_template_parses_to_the_filled_tree(loose):
    for template in EXPRESSIONS:
        # What a comprehension binds, and what a hole of an f-string holds, is a name.
        if "new" in template.holes or "f'" in template.text:
            continue
        inner = cst.parse_expression(f"({loose})" if "," in loose else loose)
        made = template.build([inner] * len(template.holes))
        code = cst.Module([]).code_for_node(made)
        value = ast.parse(loose, mode="eval").body
        assert ast.dump(ast.parse(code)) == tree_with(template, [value] * len(template.holes)), code


def test_every_change_is_one_statement_of_its_text():
    for template in STATEMENTS:
        names = [f"v{n}" for n in range(len(template.holes))]
        code = cst.Module([template.build([cst.Name(name) for name in names])]).code
        loads = [ast.Name(name, ast.Load()) for name in names]
        expected = ast.parse(code)
        assert len(expected.body) == 1
        assert ast.unparse(ast.parse(code)) == ast.unparse(
            Put({f"hole_{n}": load for n, load in enumerate(loads)}).visit(
                ast.parse(_named(template))
            )
        )


def _named(template):
    text = template.text
    for place, hole in enumerate(template.holes):
        once = not (hole == "new" or hole[0] in "!@")
        text = text.replace(f"<{hole}>", f"hole_{place}", 1 if once else -1)
    return text


def test_the_same_text_is_two_holes_and_a_marked_one_is_one():
    assert expression("<int> + <int>").holes == ("int", "int")
    assert expression("<@int> + <@int>").holes == ("@int",)
    assert statement("<!str> = <!str> + <char>").holes == ("!str", "char")
    assert expression("[<new> for <new> in <str>]").holes == ("new", "str")


def test_a_comparison_is_no_hole():
    assert expression("<int> < <num> and a<b").holes == ("int", "num")
