# _dlpack.py: memory shared with other libraries, without copies.
# SPDX-License-Identifier: BSD-3-Clause
"""DLPack in both directions, and the CUDA array interface.

Tensors that leave are made by libgable; their deleter is C. Tensors that come are owned by libgable,
too: their deleter runs when the queue is done with them, in whatever thread, and needs no
interpreter of ours.
"""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Optional, Tuple

from ._array import (Array, Memory, TYPES, TYPESTRS, _DLPACK, _numpy, array, count_of, letter_of,
                     of_memory, strides_of)
from ._context import Context, context as current_context
from ._errors import BadArgumentError, NotSupportedError
from ._library import CALLS, CDLL


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32),
                ("device_id", ctypes.c_int32), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    _fields_ = [("tensor", _Tensor), ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


class _Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32),
                ("manager", ctypes.c_void_p), ("deleter", ctypes.c_void_p),
                ("flags", ctypes.c_uint64), ("tensor", _Tensor)]


# Capsules keep the address of their name: these live as long as the process.
_NAMES = (b"dltensor", b"dltensor_versioned")
_USED = (b"used_dltensor", b"used_dltensor_versioned")
_READ_ONLY, _COPIED = 1, 2

_python = ctypes.pythonapi
_capsule_new = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p,
                                 ctypes.c_void_p)(("PyCapsule_New", _python))
_capsule_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_IsValid", _python))
_capsule_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", _python))
_capsule_rename = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_SetName", _python))
# The destructor of capsules: C, called by the interpreter with its lock held.
_drop = ctypes.cast(CDLL.gable_dlpack_capsule_drop, ctypes.c_void_p)


def _order_streams(ctx: Context, first: Optional[int], then: Optional[int]) -> None:
    """Stream `then` waits for what is enqueued on `first`; None is the context's own stream."""
    before = ctx.stream
    if first is not None:
        ctx.stream = first
        ctx.stream = before
    elif then is not None:
        ctx.stream = then
        ctx.stream = before


def export(a: Array, stream: Any, max_version: Optional[Tuple[int, int]],
           dl_device: Optional[Tuple[int, int]], copy: Optional[bool]) -> Any:
    if dl_device is not None and tuple(dl_device) != a.__dlpack_device__():
        raise BufferError("the array is on %s; copy it first: a.numpy()" % a.context.device.name)
    if copy:
        a = a.copy("C" if a._contiguous("C") else "F")
    versioned = max_version is not None and max_version[0] >= 1
    if a.readonly and not versioned:
        raise BufferError("the array is read-only, which a DLPack tensor without a version cannot "
                          "say; ask for max_version=(1, 0)")
    if a._memory is None:
        raise BufferError("the memory belongs to %s; take it from there, or a copy of the array" %
                          type(a._owner).__name__)
    if a.context.is_cuda and stream != -1:
        if stream == 0:
            raise BufferError("stream 0 may mean two things in CUDA; pass 1, 2 or a stream")
        _order_streams(a.context, None, 1 if stream is None else int(stream))
    n = a.ndim
    numbers = ctypes.c_int64 * max(n, 1)
    tensor = ctypes.c_void_p()
    flags = (_READ_ONLY * a.readonly | _COPIED * bool(copy)) if versioned else 0
    a.context.call("gable_dlpack_export", a._memory.handle, a.address, a.letter.encode(), n,
                   numbers(*a.shape), numbers(*a.strides), flags, int(versioned),
                   ctypes.byref(tensor))
    if a.context._recording is not None:
        a.context.keep(a)
    return _capsule_new(tensor.value, _NAMES[versioned], _drop)


def cuda_array_interface(a: Array) -> Dict[str, Any]:
    if not a.context.is_cuda:
        raise AttributeError("__cuda_array_interface__: the array is on %s" % a.context.device.name)
    if a._memory is not None:
        CALLS["gable_memory_share"](a._memory.handle)
    return {"shape": a.shape, "typestr": TYPES[a.letter][2], "data": (a.address, a.readonly),
            "strides": tuple(step * a.itemsize for step in a.strides), "version": 3,
            "stream": a.context.stream or None}


