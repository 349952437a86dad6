# _array.py: arrays in device memory.
# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in the memory of a context's device: shape, strides, views without copies, operators.

Memory has a count of its owners in libgable (gable/dlpack.h): arrays, views and DLPack tensors may
be dropped in any order and thread, also after their context closed. It is used again or given back
when the queue is done with it.
"""
from __future__ import annotations

import ctypes
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._context import Context, context as current_context
from ._errors import (BadArgumentError, ContextBusyError, GableError, LayoutError,
                      NotRecordableError, NotSupportedError, OutOfMemoryError)
from ._library import CALLS, CDouble, CFloat
from ._overlap import overlaps_itself, share_memory

# letter: (name as numpy has it, bytes, ctypes, CAI's typestr)
TYPES: Dict[str, Tuple[str, int, str]] = {
    "s": ("float32", 4, "<f4"), "d": ("float64", 8, "<f8"), "c": ("complex64", 8, "<c8"),
    "z": ("complex128", 16, "<c16"), "i": ("int64", 8, "<i8"),
}
LETTERS = {name: letter for letter, (name, _, _) in TYPES.items()}
TYPESTRS = {typestr: letter for letter, (_, _, typestr) in TYPES.items()}
_DLPACK = {(2, 32): "s", (2, 64): "d", (5, 64): "c", (5, 128): "z", (0, 64): "i"}

Index = Union[int, slice, Any]
Shape = Tuple[int, ...]


def letter_of(dtype: Any) -> str:
    """'s', 'd', 'c', 'z' or 'i' of a dtype: a name, a letter, Python's float or complex, numpy's."""
    if isinstance(dtype, str) and dtype in TYPES:
        return dtype
    for kind, letter in ((float, "d"), (complex, "z"), (int, "i")):
        if dtype is kind:
            return letter
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(
        dtype, "__name__", str(dtype))
    byteorder = getattr(dtype, "byteorder", "=")
    if name not in LETTERS:
        raise NotSupportedError("arrays of %s are not supported; Gable has float32, float64, "
                                "complex64, complex128 and int64" % name)
    if byteorder not in ("=", "|") and getattr(dtype, "isnative", True) is False:
        raise NotSupportedError("%s in foreign byte order is not supported; swap it first: "
                                "a.astype(a.dtype.newbyteorder('='))" % name)
    return LETTERS[name]


def is_complex(x: Any) -> bool:
    """Whether the dtype of an array, a matrix or a number of numpy is complex."""
    return str(getattr(x, "dtype", "")).startswith("complex")


def scalar_of(letter: str, value: Any) -> Any:
    """A number by value, as a routine of that precision takes it."""
    if letter in "sd":
        if isinstance(value, complex) or is_complex(value):
            raise BadArgumentError("the factor %r is complex, the array is %s" %
                                   (value, TYPES[letter][0]))
        return float(value)
    number = complex(value)
    return (CFloat if letter == "c" else CDouble)(number.real, number.imag)


class Memory:
    """One owner's share of memory."""

    __slots__ = ("handle", "address", "__weakref__")

    def __init__(self, handle: int, address: int) -> None:
        self.handle = handle
        self.address = address

    def __del__(self, release: Any = CALLS["gable_memory_release"]) -> None:
        handle = getattr(self, "handle", None)
        if handle:
            self.handle = 0
            release(handle)


_address_of = CALLS["gable_memory_address"]


def create_memory(ctx: Context, size: int) -> Memory:
    if size >= 2 ** 63:
        raise OutOfMemoryError("no device has %d bytes" % size)
    if ctx.allocator is not None and size:
        from . import _dlpack
        if ctx._recording is not None:
            raise NotRecordableError("an allocation cannot be part of a recording")
        return _dlpack.memory_from(ctx.allocator, ctx, size)
    lock = ctx._lock
    if not lock.acquire(False):
        raise ContextBusyError("gable_memory_create: another thread is in a call of this context; "
                               "give each thread a context of its own")
    try:
        ctx.call("gable_memory_create", size, ctx._out_address)
        value = ctx._out.value or 0
    finally:
        lock.release()
    return Memory(value, _address_of(value) or 0)


def strides_of(shape: Sequence[int], order: str) -> Shape:
    """Strides, in elements, of an array without gaps: order "F" or "C"."""
    strides, step = [], 1
    for extent in (shape if order == "F" else reversed(shape)):
        strides.append(step)
        step *= max(extent, 1)
    return tuple(strides if order == "F" else reversed(strides))


def count_of(shape: Sequence[int]) -> int:
    count = 1
    for extent in shape:
        count *= extent
    return count


class MatrixView(NamedTuple):
    """How a routine sees a matrix: stored by columns (trans "N"), or by rows and so transposed."""

    address: int
    ld: int
    by_rows: bool


