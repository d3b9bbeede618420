"""Names of what a node of a tree does: a call's method or function, or an operation."""

from __future__ import annotations

import ast

__all__ = ["OPERATIONS", "names_of"]

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.MatMult: "@",
}
_UNARY: dict[type[ast.unaryop], str] = {
    ast.Not: "not",
    ast.Invert: "~",
    ast.USub: "unary -",
    ast.UAdd: "unary +",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_WHOLE: dict[type[ast.AST], str] = {
    ast.IfExp: "if else",
    ast.JoinedStr: "f-string",
    ast.Lambda: "lambda",
    ast.ListComp: "list comprehension",
    ast.SetComp: "set comprehension",
    ast.DictComp: "dict comprehension",
    ast.GeneratorExp: "generator expression",
}
_SUBSCRIPTS = ("[]", "[:]", "[::]")

OPERATIONS: dict[str, tuple[type[ast.AST], ...]] = {
    **dict.fromkeys(_BINARY.values(), (ast.BinOp,)),
    **dict.fromkeys((f"{sign}=" for sign in _BINARY.values()), (ast.AugAssign,)),
    **dict.fromkeys(_UNARY.values(), (ast.UnaryOp,)),
    **dict.fromkeys(_COMPARE.values(), (ast.Compare,)),
    **{name: (kind,) for kind, name in _WHOLE.items()},
    **dict.fromkeys(_SUBSCRIPTS, (ast.Subscript,)),
    **dict.fromkeys((f"{name}=" for name in _SUBSCRIPTS), (ast.Subscript,)),
    **dict.fromkeys((f"del {name}" for name in _SUBSCRIPTS), (ast.Subscript,)),
    "and": (ast.BoolOp,),
    "or": (ast.BoolOp,),
    "unpacking": (ast.Starred, ast.Dict),
}
"""Operations by name, and the kinds of nodes that can do them; a negative constant does none."""


def names_of(node: ast.AST) -> tuple[str, ...]:
    """Name what a node does.

    Args:
        node: Any node.

    Returns:
        The name of the method or function of a call, keys of :data:`OPERATIONS`, or nothing.

    Example:
        >>> names_of(ast.parse("0 < n <= 9", mode="eval").body)
        ('<', '<=')
    """
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return (name,)
        case ast.BinOp(op=sign):
            return (_BINARY[type(sign)],)
        case ast.AugAssign(op=sign):
            return (f"{_BINARY[type(sign)]}=",)
        case ast.UnaryOp(operand=ast.Constant(value=int() | float()), op=ast.USub()):
            return ()
        case ast.UnaryOp(op=mark):
            return (_UNARY[type(mark)],)
        case ast.BoolOp(op=word):
            return ("and" if isinstance(word, ast.And) else "or",)
        case ast.Compare(ops=signs):
            return tuple(_COMPARE[type(sign)] for sign in signs)
        case ast.Subscript():
            return (_subscript(node),)
        case ast.Starred(ctx=ast.Load()):
            return ("unpacking",)
        case ast.Dict(keys=keys):
            return ("unpacking",) if None in keys else ()
    whole = _WHOLE.get(type(node))
    return () if whole is None else (whole,)


def _subscript(node: ast.Subscript) -> str:
    place = node.slice
    name = "[]" if not isinstance(place, ast.Slice) else "[:]" if place.step is None else "[::]"
    if isinstance(node.ctx, ast.Store):
        return f"{name}="
    return f"del {name}" if isinstance(node.ctx, ast.Del) else name