def _context_on(kind: int, number: int, ctx: Optional[Context]) -> Context:
    ctx = ctx or current_context()
    mine = {"cpu": 1, "cuda": 2, "opencl": 4}[ctx.device.name.partition(":")[0]]
    mine_number = int(ctx.device.name.partition(":")[2] or 0)
    # Pinned and managed memory is for CUDA, too.
    fits = (mine == kind or mine == 1 and kind in (1, 3, 11) or mine == 2 and kind in (3, 13))
    if not fits or (kind in (2, 4) and number != mine_number):
        names = {1: "cpu", 2: "cuda", 3: "cuda_host", 4: "opencl"}
        raise BadArgumentError("the tensor is on %s:%d, the context on %s; use a context there: "
                               "with gl.Context(...)" %
                               (names.get(kind, "device kind %d" % kind), number, ctx.device.name))
    return ctx


def from_dlpack(x: Any, ctx: Optional[Context] = None) -> Array:
    """An array over memory of another library's, without a copy: PyTorch, CuPy, JAX, numpy. It must
    be on the context's device. Its owner may let go before the array does.

    >>> import gable_linalg as gl, numpy as np
    >>> with gl.Context("cpu"):
    ...     host = np.zeros(3)
    ...     a = gl.from_dlpack(host)
    ...     a += gl.array([1.0, 2.0, 3.0])
    >>> host
    array([1., 2., 3.])
    """
    if isinstance(x, Array):
        return x
    interface = getattr(x, "__array_interface__", None)
    if interface is not None:
        letter_of(x.dtype)  # says by name what is not supported
        if not x.flags.writeable:
            return _from_host(x, ctx)
    if not hasattr(x, "__dlpack__") or not hasattr(x, "__dlpack_device__"):
        raise TypeError("%s has no __dlpack__" % type(x).__name__)
    kind, number = x.__dlpack_device__()
    ctx = _context_on(int(kind), int(number), ctx)
    stream = (ctx.stream or None) if ctx.is_cuda and int(kind) == 2 else None
    try:
        capsule = x.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # older libraries do not know max_version
        capsule = x.__dlpack__(stream=stream)
    return _take(capsule, ctx)


def _adopt(capsule: Any, ctx: Context, letter_needed: bool) -> Tuple[Any, int, Memory, str]:
    """Makes libgable an owner of a tensor: its struct, whether it has a version, the memory, and the
    letter of its type ("" for others, where none is needed)."""
    versioned = next((i for i, name in enumerate(_NAMES) if _capsule_is_valid(capsule, name)), None)
    if versioned is None:
        raise BadArgumentError("the capsule is no DLPack tensor, or somebody took it already")
    pointer = _capsule_pointer(capsule, _NAMES[versioned])
    managed: Any = (_Versioned if versioned else _Managed).from_address(pointer)
    if versioned and managed.major != 1:
        raise NotSupportedError("the tensor has version %d of DLPack, not 1" % managed.major)
    tensor = managed.tensor
    letter = _DLPACK.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if letter is None and letter_needed:
        kinds = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
        raise NotSupportedError(
            "tensors of %s%d are not supported; Gable has float32, float64, complex64, complex128 "
            "and int64" % (kinds.get(tensor.code, "type %d of " % tensor.code), tensor.bits))
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else \
        strides_of(shape, "C")
    address = (tensor.data or 0) + tensor.byte_offset
    if letter is not None:
        _check_alignment(address, letter)
    low = sum((n - 1) * step for n, step in zip(shape, strides) if n and step < 0)
    high = sum((n - 1) * step for n, step in zip(shape, strides) if n and step > 0)
    size = tensor.bits * tensor.lanes // 8
    bytes_in_use = (high - low + 1) * size if count_of(shape) else 0
    handle = ctypes.c_void_p()
    ctx.call("gable_memory_adopt", address + low * size if bytes_in_use else None, bytes_in_use,
             managed.deleter, pointer, ctypes.byref(handle))
    _capsule_rename(capsule, _USED[versioned])
    return managed, versioned, Memory(handle.value or 0, address), letter or ""


def _take(capsule: Any, ctx: Context) -> Array:
    managed, versioned, memory, letter = _adopt(capsule, ctx, True)
    tensor = managed.tensor
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else \
        strides_of(shape, "C")
    return Array(ctx, letter, shape, strides, memory.address, memory, None,
                 bool(versioned and managed.flags & _READ_ONLY))


