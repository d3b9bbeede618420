"""Small constructors of libcst nodes, so that generators read like the code they make.

Expressions are wrapped in parentheses where precedence asks for it; statements carry
their indentation themselves. Nothing here draws anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import libcst as cst

from tracing.values import encode

__all__ = [
    "Expression",
    "Name",
    "Statement",
    "assign",
    "attribute",
    "augment",
    "binary",
    "boolean",
    "call",
    "comparison",
    "conditional",
    "def_",
    "dict_",
    "do",
    "for_",
    "formatted",
    "if_",
    "index",
    "items",
    "lambda_",
    "list_",
    "literal",
    "method",
    "module",
    "name",
    "negated",
    "receiver",
    "return_",
    "same",
    "slice_",
    "tight",
    "try_",
    "tuple_",
    "while_",
]

Expression = cst.BaseExpression
Name = cst.Name
Statement = cst.BaseStatement
_Node = TypeVar("_Node", cst.BaseExpression, cst.BaseStatement)

_LOOSE = (
    cst.BinaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.IfExp,
    cst.Lambda,
    cst.UnaryOperation,
    cst.GeneratorExp,
    cst.NamedExpr,
)
_BINARY: dict[str, type[cst.BaseBinaryOp]] = {
    "+": cst.Add,
    "-": cst.Subtract,
    "*": cst.Multiply,
    "//": cst.FloorDivide,
    "/": cst.Divide,
    "%": cst.Modulo,
    "**": cst.Power,
    "&": cst.BitAnd,
    "|": cst.BitOr,
    "^": cst.BitXor,
    "<<": cst.LeftShift,
    ">>": cst.RightShift,
}
_AUGMENT: dict[str, type[cst.BaseAugOp]] = {
    "+": cst.AddAssign,
    "-": cst.SubtractAssign,
    "*": cst.MultiplyAssign,
    "//": cst.FloorDivideAssign,
    "%": cst.ModuloAssign,
    "&": cst.BitAndAssign,
    "|": cst.BitOrAssign,
    "^": cst.BitXorAssign,
    ">>": cst.RightShiftAssign,
}
_COMPARE: dict[str, type[cst.BaseCompOp]] = {
    "==": cst.Equal,
    "!=": cst.NotEqual,
    "<": cst.LessThan,
    "<=": cst.LessThanEqual,
    ">": cst.GreaterThan,
    ">=": cst.GreaterThanEqual,
    "in": cst.In,
    "not in": cst.NotIn,
    "is": cst.Is,
    "is not": cst.IsNot,
}


def tight(node: Expression) -> Expression:
    """Put parentheses round what binds loosely."""
    if isinstance(node, _LOOSE) and not node.lpar:
        return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return node


_PARSED: dict[str, Expression] = {}


def literal(value: object) -> Expression:
    """Write a value of a built-in type."""
    text = encode(value)
    if text not in _PARSED:
        if len(_PARSED) > 20_000:
            _PARSED.clear()
        _PARSED[text] = cst.parse_expression(text)
    return _PARSED[text]


def name(text: str) -> cst.Name:
    """Write a name."""
    return cst.Name(text)


def attribute(value: Expression, text: str) -> cst.Attribute:
    """Write ``value.text``."""
    return cst.Attribute(receiver(value), cst.Name(text))


def receiver(value: Expression) -> Expression:
    """Make a value fit before a dot, a bracket or a call."""
    if isinstance(value, (cst.Integer, cst.Float)):
        return value.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return tight(value)


def call(function: str | Expression, *arguments: Expression, **keywords: Expression) -> cst.Call:
    """Write a call."""
    given = [cst.Arg(argument) for argument in arguments]
    given += [
        cst.Arg(
            value,
            keyword=cst.Name(key),
            equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        )
        for key, value in keywords.items()
    ]
    target = cst.Name(function) if isinstance(function, str) else receiver(function)
    return cst.Call(target, given)


def method(
    value: Expression, text: str, *arguments: Expression, **keywords: Expression
) -> cst.Call:
    """Write ``value.text(arguments)``."""
    return call(attribute(value, text), *arguments, **keywords)


def binary(left: Expression, operator: str, right: Expression) -> cst.BinaryOperation:
    """Write an arithmetic operation."""
    keep = (
        operator == "+"
        and isinstance(left, cst.BinaryOperation)
        and isinstance(left.operator, cst.Add)
    )
    return cst.BinaryOperation(left if keep else tight(left), _BINARY[operator](), tight(right))


def comparison(left: Expression, operator: str, right: Expression) -> cst.Comparison:
    """Write a comparison or a membership test."""
    loose = (cst.BinaryOperation, cst.UnaryOperation)
    one = left if isinstance(left, loose) else tight(left)
    other = right if isinstance(right, loose) else tight(right)
    return cst.Comparison(one, [cst.ComparisonTarget(_COMPARE[operator](), other)])


def boolean(left: Expression, operator: str, right: Expression) -> cst.BooleanOperation:
    """Write ``left and right`` or ``left or right``."""
    made = cst.And() if operator == "and" else cst.Or()
    return cst.BooleanOperation(_operand(left), made, _operand(right))


def _operand(node: Expression) -> Expression:
    return tight(node) if isinstance(node, (cst.BooleanOperation, cst.IfExp, cst.Lambda)) else node


def negated(value: Expression) -> Expression:
    """Write ``not value``, or the opposite comparison."""
    opposite = {cst.In: cst.NotIn, cst.Equal: cst.NotEqual}
    if isinstance(value, cst.Comparison) and type(value.comparisons[0].operator) in opposite:
        made = opposite[type(value.comparisons[0].operator)]()
        return value.with_changes(comparisons=[value.comparisons[0].with_changes(operator=made)])
    return cst.UnaryOperation(cst.Not(), tight(value))


def conditional(test: Expression, then: Expression, otherwise: Expression) -> cst.IfExp:
    """Write ``then if test else otherwise``."""
    return cst.IfExp(_operand(test), _operand(then), _operand(otherwise))


def index(value: Expression, place: Expression) -> cst.Subscript:
    """Write ``value[place]``."""
    return cst.Subscript(receiver(value), [cst.SubscriptElement(cst.Index(place))])


def slice_(
    value: Expression,
    low: Expression | None = None,
    high: Expression | None = None,
    step: Expression | None = None,
) -> cst.Subscript:
    """Write ``value[low:high:step]``."""
    made = cst.Slice(
        low, high, step, second_colon=cst.Colon() if step is not None else cst.MaybeSentinel.DEFAULT
    )
    return cst.Subscript(receiver(value), [cst.SubscriptElement(made)])


def tuple_(*values: Expression) -> cst.Tuple:
    """Write a tuple in parentheses."""
    return cst.Tuple([cst.Element(value) for value in values])


def list_(*values: Expression) -> cst.List:
    """Write a list."""
    return cst.List([cst.Element(value) for value in values])


def dict_(pairs: Sequence[tuple[Expression, Expression]]) -> cst.Dict:
    """Write a dict."""
    return cst.Dict([cst.DictElement(key, value) for key, value in pairs])


def lambda_(parameter: str, body: Expression) -> cst.Lambda:
    """Write ``lambda parameter: body``."""
    return cst.Lambda(cst.Parameters([cst.Param(cst.Name(parameter))]), body)


def formatted(*parts: str | Expression) -> cst.FormattedString:
    """Write an f-string; texts stand as they are and hold no quotes or braces."""
    made = [
        cst.FormattedStringText(part)
        if isinstance(part, str)
        else cst.FormattedStringExpression(part)
        for part in parts
    ]
    return cst.FormattedString(made, start="f'", end="'")


def _loop(target: str | Sequence[str], source: Expression, *tests: Expression) -> cst.CompFor:
    return cst.CompFor(_target(target), source, ifs=[cst.CompIf(test) for test in tests])


def _target(target: str | Sequence[str]) -> cst.BaseAssignTargetExpression:
    if isinstance(target, str):
        return cst.Name(target)
    return cst.Tuple([cst.Element(cst.Name(t)) for t in target], lpar=[], rpar=[])


def items(
    kind: str,
    element: Expression | tuple[Expression, Expression],
    target: str | Sequence[str],
    source: Expression,
    *tests: Expression,
) -> Expression:
    """Write a comprehension: ``kind`` is list, set, dict or generator (bare, for a call)."""
    loop = _loop(target, source, *tests)
    if isinstance(element, tuple):
        return cst.DictComp(element[0], element[1], loop)
    if kind == "list":
        return cst.ListComp(element, loop)
    if kind == "set":
        return cst.SetComp(element, loop)
    return cst.GeneratorExp(element, loop, lpar=[], rpar=[])


def do(value: Expression) -> Statement:
    """Write an expression statement."""
    return cst.SimpleStatementLine([cst.Expr(value)])


def assign(target: str | Sequence[str] | Expression, value: Expression) -> Statement:
    """Write ``target = value``; several names are unpacked."""
    made = target if isinstance(target, cst.BaseExpression) else _target(target)
    if isinstance(target, (list, tuple)) and isinstance(value, cst.Tuple):
        value = value.with_changes(lpar=[], rpar=[])
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(made)], _bare(value))])  # type: ignore[arg-type]


def augment(target: str | Expression, operator: str, value: Expression) -> Statement:
    """Write ``target += value`` and the like."""
    made = cst.Name(target) if isinstance(target, str) else target
    return cst.SimpleStatementLine([cst.AugAssign(made, _AUGMENT[operator](), value)])  # type: ignore[arg-type]


def return_(value: Expression) -> Statement:
    """Write ``return value``; a tuple loses its parentheses."""
    if isinstance(value, cst.Tuple) and len(value.elements) > 1:
        value = value.with_changes(lpar=[], rpar=[])
    return cst.SimpleStatementLine([cst.Return(_bare(value))])


def _bare(value: Expression) -> Expression:
    """Take the parentheses away that precedence asks for inside an expression."""
    needed = (cst.GeneratorExp, cst.NamedExpr)
    if isinstance(value, _LOOSE) and value.lpar and not isinstance(value, needed):
        return value.with_changes(lpar=[], rpar=[])
    return value


def jump(word: str) -> Statement:
    """Write ``break``, ``continue`` or ``pass``."""
    made = {"break": cst.Break(), "continue": cst.Continue(), "pass": cst.Pass()}
    return cst.SimpleStatementLine([made[word]])


def _block(body: Sequence[Statement]) -> cst.IndentedBlock:
    return cst.IndentedBlock(list(body))


def if_(
    *branches: tuple[Expression, Sequence[Statement]], otherwise: Sequence[Statement] = ()
) -> cst.If:
    """Write ``if``, ``elif`` for each further branch, and ``else`` where there is a body for it."""
    rest: cst.If | cst.Else | None = cst.Else(_block(otherwise)) if otherwise else None
    for test, body in reversed(branches):
        rest = cst.If(test, _block(body), orelse=rest)
    assert isinstance(rest, cst.If)
    return rest


def for_(
    target: str | Sequence[str],
    source: Expression,
    body: Sequence[Statement],
    otherwise: Sequence[Statement] = (),
) -> Statement:
    """Write a ``for`` loop."""
    orelse = cst.Else(_block(otherwise)) if otherwise else None
    return cst.For(_target(target), source, _block(body), orelse)


def while_(test: Expression, body: Sequence[Statement]) -> Statement:
    """Write a ``while`` loop."""
    return cst.While(test, _block(body))


def try_(
    body: Sequence[Statement],
    handlers: Sequence[tuple[Sequence[str], Sequence[Statement]]],
    final: Sequence[Statement] = (),
) -> Statement:
    """Write ``try`` with handlers for exception names, and ``finally`` where there is a body."""
    made = []
    for names, handled in handlers:
        kind: Expression = cst.Name(names[0])
        if len(names) > 1:
            kind = tuple_(*map(cst.Name, names))
        made.append(
            cst.ExceptHandler(
                _block(handled), kind, whitespace_after_except=cst.SimpleWhitespace(" ")
            )
        )
    return cst.Try(_block(body), made, finalbody=cst.Finally(_block(final)) if final else None)


def def_(
    title: str, parameters: Sequence[str | tuple[str, Expression]], body: Sequence[Statement]
) -> cst.FunctionDef:
    """Write a function; a parameter may have a default."""
    made = [
        cst.Param(cst.Name(p))
        if isinstance(p, str)
        else cst.Param(
            cst.Name(p[0]),
            default=p[1],
            equal=cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace("")),
        )
        for p in parameters
    ]
    return cst.FunctionDef(cst.Name(title), cst.Parameters(made), _block(body))


def module(functions: Sequence[Statement], imports: Sequence[str] = ()) -> str:
    """Render a module of functions, an empty line between them, behind its imports."""
    body = [cst.parse_statement(line) for line in imports]
    for function in functions:
        lines = [cst.EmptyLine(indent=False)] if body else []
        body.append(function.with_changes(leading_lines=lines))  # type: ignore[arg-type]
    return cst.Module(body).code


def yield_(value: Expression) -> Statement:
    """Write ``yield value``."""
    return cst.SimpleStatementLine([cst.Expr(cst.Yield(value))])


def nonlocal_(text: str) -> Statement:
    """Write ``nonlocal text``."""
    return cst.SimpleStatementLine([cst.Nonlocal([cst.NameItem(cst.Name(text))])])


def class_(title: str, body: Sequence[Statement]) -> Statement:
    """Write a class, an empty line between its methods."""
    first, *rest = body
    spaced = [m.with_changes(leading_lines=[cst.EmptyLine(indent=False)]) for m in rest]
    return cst.ClassDef(cst.Name(title), _block([first, *spaced]))


def case_tuple(*parts: str | Expression) -> cst.MatchPattern:
    """Write a pattern of a tuple: names are bound, literals compared."""
    made = [
        cst.MatchAs(name=cst.Name(part)) if isinstance(part, str) else cst.MatchValue(part)
        for part in parts
    ]
    elements = [cst.MatchSequenceElement(pattern) for pattern in made]
    return cst.MatchTuple(elements)


def case_rest() -> cst.MatchPattern:
    """Write the pattern ``_``, which everything fits."""
    return cst.MatchAs()


def match_(
    subject: Expression, cases: Sequence[tuple[cst.MatchPattern, Sequence[Statement]]]
) -> Statement:
    """Write ``match``."""
    return cst.Match(
        subject, [cst.MatchCase(pattern, body=_block(body)) for pattern, body in cases]
    )


def same(one: cst.CSTNode, other: cst.CSTNode) -> bool:
    """Tell whether two expressions or statements are written alike."""
    return one.deep_equals(other)


def substituted(node: _Node, text: str, value: Expression) -> _Node:
    """Put an expression in the place of a name, in an expression or a statement."""

    class Put(cst.CSTTransformer):
        def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> Expression:
            return tight(value) if original_node.value == text else updated_node

    made = node.visit(Put())
    return made if isinstance(made, cst.CSTNode) else node