def matrix_view(shape: Sequence[int], strides: Sequence[int], address: int, what: str,
                prefer_rows: bool = False) -> MatrixView:
    """The view of the last two dimensions; LayoutError where elements are apart both ways."""
    (m, n), (down, along) = shape[-2:], strides[-2:]
    columns = (down == 1 or m <= 1) and (along >= max(1, m) or n <= 1)
    rows = (along == 1 or n <= 1) and (down >= max(1, n) or m <= 1)
    if m == 0 or n == 0:
        return MatrixView(address, max(1, n if prefer_rows else m), prefer_rows)
    if columns and not (rows and prefer_rows):
        return MatrixView(address, max(1, m, along if n > 1 else 1), False)
    if rows:
        return MatrixView(address, max(1, n, down if m > 1 else 1), True)
    raise LayoutError("%s has strides %s for the shape %s: neither its columns nor its rows are in "
                      "one piece, so it would have to be copied; pass %s.copy()"
                      % (what, tuple(strides), tuple(shape), what))


def need_distinct(shape: Sequence[int], strides: Sequence[int], what: str) -> None:
    """Of an array that takes a result: no two elements lie at one address."""
    if overlaps_itself(shape, strides):
        raise BadArgumentError("%s has strides %s for the shape %s: some of its elements lie at "
                               "one address, and it cannot take a result" %
                               (what, tuple(strides), tuple(shape)))


def memory_of(x: Any) -> Tuple[int, int, Shape, Shape]:
    """Where an operand lies, as share_memory takes it."""
    return x.address, TYPES[x.letter][1], x.shape, x.strides


def same_view(a: Any, b: Any) -> bool:
    """Whether each element of a is that element of b."""
    return a.address == b.address and a.letter == b.letter and a.shape == b.shape and all(
        s == t or n == 1 for n, s, t in zip(a.shape, a.strides, b.strides))


class VectorView(NamedTuple):
    address: int
    inc: int


