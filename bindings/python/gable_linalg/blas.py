# blas.py: every routine of the library by its own name and in its own order of arguments.
# SPDX-License-Identifier: BSD-3-Clause
"""Every routine with a precision, by its name in C without "gable_": blas.dgemm, blas.dgetrf,
blas.host_dgemm. Arguments are those of C without the context.

- Operands are arrays of gl.array (those of host_ names: of numpy), or addresses. A matrix is where
  the array starts, stored as the routine has it: by columns, with the leading dimension that is
  passed. Sizes are not compared with what an array holds: the library does so on OpenCL, and
  everywhere under GABLE_DEBUG=check.
- Flags are letters ("N", "T", "C"; "U", "L"; "N", "U"; "L", "R") or the numbers of CBLAS.
- result and info may be left out where they come last: then the call waits and returns the number.
- Numbers are Python's; of _dev names they are arrays.

>>> import gable_linalg as gl
>>> x, y = gl.array([1.0, 2.0]), gl.array([3.0, 4.0])
>>> gl.blas.ddot(2, x, 1, y, 1)
11.0
>>> gl.blas.daxpy(2, 10.0, x, 1, y, 1)
>>> y
gl.array([13., 24.])
"""
from __future__ import annotations

import ctypes
from typing import Any, Callable, Dict, List, Optional

from ._array import Array, TYPES, _numpy, need_distinct, scalar_of, together
from ._context import Context, context as current_context
from ._errors import BadArgumentError
from ._library import CDouble, CFloat, CONSTANTS, LISTED

_LETTER_OF_BASE = {"float": "s", "double": "d", "gable_cfloat": "c", "gable_cdouble": "z",
                   "int64_t": "i"}
_CTYPES: Dict[str, Any] = {"float": ctypes.c_float, "double": ctypes.c_double,
                           "gable_cfloat": CFloat, "gable_cdouble": CDouble,
                           "int64_t": ctypes.c_int64}
_FLAGS: Dict[str, Dict[str, str]] = {
    "gable_trans": {"N": "GABLE_NO_TRANS", "T": "GABLE_TRANS", "C": "GABLE_CONJ_TRANS"},
    "gable_uplo": {"U": "GABLE_UPPER", "L": "GABLE_LOWER", "G": "GABLE_GENERAL",
                   "A": "GABLE_GENERAL"},
    "gable_diag": {"N": "GABLE_NON_UNIT", "U": "GABLE_UNIT"},
    "gable_side": {"L": "GABLE_LEFT", "R": "GABLE_RIGHT"},
    "gable_norm": {"1": "GABLE_ONE_NORM", "O": "GABLE_ONE_NORM", "F": "GABLE_FROBENIUS_NORM",
                   "E": "GABLE_FROBENIUS_NORM", "I": "GABLE_INF_NORM", "M": "GABLE_MAX_NORM"},
    "gable_direct": {"F": "GABLE_FORWARD"},
    "gable_storev": {"C": "GABLE_COLUMNWISE", "R": "GABLE_ROWWISE"},
    "gable_vect": {"Q": "GABLE_VECT_Q", "P": "GABLE_VECT_P"},
    "gable_job": {"N": "GABLE_NO_VECTORS", "V": "GABLE_VECTORS", "A": "GABLE_ALL_VECTORS",
                  "S": "GABLE_SOME_VECTORS", "O": "GABLE_OVERWRITE",
                  "I": "GABLE_IDENTITY_VECTORS"},
    "gable_range": {"A": "GABLE_RANGE_ALL", "V": "GABLE_RANGE_VALUES",
                    "I": "GABLE_RANGE_INDICES"},
}
ROUTINES = sorted(name[len("gable_"):] for name, entry in LISTED.items()
                  if entry["door"] and not (entry["stem"] or "").startswith("sparse_"))


def _enum(base: str, value: Any) -> int:
    if isinstance(value, str):
        known = _FLAGS.get(base, {})
        if value[:1].upper() not in known:
            raise BadArgumentError("the flag %r is none of %s" % (value, ", ".join(known)))
        return CONSTANTS[known[value[:1].upper()]]
    return int(value)


