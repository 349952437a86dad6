# stubs.py: the types of gable_linalg.blas, whose routines are found when they are asked for.
# SPDX-License-Identifier: BSD-3-Clause
"""blas.pyi, made of the list of bindings/interface.py; it goes into wheels and installations.

    text(listed)    the text of the stub, for the dictionaries that interface.load() gives
"""

HEAD = '''# blas.pyi: made of include/gable/*.h by bindings/python/stubs.py.
# SPDX-License-Identifier: BSD-3-Clause
import ctypes
from typing import Any, Dict, List, Optional, Protocol, Tuple, Union, overload

from ._array import Array
from ._context import Context

class _HostArray(Protocol):
    @property
    def __array_interface__(self) -> Dict[str, Any]: ...

_Operand = Union[Array, _HostArray, "ctypes.Array[Any]", ctypes.Structure, int, None]
_Flag = Union[str, int]

ROUTINES: List[str]

def __dir__() -> List[str]: ...
'''

NUMBERS = {"float": "float", "double": "float", "gable_cfloat": "complex",
           "gable_cdouble": "complex", "int64_t": "int"}
# Several numbers where n is more than 1.
SEVERAL = ("mdot", "mdotu", "mdotc", "mnrm2")


def is_routine(function):
    """Whether gable_linalg.blas has it."""
    return bool(function["door"]) and not (function["stem"] or "").startswith("sparse_")


def _type(argument):
    kind = argument["kind"]
    if kind == "enum":
        return "_Flag"
    if kind == "scalar":
        return NUMBERS[argument["base"]]
    if kind in ("array", "result", "addresses", "address"):
        return "_Operand"
    return "int"


def _define(name, arguments, returns):
    given = ["%s: %s" % (a["name"], _type(a)) for a in arguments]
    given += ["/"] if given else []
    given += ["*", "ctx: Optional[Context] = ..."]
    return "def %s(%s) -> %s: ..." % (name, ", ".join(given), returns)


def _number(function, argument):
    number = NUMBERS[argument["base"]]
    if argument["name"] == "result" and function["stem"] in SEVERAL:
        return "Union[%s, List[%s]]" % (number, number)
    return number


def _routine(function):
    """Lines for a routine: results that come last may be left out, and are returned then."""
    name, arguments = function["name"][len("gable_"):], function["arguments"][1:]
    first = len(arguments)
    while first > 0 and arguments[first - 1]["kind"] == "result":
        first -= 1
    if first == len(arguments):
        return [_define(name, arguments, "None")]
    numbers = [_number(function, a) for a in arguments[first:]]
    returned = numbers[0] if len(numbers) == 1 else "Tuple[%s]" % ", ".join(numbers)
    return ["@overload", _define(name, arguments[:first], returned),
            "@overload", _define(name, arguments, "None")]


def text(listed):
    lines = [HEAD]
    for function in sorted((f for f in listed["functions"] if is_routine(f)),
                           key=lambda f: f["name"]):
        lines += _routine(function)
    return "\n".join(lines) + "\n"
