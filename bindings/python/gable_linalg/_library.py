# _library.py: libgable, found and loaded; its functions as ctypes knows them.
# SPDX-License-Identifier: BSD-3-Clause
"""libgable.so.0: found in $GABLE_LIBRARY, inside the package (a wheel), in the build folder of the
checkout that the package lies in, in the prefix that it is installed in, or by the system's loader,
in this order.

Functions get their argument types from the interface list when they are first used. ctypes releases
the interpreter's lock around each call.
"""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Dict, List, Optional

from . import _interface
from ._errors import GableError

INTERFACE = _interface.load()


class CFloat(ctypes.Structure):
    """gable_cfloat."""

    _fields_ = [("re", ctypes.c_float), ("im", ctypes.c_float)]


class CDouble(ctypes.Structure):
    """gable_cdouble."""

    _fields_ = [("re", ctypes.c_double), ("im", ctypes.c_double)]


_BASES: Dict[str, Any] = {
    "float": ctypes.c_float, "double": ctypes.c_double, "gable_cfloat": CFloat,
    "gable_cdouble": CDouble, "int64_t": ctypes.c_int64, "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t, "int": ctypes.c_int, "unsigned": ctypes.c_uint,
    "unsigned char": ctypes.c_ubyte, "char": ctypes.c_char,
}
_ENUMS = {enum["name"] for enum in INTERFACE["enums"]}
CONSTANTS: Dict[str, int] = {
    **{entry["name"]: entry["value"] for entry in INTERFACE["constants"]},
    **{entry["name"]: entry["value"] for enum in INTERFACE["enums"] for entry in enum["constants"]},
}
LISTED: Dict[str, Dict[str, Any]] = {entry["name"]: entry for entry in INTERFACE["functions"]}


def _base_type(base: str) -> Any:
    return ctypes.c_int if base in _ENUMS else _BASES[base]


def _struct(entry: Dict[str, Any]) -> Any:
    fields = []
    for field in entry["fields"]:
        kind = _base_type(field["base"])
        fields.append((field["name"], kind * field["count"] if field["count"] else kind))
    return type(entry["name"], (ctypes.Structure,), {"_fields_": fields})


STRUCTS: Dict[str, Any] = {
    entry["name"]: _struct(entry) for entry in INTERFACE["structs"]
    if not entry["opaque"] and entry["name"] not in ("gable_cfloat", "gable_cdouble")
}

# Functions of the caller's. What they return is checked by hand: an exception must not cross C.
MONITOR = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int64, ctypes.c_double)
APPLY = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p,
                         ctypes.c_void_p)


def candidates() -> List[str]:
    """Where the library is looked for."""
    wanted = os.environ.get("GABLE_LIBRARY")
    if wanted:
        return [wanted]
    out = [os.path.join(_interface.HERE, "_lib", "libgable.so.0")]
    root = _interface.checkout()
    if root:
        out.append(os.path.join(root, "build", "libgable.so.0"))
    else:
        # PREFIX/lib of a package in PREFIX/lib/python3.x/site-packages
        lib = os.path.dirname(os.path.dirname(os.path.dirname(_interface.HERE)))
        out.append(os.path.join(lib, "libgable.so.0"))
    return [path for path in out if os.path.exists(path)] + ["libgable.so.0"]


def _load_openmp() -> None:
    """libgable needs libgomp.so.1. The machine's is taken, or the one that is loaded already; the
    copy of a wheel only where there is none. Two in one process would have two teams of threads."""
    try:
        ctypes.CDLL("libgomp.so.1")
    except OSError:
        carried = os.path.join(_interface.HERE, "_lib", "libgomp.so.1")
        if os.path.exists(carried):
            ctypes.CDLL(carried)


def _load() -> ctypes.CDLL:
    errors = []
    _load_openmp()
    for path in candidates():
        try:
            return ctypes.CDLL(path)
        except OSError as error:
            errors.append("%s: %s" % (path, error))
    raise ImportError("libgable cannot be loaded; build it (make) or install it, or name its file "
                      "in GABLE_LIBRARY. Tried: " + "; ".join(errors))


CDLL = _load()


def _argument_type(argument: Dict[str, Any]) -> Any:
    if argument["pointers"] == 0:
        if argument["kind"] == "callback":
            return ctypes.c_void_p
        return _base_type(argument["base"])
    if argument["kind"] == "string":
        return ctypes.c_char_p
    return ctypes.c_void_p


def function(name: str) -> Callable[..., Any]:
    """The function of the library of that name, as the interface list declares it."""
    entry = LISTED[name]
    try:
        found = getattr(CDLL, name)
    except AttributeError:
        raise GableError("%s has no function %s: it is older than the package" %
                         (CDLL._name, name)) from None
    returns = {"gable_status": ctypes.c_int, "int": ctypes.c_int, "void": None,
               "const char *": ctypes.c_char_p, "void *": ctypes.c_void_p}
    found.restype = returns[entry["returns"]]
    found.argtypes = [_argument_type(argument) for argument in entry["arguments"]]
    return found  # type: ignore[no-any-return]


class _Functions(Dict[str, Callable[..., Any]]):
    """Functions by name, declared when they are first asked for."""

    def __missing__(self, name: str) -> Callable[..., Any]:
        found = function(name)
        self[name] = found
        return found


CALLS = _Functions()


def version() -> str:
    """The version of libgable.

    >>> import gable_linalg as gl
    >>> gl.version().count(".")
    2
    """
    text: bytes = CALLS["gable_version"]()
    return text.decode()


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


# Capsules of tensors that nobody took are deleted by C (gable/dlpack.h).
CALLS["gable_dlpack_capsule_calls"](
    ctypes.cast(ctypes.pythonapi.PyCapsule_IsValid, ctypes.c_void_p),
    ctypes.cast(ctypes.pythonapi.PyCapsule_GetPointer, ctypes.c_void_p))