class _Routine:
    """A routine of the library; calling it passes arguments as C has them."""

    def __init__(self, name: str) -> None:
        entry = LISTED["gable_" + name]
        self.__name__ = self.__qualname__ = name
        self.entry = entry
        self.arguments = entry["arguments"][1:]
        self.__doc__ = "%s(%s)\n\n%s" % (name, ", ".join(a["name"] for a in self.arguments),
                                         entry.get("contract") or "")

    def __repr__(self) -> str:
        return "<gable_%s>" % self.__name__

    def __call__(self, *given: Any, ctx: Optional[Context] = None) -> Any:
        wanted = self.arguments
        values = list(given)
        results: List[Any] = []
        missing = wanted[len(values):]
        if len(values) > len(wanted) or any(a["kind"] != "result" for a in missing):
            raise TypeError("%s takes %d arguments (%s), not %d" % (
                self.__name__, len(wanted), ", ".join(a["name"] for a in wanted), len(given)))
        arrays = [v for v in values if isinstance(v, Array)]
        for a in missing:
            count = 1
            if a["name"] == "result" and (self.entry["stem"] or "") in (
                    "mdot", "mdotu", "mdotc", "mnrm2"):
                count = int(values[1])
            results.append((_CTYPES[a["base"]] * max(count, 1))())
            values.append(ctypes.addressof(results[-1]))
        if ctx is None:
            ctx = arrays[0].context if arrays else current_context()
        passed = [self._value(a, v) for a, v in zip(wanted, values)]
        with together(ctx, *arrays):
            ctx.keep(*values)  # on cpu also arrays of numpy
            ctx.call("gable_" + self.__name__, *passed)
        out = [_python(block) for block in results]
        return None if not out else out[0] if len(out) == 1 else tuple(out)

    def _value(self, argument: Dict[str, Any], value: Any) -> Any:
        kind, base = argument["kind"], argument["base"]
        if kind == "enum":
            return _enum(base, value)
        if kind == "scalar":
            return scalar_of(_LETTER_OF_BASE[base], value)
        if kind in ("array", "result", "addresses", "address"):
            return self._address(argument, value)
        return value

    def _address(self, argument: Dict[str, Any], value: Any) -> Any:
        if value is None or isinstance(value, int):
            return value
        what = "%s of %s" % (argument["name"], self.__name__)
        if isinstance(value, (ctypes.Array, ctypes.Structure)):
            return ctypes.addressof(value)
        wanted = TYPES[_LETTER_OF_BASE.get(argument["base"], "i")][0]
        if argument["kind"] == "addresses":
            wanted = "int64"
        host = hasattr(value, "__array_interface__") and isinstance(value, _numpy().ndarray)
        if not isinstance(value, Array) and not host:
            raise TypeError("%s is a %s; it must be an array or an address" %
                            (what, type(value).__name__))
        if host and (argument["memory"] == "device" and not current_context().is_host):
            raise TypeError("%s is an array of numpy; it must be on the device: gl.array(...)" % what)
        found = str(value.dtype)
        if found != wanted:
            raise BadArgumentError("%s is %s; it must be %s" % (what, found, wanted))
        if argument["intent"] != "in":
            if isinstance(value, Array):
                value.need_writable(what)
            elif not value.flags.writeable:
                raise BadArgumentError("%s is read-only and cannot take a result" % what)
            else:
                need_distinct(value.shape, value.strides, what)
        return value.address if isinstance(value, Array) else \
            value.__array_interface__["data"][0]


def _python(block: Any) -> Any:
    numbers = [complex(v.re, v.im) if isinstance(v, (CFloat, CDouble)) else v for v in block]
    return numbers[0] if len(numbers) == 1 else numbers


_made: Dict[str, Callable[..., Any]] = {}


def __getattr__(name: str) -> Any:
    entry = LISTED.get("gable_" + name)
    if entry is None or name not in ROUTINES:
        raise AttributeError("Gable has no routine %s" % name)
    if name not in _made:
        _made[name] = _Routine(name)
    return _made[name]


def __dir__() -> List[str]:
    return ROUTINES