class Array:
    """An array in device memory; array(), zeros(), empty() and from_dlpack() make them.

    Attributes: shape, ndim, size, strides (in elements), dtype (a name such as "float64"), context,
    T. Indices and slices give views of the same memory.

    >>> import gable_linalg as gl
    >>> A = gl.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> A.shape, A.T.shape, A[1], A[:, ::-1]
    ((2, 3), (3, 2), gl.array([4., 5., 6.]), gl.array([[3., 2., 1.],
              [6., 5., 4.]]))
    """

    __slots__ = ("context", "letter", "shape", "strides", "address", "readonly", "_memory", "_owner",
                 "__weakref__")
    __array_priority__ = 100
    __array_ufunc__ = None  # numpy asks this class for its operators

    def __init__(self, ctx: Context, letter: str, shape: Shape, strides: Shape, address: int,
                 memory: Optional[Memory], owner: Any = None, readonly: bool = False) -> None:
        self.context = ctx
        self.letter = letter
        self.shape = shape
        self.strides = strides
        self.address = address
        self.readonly = readonly
        self._memory = memory
        self._owner = owner

    # ---- What it is ----

    @property
    def dtype(self) -> str:
        return TYPES[self.letter][0]

    @property
    def itemsize(self) -> int:
        return TYPES[self.letter][1]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return count_of(self.shape)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator["Array"]:
        for i in range(len(self)):
            yield self[i]

    def _view(self, shape: Shape, strides: Shape, offset: int) -> "Array":
        address = self.address + offset * self.itemsize if count_of(shape) else self.address
        return Array(self.context, self.letter, shape, strides, address, self._memory, self._owner,
                     self.readonly)

    @property
    def T(self) -> "Array":
        """The transpose, as a view.

        >>> import gable_linalg as gl
        >>> gl.array([[1.0, 2.0]]).T
        gl.array([[1.],
                  [2.]])
        """
        return self._view(self.shape[::-1], self.strides[::-1], 0)

    @property
    def mT(self) -> "Array":
        """The last two dimensions exchanged, as a view."""
        if self.ndim < 2:
            raise BadArgumentError("mT needs two dimensions; the shape is %s" % (self.shape,))
        return self._view(self.shape[:-2] + self.shape[:-3:-1], self.strides[:-2] +
                          self.strides[:-3:-1], 0)

    def __getitem__(self, key: Index) -> "Array":
        keys: List[Any] = list(key) if isinstance(key, tuple) else [key]
        if any(k is Ellipsis for k in keys):
            at = next(i for i, k in enumerate(keys) if k is Ellipsis)
            missing = self.ndim - (len(keys) - sum(1 for k in keys if k is None) - 1)
            keys[at:at + 1] = [slice(None)] * missing
        shape: List[int] = []
        strides: List[int] = []
        offset, axis = 0, 0
        for k in keys:
            if k is None:
                shape.append(1)
                strides.append(1)
                continue
            if axis >= self.ndim:
                raise IndexError("%d indices for %d dimensions" % (len(keys), self.ndim))
            extent, stride = self.shape[axis], self.strides[axis]
            axis += 1
            if isinstance(k, slice):
                start, stop, step = k.indices(extent)
                length = len(range(start, stop, step))
                shape.append(length)
                strides.append(stride * step)
                offset += start * stride if length else 0
                continue
            try:
                i = k.__index__()
            except AttributeError:
                raise IndexError("an index is %r; it must be a number or a slice" % (k,)) from None
            if not -extent <= i < extent:
                raise IndexError("index %d is outside of %d elements" % (i, extent))
            offset += (i % extent) * stride
        shape += self.shape[axis:]
        strides += self.strides[axis:]
        return self._view(tuple(shape), tuple(strides), offset)

    def __setitem__(self, key: Index, value: Any) -> None:
        self[key].assign(value)

    def reshape(self, *shape: Any) -> "Array":
        """Another shape over the same memory, for arrays without gaps: in their own order.

        >>> import gable_linalg as gl
        >>> gl.zeros(6).reshape(2, 3).shape
        (2, 3)
        """
        wanted: Shape = tuple(shape[0]) if len(shape) == 1 and not isinstance(
            shape[0], int) else shape
        if -1 in wanted:
            rest = count_of([extent for extent in wanted if extent != -1])
            wanted = tuple(self.size // max(rest, 1) if extent == -1 else extent
                           for extent in wanted)
        if count_of(wanted) != self.size:
            raise BadArgumentError("an array of shape %s cannot get shape %s" %
                                   (self.shape, wanted))
        # By rows unless the array is stored by columns: as numpy's order "A".
        order = "C" if self._contiguous("C") else "F" if self._contiguous("F") else ""
        if not order:
            raise LayoutError("an array with gaps cannot be reshaped without a copy: a.copy()")
        return self._view(wanted, strides_of(wanted, order), 0)

    def _contiguous(self, order: str) -> bool:
        wanted = strides_of(self.shape, order)
        return self.size == 0 or all(
            extent == 1 or stride == want
            for extent, stride, want in zip(self.shape, self.strides, wanted))

    # ---- As routines see it ----

    def vector(self, what: str = "x") -> VectorView:
        """Address and stride of a one-dimensional array, as BLAS has them."""
        if self.ndim != 1:
            raise BadArgumentError("%s must have one dimension; its shape is %s" %
                                   (what, self.shape))
        inc = self.strides[0] if self.shape[0] > 1 else 1
        # BLAS starts vectors with a negative stride at their far end.
        address = self.address if inc >= 0 else (self.address +
                                                 (self.shape[0] - 1) * inc * self.itemsize)
        return VectorView(address, inc)

    def matrix(self, what: str = "A", prefer_rows: bool = False) -> MatrixView:
        """Address, leading dimension and order of the last two dimensions."""
        if self.ndim < 2:
            raise BadArgumentError("%s must have two dimensions; its shape is %s" %
                                   (what, self.shape))
        return matrix_view(self.shape, self.strides, self.address, what, prefer_rows)

    def need_writable(self, what: str) -> None:
        if self.readonly:
            raise BadArgumentError("%s is read-only and cannot take a result" % what)
        need_distinct(self.shape, self.strides, what)

    def need_floats(self, what: str) -> None:
        if self.letter == "i":
            raise NotSupportedError("%s is an array of int64; Gable computes with float32, "
                                    "float64, complex64 and complex128" % what)

    # ---- Values in, values out ----

    def fill(self, value: Any) -> "Array":
        """Sets all elements to a number.

        >>> import gable_linalg as gl
        >>> gl.empty(3).fill(7)
        gl.array([7., 7., 7.])
        """
        self.need_writable("the array")
        self.context.keep(self)
        if self.letter == "i":
            whole = int(value)
            if whole == 0 and (self._contiguous("F") or self._contiguous("C")):
                self.context.call("gable_fill_bytes", self.address, 0, self.size * 8)
                return self
            host = (ctypes.c_int64 * max(self.size, 1))(*([whole] * self.size))
            self._set(ctypes.addressof(host), strides_of(self.shape, "F"))
            return self
        for x, inc, n in _lines(self):
            self.context.call("gable_%sfill" % self.letter, n, scalar_of(self.letter, value), x, inc)
        return self

    def assign(self, value: Any) -> "Array":
        """Copies a number, an array of the same shape or something that array() takes. A square
        matrix may get its own transpose; other values must not share memory with the array.

        >>> import gable_linalg as gl
        >>> A = gl.zeros((2, 2))
        >>> A[0].assign([1.0, 2.0])
        gl.array([1., 2.])
        >>> A[:, 1] = 5
        >>> A
        gl.array([[1., 5.],
                  [0., 5.]])
        """
        if isinstance(value, (int, float, complex)) or (
                not isinstance(value, Array) and getattr(value, "shape", None) == ()):
            return self.fill(value if isinstance(value, (int, float, complex)) else value.item())
        self.need_writable("the array")
        if not isinstance(value, Array):
            numpy = _numpy()
            host = numpy.asarray(value)
            if is_complex(host) and self.letter not in "cz":
                raise BadArgumentError("the values are %s, the array is %s; take their real part" %
                                       (host.dtype, self.dtype))
            host = numpy.asarray(host, dtype=self.dtype)
            if host.shape != self.shape:
                raise BadArgumentError("values of shape %s for an array of shape %s" %
                                       (host.shape, self.shape))
            self._from_numpy(host)
            return self
        if value.shape != self.shape or value.letter != self.letter:
            raise BadArgumentError("an array of shape %s and type %s cannot be copied into one of "
                                   "shape %s and type %s" % (value.shape, value.dtype, self.shape,
                                                             self.dtype))
        if same_view(self, value):
            return self
        if share_memory(memory_of(self), memory_of(value)) and not _transposes_itself(self, value):
            raise BadArgumentError("the values share memory with the array that takes them; pass a "
                                   "copy of them: value.copy()")
        with together(self.context, value):
            self.context.keep(self, value)
            _copy(self, value)
        return self

    def copy(self, order: str = "F") -> "Array":
        """A copy without gaps, by columns ("F") or by rows ("C").

        >>> import gable_linalg as gl
        >>> gl.array([[1.0, 2.0], [3.0, 4.0]])[:, ::-1].copy().strides
        (1, 2)
        """
        out = empty(self.shape, self.letter, order, self.context)
        out.assign(self)
        return out

    def astype(self, dtype: Any) -> "Array":
        """A copy of another type, by way of the host."""
        return array(self.numpy().astype(TYPES[letter_of(dtype)][0]), ctx=self.context)

    def _set(self, host: int, host_strides: Shape) -> None:
        self.need_writable("the array")
        _transfer(self, host, host_strides, True)

    def _from_numpy(self, host: Any) -> None:
        numpy = _numpy()
        size = self.itemsize
        steps = tuple(step // size for step in host.strides)
        if any(step % size for step in host.strides) or not host.flags.aligned or not _plain(
                self, host.shape, steps) or self.context.is_host and share_memory(
                    memory_of(self), (host.ctypes.data, size, host.shape, steps)):
            host = numpy.array(host, order="F" if self._contiguous("F") else "C")
            steps = tuple(step // size for step in host.strides)
        self._set(host.ctypes.data, steps)

    def numpy(self, out: Any = None) -> Any:
        """A copy as a numpy array, in the same order; waits until it is there.

        >>> import gable_linalg as gl
        >>> gl.array([[1.0, 2.0]]).numpy().tolist()
        [[1.0, 2.0]]
        """
        numpy = _numpy()
        if out is not None:
            out[...] = self.numpy()
            return out
        order = "C" if self._contiguous("C") or not self._contiguous("F") else "F"
        host = numpy.empty(self.shape, self.dtype, order=order)
        steps = tuple(step // self.itemsize for step in host.strides)
        source = self
        if not _plain(self, self.shape, steps):
            source = self.copy("F" if order == "F" else "C")
        _transfer(source, host.ctypes.data, steps, False)
        return host

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        if copy is False:
            raise ValueError("an array of Gable becomes one of numpy by a copy; without one: "
                             "numpy.from_dlpack(a), on cpu")
        host = self.numpy()
        return host if dtype is None else host.astype(dtype)

    def item(self) -> Any:
        """The number in an array of one element; waits.

        >>> import gable_linalg as gl
        >>> gl.array([[2.5]]).item()
        2.5
        """
        if self.size != 1:
            raise BadArgumentError("item() needs one element; the shape is %s" % (self.shape,))
        kind = {"s": ctypes.c_float, "d": ctypes.c_double, "c": CFloat, "z": CDouble,
                "i": ctypes.c_int64}[self.letter]
        host = kind()
        self.context.call("gable_get_vector", 1, self.itemsize, self.address, 1,
                          ctypes.byref(host), 1)
        return complex(host.re, host.im) if self.letter in "cz" else host.value

    def __float__(self) -> float:
        return float(self.item())

    def __complex__(self) -> complex:
        return complex(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def tolist(self) -> Any:
        """Nested lists of Python's numbers; needs no numpy.

        >>> import gable_linalg as gl
        >>> gl.array([[1.0, 2.0], [3.0, 4.0]]).tolist()
        [[1.0, 2.0], [3.0, 4.0]]
        """
        source = self if self._contiguous("C") else self.copy("C")
        kind: Any = {"s": ctypes.c_float, "d": ctypes.c_double, "c": CFloat, "z": CDouble,
                     "i": ctypes.c_int64}[self.letter]
        host = (kind * max(self.size, 1))()
        _transfer(source, ctypes.addressof(host), strides_of(self.shape, "C"), False)
        values = [complex(v.re, v.im) for v in host] if self.letter in "cz" else list(host)

        def nested(at: int, shape: Shape) -> Any:
            if not shape:
                return values[at]
            step = count_of(shape[1:])
            return [nested(at + i * step, shape[1:]) for i in range(shape[0])]

        return nested(0, self.shape)

    def __repr__(self) -> str:
        if self.context.closed:
            return "<gl.array of shape %s, %s; its context is closed>" % (self.shape, self.dtype)
        plain = ", dtype=%s" % self.dtype if self.letter != "d" else ""
        if self.size > 1000:
            return "<gl.array of shape %s, %s on %s>" % (self.shape, self.dtype,
                                                         self.context.device.name)
        try:
            numpy = _numpy()
        except ImportError:
            return "gl.array(%r%s)" % (self.tolist(), plain)
        return "gl.array(%s%s)" % (numpy.array2string(self.numpy(), separator=", ",
                                                      prefix="gl.array("), plain)

    # ---- Operators ----

    def __add__(self, other: Any) -> Any:
        from . import _functions
        if type(other) is Array:
            quick = _functions.quick_sum(self, other, 1)
            if quick is not None:
                return quick
        return _functions.add(self, other) if isinstance(other, Array) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        from . import _functions
        if type(other) is Array:
            quick = _functions.quick_sum(self, other, -1)
            if quick is not None:
                return quick
        return _functions.add(self, other, 1, -1) if isinstance(other, Array) else NotImplemented

    def __mul__(self, other: Any) -> Any:
        from . import _functions
        return _functions.multiply(self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        from . import _functions
        if isinstance(other, Array):
            return NotImplemented
        return _functions.multiply(self, 1 / other)

    def __neg__(self) -> "Array":
        from . import _functions
        negative: Array = _functions.multiply(self, -1)
        return negative

    def __matmul__(self, other: Any) -> Any:
        from . import _functions
        if type(other) is Array:
            quick = _functions.quick_product(self, other)
            if quick is not None:
                return quick
        return _functions.matmul(self, other) if isinstance(other, Array) else NotImplemented

    def __iadd__(self, other: Any) -> Any:
        from . import _functions
        if type(other) is Array and _functions.quick_add_to(self, other, 1):
            return self
        return _functions.add_to(self, other, 1) if isinstance(other, Array) else NotImplemented

    def __isub__(self, other: Any) -> Any:
        from . import _functions
        if type(other) is Array and _functions.quick_add_to(self, other, -1):
            return self
        return _functions.add_to(self, other, -1) if isinstance(other, Array) else NotImplemented

    def __imul__(self, other: Any) -> Any:
        from . import _functions
        return _functions.scale(self, other)

    # ---- Other libraries ----

    def __dlpack_device__(self) -> Tuple[int, int]:
        kind = self.context.device.name.partition(":")
        return ({"cpu": 1, "cuda": 2, "opencl": 4}[kind[0]], int(kind[2] or 0))

    def __dlpack__(self, *, stream: Any = None, max_version: Optional[Tuple[int, int]] = None,
                   dl_device: Optional[Tuple[int, int]] = None, copy: Optional[bool] = None) -> Any:
        """A DLPack capsule over the same memory. On CUDA the consumer's stream waits for the work
        that is enqueued; -1 leaves that to the consumer.

        >>> import gable_linalg as gl, numpy as np
        >>> with gl.Context("cpu"):
        ...     A = gl.zeros((2, 2))
        ...     np.from_dlpack(A)[0, 0] if False else A.__dlpack_device__()
        (1, 0)
        """
        from . import _dlpack
        return _dlpack.export(self, stream, max_version, dl_device, copy)

    @property
    def __cuda_array_interface__(self) -> Dict[str, Any]:
        from . import _dlpack
        return _dlpack.cuda_array_interface(self)


# ---- Copies ----

def _lines(a: Array) -> Iterator[Tuple[int, int, int]]:
    """The array as vectors (address, stride, length): as few as its strides allow. The stride is
    positive: an order of elements is not kept."""
    if a.size == 0:
        return
    dims = sorted(((abs(s), n, s) for s, n in zip(a.strides, a.shape) if n > 1), reverse=True)
    start = a.address + sum((n - 1) * s for _, n, s in dims if s < 0) * a.itemsize
    merged: List[Tuple[int, int]] = []
    for step, n, _ in reversed(dims):
        if merged and merged[-1][0] * merged[-1][1] == step:
            merged[-1] = (merged[-1][0], merged[-1][1] * n)
        else:
            merged.append((step, n))
    merged = merged or [(1, 1)]
    merged.sort(key=lambda line: line[1])
    (inc, length), rest = merged[-1], merged[:-1]

    def walk(at: int, dims: List[Tuple[int, int]]) -> Iterator[int]:
        if not dims:
            yield at
            return
        for i in range(dims[0][1]):
            yield from walk(at + i * dims[0][0] * a.itemsize, dims[1:])

    for at in walk(start, rest):
        yield at, max(inc, 1), length


def _copy(target: Array, source: Array) -> None:
    """target := source, of one shape and type, on target's context."""
    if target.size == 0:
        return
    ctx, size = target.context, target.itemsize
    if target.letter == "i":
        if target._contiguous("C") and source._contiguous("C") or (target._contiguous("F") and
                                                                   source._contiguous("F")):
            ctx.call("gable_copy_bytes", target.address, source.address, size * target.size)
            return
        # Pairs of numbers of 8 bytes: copies as double keep every bit.
        target = Array(ctx, "d", target.shape, target.strides, target.address, None)
        source = Array(ctx, "d", source.shape, source.strides, source.address, None)
    dims = [(n, t, s) for n, t, s in zip(target.shape, target.strides, source.strides) if n > 1]
    dims.sort(key=lambda d: (abs(d[1]), abs(d[2])))
    flat: List[Tuple[int, int, int]] = []
    for n, t, s in dims:
        if flat and flat[-1][1] * flat[-1][0] == t and flat[-1][2] * flat[-1][0] == s:
            flat[-1] = (flat[-1][0] * n, flat[-1][1], flat[-1][2])
        else:
            flat.append((n, t, s))
    flat = flat or [(1, 1, 1)]

    def vector(n: int, to: int, t: int, of: int, s: int) -> None:
        to += (n - 1) * t * size if t < 0 else 0
        of += (n - 1) * s * size if s < 0 else 0
        ctx.call("gable_%scopy" % target.letter, n, of, s, to, t)

    def matrix(first: Tuple[int, int, int], second: Tuple[int, int, int], to: int, of: int) -> bool:
        """Two dimensions by one call of geam's family, where both are matrices in one piece."""
        for (m, t0, s0), (n, t1, s1) in ((first, second), (second, first)):
            if t0 == 1 and t1 >= m:
                if s0 == 1 and s1 >= m:
                    ctx.call("gable_%stranspose" % target.letter, 111, m, n, of, s1, to, t1)
                    return True
                if s1 == 1 and s0 >= n:
                    ctx.call("gable_%stranspose" % target.letter, 112, n, m, of, s0, to, t1)
                    return True
        return False

    def walk(dims: List[Tuple[int, int, int]], to: int, of: int) -> None:
        if len(dims) == 1:
            vector(dims[0][0], to, dims[0][1], of, dims[0][2])
            return
        if len(dims) == 2 and matrix(dims[0], dims[1], to, of):
            return
        outer = min(range(len(dims)), key=lambda i: dims[i][0]) if len(dims) > 2 else (
            0 if dims[0][0] < dims[1][0] else 1)
        n, t, s = dims[outer]
        rest = dims[:outer] + dims[outer + 1:]
        for i in range(n):
            walk(rest, to + i * t * size, of + i * s * size)

    walk(flat, target.address, source.address)


def _transposes_itself(target: Array, source: Array) -> bool:
    """Whether the source is the transpose of the target, a square matrix by rows or by columns:
    _copy does that in place."""
    return (target.ndim == 2 and target.shape[0] == target.shape[1] and
            target.address == source.address and target.strides == source.strides[::-1] and
            1 in target.strides and max(target.strides) >= target.shape[0])


def _plain(a: Array, shape: Shape, host_strides: Shape) -> bool:
    """Whether a transfer is one call: one run, one vector, or one matrix in the same order."""
    dims = [(n, d, h) for n, d, h in zip(shape, a.strides, host_strides) if n > 1]
    if len(dims) <= 1:
        return all(d > 0 and h > 0 for _, d, h in dims)
    dims.sort(key=lambda d: d[1])
    if dims[0][1] != 1 or dims[0][2] != 1:
        return False
    device, host, pitched = 1, 1, 0
    for i, (n, d, h) in enumerate(dims):
        if i and (d != device or h != host):
            if pitched or d < device or h < host:
                return False
            pitched = i
        device, host = d * n, h * n
    return True


def _transfer(a: Array, host: int, host_strides: Shape, to_device: bool) -> None:
    """Between a and host memory of the same shape; what _plain does not allow, line by line."""
    if a.size == 0:
        return
    dims = [(n, d, h) for n, d, h in zip(a.shape, a.strides, host_strides) if n > 1]
    if not _plain(a, a.shape, host_strides):
        if not dims or len(a.shape) < 2 or any(d < 0 or h < 0 for _, d, h in dims):
            staged = empty(a.shape, a.letter, "F", a.context)
            if to_device:
                _transfer(staged, host, host_strides, True)
                a.assign(staged)
                return
            raise LayoutError("the array cannot be read without a copy")
        at = max(range(a.ndim), key=lambda i: (a.shape[i] > 1, abs(a.strides[i])))
        for i in range(a.shape[at]):
            piece = a[(slice(None),) * at + (i,)]
            _transfer(piece, host + i * host_strides[at] * a.itemsize,
                      host_strides[:at] + host_strides[at + 1:], to_device)
        return
    dims.sort(key=lambda d: d[1])
    name = "gable_set_" if to_device else "gable_get_"
    if len(dims) <= 1:
        n, d, h = dims[0] if dims else (1, 1, 1)
        sides = (host, h, a.address, d) if to_device else (a.address, d, host, h)
        a.context.call(name + "vector", n, a.itemsize, *sides)
        return
    m, rest, ldd, ldh = dims[0][0], dims[1:], 0, 0
    while rest and rest[0][1] == m and rest[0][2] == m:
        m *= rest[0][0]
        rest = rest[1:]
    n = count_of([d[0] for d in rest])
    ldd, ldh = (rest[0][1], rest[0][2]) if rest else (m, m)
    sides = (host, ldh, a.address, ldd) if to_device else (a.address, ldd, host, ldh)
    a.context.call(name + "matrix", m, n, a.itemsize, *sides)


class together:
    """Calls of ctx inside may use arrays of other contexts of the device: both queues wait for each
    other. Arrays of another device are refused."""

    __slots__ = ("ctx", "others")

    def __init__(self, ctx: Context, *arrays: Any) -> None:
        self.ctx = ctx
        self.others: List[Array] = []
        for a in arrays:
            if a.context is not ctx:
                if a.context.device.name != ctx.device.name:
                    raise BadArgumentError("arrays are on %s and on %s; copy one of them: "
                                           "gl.array(a, ctx=...)" %
                                           (ctx.device.name, a.context.device.name))
                self.others.append(a)

    def __enter__(self) -> "together":
        for a in self.others:
            if a._memory is not None:
                CALLS["gable_memory_share"](a._memory.handle)
            self.ctx.wait(a.context)
        return self

    def __exit__(self, *error: Any) -> None:
        for a in self.others:
            a.context.wait(self.ctx)


# ---- Making arrays ----

def _numpy() -> Any:
    try:
        import numpy
    except ImportError:
        raise ImportError("this needs numpy, which is not installed (Debian: python3-numpy)") from None
    return numpy


def _shape(shape: Any) -> Shape:
    try:
        out: Shape = (shape.__index__(),)
    except AttributeError:
        out = tuple(extent.__index__() for extent in shape)
    if any(extent < 0 for extent in out):
        raise BadArgumentError("the shape %s has a negative number" % (out,))
    return out


def empty(shape: Any, dtype: Any = "float64", order: str = "F",
          ctx: Optional[Context] = None) -> Array:
    """An array whose elements are anything, by columns ("F") or rows ("C").

    >>> import gable_linalg as gl
    >>> gl.empty((2, 3), "float32").strides
    (1, 2)
    """
    ctx = ctx or current_context()
    letter, extents = letter_of(dtype), _shape(shape)
    if order not in ("F", "C"):
        raise BadArgumentError("order is %r; it must be 'F' or 'C'" % order)
    memory = create_memory(ctx, count_of(extents) * TYPES[letter][1])
    return Array(ctx, letter, extents, strides_of(extents, order), memory.address, memory)


def zeros(shape: Any, dtype: Any = "float64", order: str = "F",
          ctx: Optional[Context] = None) -> Array:
    """An array of zeros.

    >>> import gable_linalg as gl
    >>> gl.zeros(2)
    gl.array([0., 0.])
    """
    out = empty(shape, dtype, order, ctx)
    out.context.call("gable_fill_bytes", out.address, 0, out.size * out.itemsize)
    return out


def full(shape: Any, value: Any, dtype: Any = "float64", order: str = "F",
         ctx: Optional[Context] = None) -> Array:
    """An array of one number.

    >>> import gable_linalg as gl
    >>> gl.full(2, 3)
    gl.array([3., 3.])
    """
    return empty(shape, dtype, order, ctx).fill(value)


def eye(n: int, dtype: Any = "float64", ctx: Optional[Context] = None) -> Array:
    """The identity matrix.

    >>> import gable_linalg as gl
    >>> gl.eye(2)
    gl.array([[1., 0.],
              [0., 1.]])
    """
    out = empty((n, n), dtype, "F", ctx)
    out.need_floats("eye")
    out.context.call("gable_%slaset" % out.letter, 124, n, n, scalar_of(out.letter, 0),
                     scalar_of(out.letter, 1), out.address, max(n, 1))
    return out


def random(shape: Any, dtype: Any = "float64", seed: int = 0, low: float = 0.0, high: float = 1.0,
           order: str = "F", ctx: Optional[Context] = None) -> Array:
    """Uniform random numbers, the same bits on every device.

    >>> import gable_linalg as gl
    >>> a, b = gl.random(4, seed=1), gl.random(4, seed=1)
    >>> a.tolist() == b.tolist()
    True
    """
    out = empty(shape, dtype, order, ctx)
    out.need_floats("random")
    out.context.call("gable_%srandom" % out.letter, out.size, seed, 0, low, high, out.address, 1)
    return out


def array(values: Any, dtype: Any = None, order: Optional[str] = None,
          ctx: Optional[Context] = None) -> Array:
    """A new array from numbers, a numpy array, or an Array. An array keeps its order, by columns or
    by rows, unless order says otherwise. Its values are copied.

    >>> import gable_linalg as gl
    >>> gl.array([1, 2, 3.5])
    gl.array([1. , 2. , 3.5])
    >>> gl.array([[1, 2], [3, 4]], dtype="complex64").dtype
    'complex64'
    """
    if isinstance(values, Array):
        if ctx is None or ctx is values.context:
            if dtype is not None and letter_of(dtype) != values.letter:
                return values.astype(dtype)
            return values.copy(order or ("C" if values._contiguous("C") else "F"))
        values = values.numpy()
    if not hasattr(values, "__array_interface__") and not hasattr(values, "__array__"):
        return _from_lists(values, dtype, order, ctx)
    numpy = _numpy()
    host = numpy.asarray(values)
    if dtype is not None and host.dtype != numpy.dtype(TYPES[letter_of(dtype)][0]):
        host = host.astype(TYPES[letter_of(dtype)][0])
    letter = letter_of(host.dtype)
    if order is None:
        order = "F" if host.flags.f_contiguous and not host.flags.c_contiguous else "C"
    out = empty(host.shape, letter, order, ctx)
    out._from_numpy(host)
    return out


def _from_lists(values: Any, dtype: Any, order: Optional[str], ctx: Optional[Context]) -> Array:
    """Nested lists of Python's numbers, without numpy."""
    shape: List[int] = []
    level = values
    while isinstance(level, (list, tuple)):
        shape.append(len(level))
        level = level[0] if level else None
    flat: List[Any] = []

    def walk(level: Any, depth: int) -> None:
        if depth == len(shape):
            if isinstance(level, Array):
                level = level.item()
            if not isinstance(level, (int, float, complex)):
                raise BadArgumentError("%r is no number" % (level,))
            flat.append(level)
            return
        if not isinstance(level, (list, tuple)) or len(level) != shape[depth]:
            raise BadArgumentError("the lists have different lengths")
        for item in level:
            walk(item, depth + 1)

    walk(values, 0)
    if dtype is None:
        letter = "z" if any(isinstance(v, complex) for v in flat) else "d"
    else:
        letter = letter_of(dtype)
    kinds: Dict[str, Any] = {"s": ctypes.c_float, "d": ctypes.c_double, "c": ctypes.c_float,
                             "z": ctypes.c_double, "i": ctypes.c_int64}
    numbers = [part for v in flat for part in (complex(v).real, complex(v).imag)] if letter in "cz" \
        else [int(v) if letter == "i" else float(v) for v in flat]
    host = (kinds[letter] * max(len(numbers), 1))(*numbers)
    out = empty(shape, letter, order or "C", ctx)
    out._set(ctypes.addressof(host), strides_of(out.shape, "C"))
    return out


def of_memory(ctx: Context, letter: str, shape: Shape, strides: Shape, address: int, owner: Any,
              readonly: bool) -> Array:
    """An array over memory that `owner`, a Python object, keeps alive."""
    if count_of(shape) and not address:
        raise GableError("the memory of an array is at address 0")
    return Array(ctx, letter, shape, strides, address, None, owner, readonly)