def memory_from(allocator: Any, ctx: Context, size: int) -> Memory:
    """Memory that another library's allocator gives: an array of bytes with __dlpack__."""
    given = allocator(size)
    kind, number = given.__dlpack_device__()
    _context_on(int(kind), int(number), ctx)
    stream = (ctx.stream or None) if ctx.is_cuda else None
    try:
        capsule = given.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:
        capsule = given.__dlpack__(stream=stream)
    managed, _, memory, _ = _adopt(capsule, ctx, False)
    tensor = managed.tensor
    held = tensor.bits * tensor.lanes // 8
    for i in range(tensor.ndim):
        held *= tensor.shape[i]
    if held < size or memory.address % 16:
        raise BadArgumentError("the allocator gave %d bytes at address %#x; %d were asked for, at a "
                               "multiple of 16" % (held, memory.address, size))
    return memory


def _check_alignment(address: int, letter: str) -> None:
    real = {"s": 4, "d": 8, "c": 4, "z": 8, "i": 8}[letter]
    if address % real:
        raise NotSupportedError("the array starts at an address that is no multiple of %d bytes; "
                                "copy it" % real)


class _Owner:
    """Keeps a Python object until the queue is done with its memory."""

    __slots__ = ("owner", "ctx")

    def __init__(self, owner: Any, ctx: Context) -> None:
        self.owner = owner
        self.ctx = ctx

    def __del__(self) -> None:
        ctx = self.ctx
        if not ctx.is_host and not ctx.closed:
            ctx.keep_until_sync(self.owner)


def _from_host(x: Any, ctx: Optional[Context]) -> Array:
    """A numpy array in place, on cpu."""
    ctx = _context_on(1, 0, ctx)
    x = _numpy().asarray(x)  # numbers of numpy have an address for a moment only
    letter = letter_of(x.dtype)
    if any(step % x.itemsize for step in x.strides):
        raise NotSupportedError("the array's strides are no multiples of its elements; copy it")
    address = x.__array_interface__["data"][0]
    _check_alignment(address, letter)
    return of_memory(ctx, letter, x.shape, tuple(step // x.itemsize for step in x.strides), address,
                     x, not x.flags.writeable)


def from_cuda_array(x: Any, ctx: Optional[Context] = None) -> Array:
    """An array over GPU memory that has a __cuda_array_interface__ (CuPy, Numba, PyTorch), without
    a copy. The queue waits for the stream that the interface names."""
    interface = x.__cuda_array_interface__
    ctx = ctx or current_context()
    if not ctx.is_cuda:
        raise BadArgumentError("the memory is on a CUDA GPU, the context on %s" % ctx.device.name)
    letter = TYPESTRS.get(interface["typestr"])
    if letter is None:
        raise NotSupportedError("arrays of %s are not supported; Gable has float32, float64, "
                                "complex64, complex128 and int64" % interface["typestr"])
    if interface.get("mask") is not None:
        raise NotSupportedError("arrays with a mask are not supported")
    shape, size = tuple(interface["shape"]), TYPES[letter][1]
    steps = interface.get("strides")
    if steps is not None and any(step % size for step in steps):
        raise NotSupportedError("the array's strides are no multiples of its elements; copy it")
    strides = strides_of(shape, "C") if steps is None else tuple(step // size for step in steps)
    address, readonly = interface["data"]
    _check_alignment(address, letter)
    stream = interface.get("stream")
    if stream is not None:
        _order_streams(ctx, int(stream), None)
    return of_memory(ctx, letter, shape, strides, address, _Owner(x, ctx), bool(readonly))


def asarray(x: Any, ctx: Optional[Context] = None) -> Array:
    """x itself or its memory where the context can use it in place, else a copy.

    >>> import gable_linalg as gl
    >>> a = gl.array([1.0])
    >>> gl.asarray(a) is a
    True
    """
    if isinstance(x, Array):
        return x
    ctx = ctx or current_context()
    if ctx.is_cuda and hasattr(x, "__cuda_array_interface__"):
        return from_cuda_array(x, ctx)
    if hasattr(x, "__dlpack_device__"):
        kind, number = x.__dlpack_device__()
        try:
            _context_on(int(kind), int(number), ctx)
        except BadArgumentError:
            return array(x, ctx=ctx)
        return from_dlpack(x, ctx)
    return array(x, ctx=ctx)
