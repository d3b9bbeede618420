# attack: runs bytecode that never came from a compiler
# ruff: noqa
import types


def answer(n):
    code = (lambda: 0).__code__.replace(co_code=bytes(range(2, 200, 2)) * 4, co_consts=())
    return types.FunctionType(code, {})()
