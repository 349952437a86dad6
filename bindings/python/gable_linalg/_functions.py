# _functions.py: sums, products and triangular solves by numpy's names.
# SPDX-License-Identifier: BSD-3-Clause
"""Functions on arrays of a device and on numpy arrays.

Arrays stored by rows are the transposed problem; nothing is copied for that. A layout that would
have to be copied is a LayoutError. numpy arrays go through the standard door, which decides where
they are computed and returns when the result is there.
"""
from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from ._array import (Array, MatrixView, Shape, TYPES, _numpy, count_of, create_memory, empty,
                     letter_of, matrix_view, memory_of, need_distinct, same_view, scalar_of,
                     strides_of, together, _lines)
from ._context import Context, context as current_context
from ._errors import BadArgumentError, LayoutError, NotSupportedError
from ._overlap import share_memory

N, T, C = 111, 112, 113
UPPER, LOWER = 121, 122
NON_UNIT, UNIT = 131, 132
LEFT, RIGHT = 141, 142


class Host:
    """A numpy array as routines see it: what Array has, in host memory."""

    __slots__ = ("array", "letter", "shape", "strides", "address")

    def __init__(self, array: Any, what: str) -> None:
        self.letter = letter_of(array.dtype)
        size = array.itemsize
        if any(step % size for step in array.strides) or not array.flags.aligned:
            raise LayoutError("%s is not aligned to its elements and would have to be copied" % what)
        self.array = array
        self.shape: Shape = array.shape
        self.strides: Shape = tuple(step // size for step in array.strides)
        self.address: int = array.__array_interface__["data"][0]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def context(self) -> Context:
        return current_context()

    @property
    def T(self) -> "Host":
        return Host(self.array.T, "the transpose")

    def __getitem__(self, key: Any) -> "Host":
        return Host(self.array[key], "a part")

    def matrix(self, what: str = "A", prefer_rows: bool = False) -> MatrixView:
        if self.ndim < 2:
            raise BadArgumentError("%s must have two dimensions; its shape is %s" %
                                   (what, self.shape))
        return matrix_view(self.shape, self.strides, self.address, what, prefer_rows)

    def need_writable(self, what: str) -> None:
        if not self.array.flags.writeable:
            raise BadArgumentError("%s is read-only and cannot take a result" % what)
        need_distinct(self.shape, self.strides, what)

    def need_floats(self, what: str) -> None:
        if self.letter == "i":
            raise NotSupportedError("%s is an array of int64; Gable computes with float32, "
                                    "float64, complex64 and complex128" % what)


Operand = Union[Array, Host]


def operand(x: Any, what: str) -> Operand:
    """An argument: an Array, or a numpy array as a Host."""
    if isinstance(x, Array):
        return x
    if hasattr(x, "__array_interface__") and hasattr(x, "flags"):
        return Host(_numpy().asarray(x), what)  # a number of numpy has an address for a moment only
    raise TypeError("%s is a %s; it must be an array of gl.array or of numpy" %
                    (what, type(x).__name__))


def operands(**things: Any) -> Tuple[str, List[Any]]:
    """Arguments of one call: all on the device or all of numpy, of one type. Gives the beginning of
    the function's name and the operands; those that are None stay None."""
    found = {name: None if x is None else operand(x, name) for name, x in things.items()}
    given = {name: x for name, x in found.items() if x is not None}
    first_name, first = next(iter(given.items()))
    for name, x in given.items():
        x.need_floats(name)
        if isinstance(x, Host) != isinstance(first, Host):
            raise TypeError("%s is an array of numpy and %s one on the device; convert one of them: "
                            "gl.array(...) or a.numpy()" %
                            ((name, first_name) if isinstance(x, Host) else (first_name, name)))
        if x.letter != first.letter:
            raise BadArgumentError("%s is %s and %s is %s; all arrays of a call have one type" %
                                   (first_name, TYPES[first.letter][0], name, TYPES[x.letter][0]))
    prefix = "gable_host_" if isinstance(first, Host) else "gable_"
    return prefix + first.letter, list(found.values())


def flag(value: Any, names: str, numbers: Sequence[int], what: str) -> int:
    """111 of "N" and so on; numbers pass."""
    if isinstance(value, str) and value[:1].upper() in names and value:
        return numbers[names.index(value[:1].upper())]
    if value in numbers:
        return int(value)
    raise BadArgumentError("%s is %r; it must be one of %s" % (what, value, ", ".join(names)))


def fresh(like: Operand, shape: Shape, order: str = "F") -> Operand:
    """A new result beside an operand: on the device by columns, of numpy by rows."""
    if isinstance(like, Host):
        return Host(_numpy().empty(shape, TYPES[like.letter][0], order="C"), "out")
    return empty(shape, like.letter, order, like.context)


def fresh_stack(like: Operand, shape: Shape) -> Operand:
    """A new stack of matrices, each by columns."""
    if isinstance(like, Host):
        return fresh(like, shape)
    m, n = shape[-2:]
    outer = tuple(step * m * n for step in strides_of(shape[:-2], "C"))
    memory = create_memory(like.context, count_of(shape) * like.itemsize)
    return Array(like.context, like.letter, shape, outer + (1, max(m, 1)), memory.address, memory)


def given_back(x: Operand) -> Any:
    return x.array if isinstance(x, Host) else x


# ---- Sums ----

def _same_shape(a: Array, b: Array, what: str) -> None:
    if a.shape != b.shape:
        raise BadArgumentError("%s: the shapes are %s and %s; there is no broadcasting" %
                               (what, a.shape, b.shape))


def _flat(*arrays: Array) -> Optional[List[Array]]:
    """The arrays as vectors, where all of them have their elements in the same order without
    gaps."""
    for order in ("F", "C"):
        if all(a._contiguous(order) for a in arrays):
            return [a._view((a.size,), (1,), 0) for a in arrays]
    return None


def _sum_into(out: Array, a: Array, b: Array, alpha: Any, beta: Any) -> None:
    """out := alpha a + beta b. out may be a."""
    ctx, letter = out.context, out.letter
    one, other = scalar_of(letter, alpha), scalar_of(letter, beta)
    if out.size == 0:
        return
    flat = _flat(out, a, b) if out.ndim != 1 else [out, a, b]
    if flat is not None:
        (to, inc), (x, incx), (y, incy) = (v.vector() for v in flat)
        if a is out:
            ctx.call("gable_%saxpby" % letter, out.size, other, y, incy, one, to, inc)
        else:
            ctx.call("gable_%swaxpby" % letter, out.size, one, x, incx, other, y, incy, to, inc)
    elif out.ndim == 2:
        try:
            c, p, q = out.matrix("out"), a.matrix("a"), b.matrix("b")
        except LayoutError:
            _sum_pieces(out, a, b, alpha, beta)  # vectors may have any stride
            return
        if c.by_rows:
            flipped = out.T
            _sum_into(flipped, flipped if a is out else a.T, b.T, alpha, beta)
            return
        ctx.call("gable_%sgeam" % letter, N if a is out or not p.by_rows else T,
                 T if q.by_rows else N, out.shape[0], out.shape[1], one,
                 c.address if a is out else p.address, c.ld if a is out else p.ld, other, q.address,
                 q.ld, c.address, c.ld)
    else:
        _sum_pieces(out, a, b, alpha, beta)


def _sum_pieces(out: Array, a: Array, b: Array, alpha: Any, beta: Any) -> None:
    """Piece by piece along the shortest dimension."""
    axis = min(range(out.ndim), key=lambda i: out.shape[i])
    before = (slice(None),) * axis
    for i in range(out.shape[axis]):
        piece = out[before + (i,)]
        _sum_into(piece, piece if a is out else a[before + (i,)], b[before + (i,)], alpha, beta)


def _order_of(a: Array) -> str:
    return "C" if a.ndim > 1 and a._contiguous("C") and not a._contiguous("F") else "F"


def add(a: Array, b: Array, alpha: Any = 1, beta: Any = 1) -> Array:
    """alpha a + beta b, a new array.

    >>> import gable_linalg as gl
    >>> gl.add(gl.array([1.0, 2.0]), gl.array([10.0, 20.0]), 2, 1)
    gl.array([12., 24.])
    """
    operands(a=a, b=b)
    _same_shape(a, b, "a sum")
    out = empty(a.shape, a.letter, _order_of(a), a.context)
    with together(out.context, b):
        out.context.keep(out, a, b)
        _sum_into(out, a, b, alpha, beta)
    return out


def add_to(a: Array, b: Array, factor: Any) -> Array:
    """a := a + factor b, in place; a is given back. b may be a, but no other part of its memory.

    >>> import gable_linalg as gl
    >>> gl.add_to(gl.array([1.0, 2.0]), gl.array([10.0, 20.0]), -1)
    gl.array([ -9., -18.])
    """
    operands(a=a, b=b)
    _same_shape(a, b, "a sum")
    a.need_writable("the array")
    if not same_view(a, b):
        need_apart(a, "the array", b=b)
    with together(a.context, b):
        a.context.keep(a, b)
        _sum_into(a, a, b, 1, factor)
    return a


def multiply(a: Array, b: Any) -> Array:
    """a times a number, or element by element with an array of the same shape; a new array.

    >>> import gable_linalg as gl
    >>> x = gl.array([1.0, 2.0, 3.0])
    >>> gl.multiply(x, 2), gl.multiply(x, x)
    (gl.array([2., 4., 6.]), gl.array([1., 4., 9.]))
    """
    if not isinstance(b, Array):
        a.need_floats("the array")
        if not isinstance(b, (int, float, complex)):
            b = b.item()
        out = empty(a.shape, a.letter, _order_of(a), a.context)
        a.context.keep(out, a)
        _sum_into(out, a, a, b, 0)
        return out
    operands(a=a, b=b)
    _same_shape(a, b, "a product of elements")
    out = empty(a.shape, a.letter, _order_of(a), a.context)
    with together(out.context, b):
        out.context.keep(out, a, b)
        _product_into(out, a, b)
    return out


def _product_into(out: Array, a: Array, b: Array) -> None:
    """Elements of a are a diagonal matrix: a band of one diagonal."""
    flat = [out, a, b] if out.ndim == 1 else _flat(out, a, b)
    if out.size == 0:
        return
    if flat is None:
        if out.ndim < 2:
            raise LayoutError("the arrays would have to be copied")
        for i in range(out.shape[0]):
            _product_into(out[i], a[i], b[i])
        return
    (to, inc), (x, incx), (y, incy) = (v.vector() for v in flat)
    if incx < 0 and out.ndim == 1:  # the diagonal's stride is a leading dimension
        _product_into(out[::-1], a[::-1], b[::-1])
        return
    if incx == 0:
        raise LayoutError("an array that repeats one element would have to be copied")
    letter = out.letter
    out.context.call("gable_%ssbmv" % letter, LOWER, out.size, 0, scalar_of(letter, 1), x, incx, y,
                     incy, scalar_of(letter, 0), to, inc)


def scale(a: Array, factor: Any) -> Array:
    """a := factor a in place, factor a number or an array of the same shape; a is given back.

    >>> import gable_linalg as gl
    >>> gl.scale(gl.array([1.0, 2.0]), 3)
    gl.array([3., 6.])
    """
    a.need_writable("the array")
    a.need_floats("the array")
    if isinstance(factor, Array):
        a.assign(multiply(a, factor))
        return a
    if not isinstance(factor, (int, float, complex)):
        factor = factor.item()
    a.context.keep(a)
    for x, inc, n in _lines(a):
        a.context.call("gable_%sscal" % a.letter, n, scalar_of(a.letter, factor), x, inc)
    return a


# ---- Products ----

def _gemm(ctx: Context, prefix: str, out: Operand, a: Operand, b: Operand, alpha: Any, beta: Any,
          batch: Optional[Tuple[int, int, int, int]] = None) -> None:
    """out := alpha a b + beta out of matrices; batch: strides of a, b and out, and how many."""
    c = out.matrix("out")
    if c.by_rows:
        # By rows it is the transposed product: out^T = b^T a^T.
        swapped = None if batch is None else (batch[1], batch[0], batch[2], batch[3])
        flipped = [Part(x.letter, x.shape[::-1], x.strides[::-1], x.address) for x in (out, b, a)]
        _gemm(ctx, prefix, flipped[0], flipped[1], flipped[2],  # type: ignore[arg-type]
              alpha, beta, swapped)
        return
    p, q = a.matrix("a"), b.matrix("b")
    (m, k), n = a.shape, b.shape[1]
    one, other = scalar_of(out.letter, alpha), scalar_of(out.letter, beta)
    ops = (T if p.by_rows else N, T if q.by_rows else N)
    if batch is None:
        ctx.call(prefix + "gemm", *ops, m, n, k, one, p.address, p.ld, q.address, q.ld, other,
                 c.address, c.ld)
    else:
        ctx.call(prefix + "gemm_strided", *ops, m, n, k, one, p.address, p.ld, batch[0], q.address,
                 q.ld, batch[1], other, c.address, c.ld, batch[2], batch[3])


class Part(NamedTuple):
    """Part of an operand: enough to see it as a matrix."""

    letter: str
    shape: Shape
    strides: Shape
    address: int

    def matrix(self, what: str = "A", prefer_rows: bool = False) -> MatrixView:
        return matrix_view(self.shape, self.strides, self.address, what, prefer_rows)


def _as_matrix(x: Operand, row: bool) -> Any:
    """A vector as a matrix of one row or one column."""
    if x.ndim != 1:
        return x
    n, step = x.shape[0], x.strides[0]
    return Part(x.letter, (1, n) if row else (n, 1), (1, step) if row else (step, 1), x.address)


def _one_stride(x: Operand, batch: Shape) -> Optional[int]:
    """The distance between matrices of a stack; 0 of a single one that all share; None: there is
    no single distance."""
    outer = x.shape[:-2]
    if not outer:
        return 0
    dims = [(n, step) for n, step in zip(outer, x.strides[:-2]) if n > 1]
    while len(dims) > 1 and dims[-2][1] == dims[-1][0] * dims[-1][1]:
        dims[-2:] = [(dims[-2][0] * dims[-1][0], dims[-1][1])]
    if len(dims) > 1 or (dims and dims[0][1] < 0):
        return None
    return dims[0][1] if dims else 0


def _stack_of(shapes: Sequence[Shape]) -> Shape:
    outer = {shape[:-2] for shape in shapes if len(shape) > 2}
    if len(outer) > 1:
        raise BadArgumentError("stacks of shapes %s do not go together; there is no broadcasting "
                               "but of a single matrix" % ", ".join(map(str, sorted(outer))))
    return outer.pop() if outer else ()


def _pieces(batch: Shape, *things: Any) -> Iterator[List[Any]]:
    for i in range(batch[0]):
        yield [x[i] if x.ndim > 2 else x for x in things]


def _stacked(ctx: Context, prefix: str, out: Operand, a: Operand, b: Operand, alpha: Any,
             beta: Any) -> None:
    batch = out.shape[:-2]
    if not batch:
        _gemm(ctx, prefix, out, a, b, alpha, beta)
        return
    count = count_of(batch)
    if count == 0 or count_of(out.shape) == 0:
        return
    steps = [_one_stride(x, batch) for x in (a, b, out)]
    if isinstance(out, Host) or any(step is None for step in steps):
        for o, x, y in _pieces(batch, out, a, b):
            _stacked(ctx, prefix, o, x, y, alpha, beta)
        return
    parts = [Part(x.letter, x.shape[-2:], x.strides[-2:], x.address) for x in (out, a, b)]
    _gemm(ctx, prefix, parts[0], parts[1], parts[2], alpha, beta,  # type: ignore[arg-type]
          (steps[0], steps[1], steps[2], count))  # type: ignore[arg-type]


def need_apart(out: Operand, what: str, **inputs: Operand) -> None:
    """What a call writes has no memory in common with what it reads."""
    for name, x in inputs.items():
        if share_memory(memory_of(out), memory_of(x)):
            raise BadArgumentError("%s shares memory with %s and would be written while that is "
                                   "read; pass a copy of one of them" % (what, name))


def matmul(a: Any, b: Any, out: Any = None, alpha: Any = 1, beta: Any = 0) -> Any:
    """alpha a b + beta out: products of matrices and vectors, as numpy.matmul; stacks of matrices
    (..., m, n) go to the strided batches. out takes the result; by default it is new: on the device
    by columns, of numpy by rows. The product of two vectors on the device is an array without
    dimensions.

    >>> import gable_linalg as gl, numpy as np
    >>> A = gl.array([[1.0, 2.0], [3.0, 4.0]])
    >>> gl.matmul(A, A.T)
    gl.array([[ 5., 11.],
              [11., 25.]])
    >>> gl.matmul(np.eye(2), np.array([1.0, 2.0]))
    array([1., 2.])
    """
    prefix, (x, y, o) = operands(a=a, b=b, out=out)
    if x.ndim == 0 or y.ndim == 0:
        raise BadArgumentError("a product needs vectors or matrices; the shapes are %s and %s" %
                               (x.shape, y.shape))
    inner = x.shape[-1], y.shape[-2] if y.ndim > 1 else y.shape[0]
    if inner[0] != inner[1]:
        raise BadArgumentError("a is %s and b is %s: %d columns and %d rows do not go together" %
                               (x.shape, y.shape, inner[0], inner[1]))
    batch = _stack_of([x.shape, y.shape])
    if batch and (x.ndim == 1 or y.ndim == 1):
        raise BadArgumentError("a stack of matrices is multiplied by matrices; make the vector one "
                               "with a[:, None]")
    shape = batch + (x.shape[-2:-1] if x.ndim > 1 else ()) + (y.shape[-1:] if y.ndim > 1 else ())
    if o is None:
        if beta != 0:
            raise BadArgumentError("beta is %r; without out it must be 0" % (beta,))
        o = fresh_stack(x, shape) if batch else fresh(x, shape)
    else:
        if o.shape != shape:
            raise BadArgumentError("out is %s; the product is %s" % (o.shape, shape))
        o.need_writable("out")
        need_apart(o, "out", a=x, b=y)
    ctx = o.context
    if isinstance(o, Host):
        if len(shape) < 2:
            m, n = (x.shape[0] if x.ndim > 1 else 1), (y.shape[1] if y.ndim > 1 else 1)
            step = o.strides[0] if shape else 1
            strides = (step, 1) if y.ndim == 1 else (1, step)
            target: Any = Part(o.letter, (m, n), strides, o.address)
            _gemm(ctx, prefix, target, _as_matrix(x, True), _as_matrix(y, False), alpha, beta)
        else:
            _stacked(ctx, prefix, o, x, y, alpha, beta)
        return o.array if shape else o.array[()]
    with together(ctx, x, y):
        ctx.keep(o, x, y)
        _device_product(ctx, prefix, o, x, y, alpha, beta)
    return given_back(o)


def _device_product(ctx: Context, prefix: str, o: Array, x: Array, y: Array, alpha: Any,
                    beta: Any) -> None:
    one, other = scalar_of(o.letter, alpha), scalar_of(o.letter, beta)
    if o.ndim >= 2:
        _stacked(ctx, prefix, o, x, y, alpha, beta)
    elif o.ndim == 0:
        (p, incp), (q, incq) = x.vector("a"), y.vector("b")
        if (alpha, beta) == (1, 0):
            ctx.call(prefix + ("dotu" if o.letter in "cz" else "dot"), x.shape[0], p, incp, q, incq,
                     o.address)
        else:
            part = Part(o.letter, (1, 1), (1, 1), o.address)
            _gemm(ctx, prefix, part, _as_matrix(x, True), _as_matrix(y, False),  # type: ignore
                  alpha, beta)
    else:
        A, v = (x, y) if x.ndim == 2 else (y.T, x)
        view = A.matrix("the matrix")
        rows, columns = A.shape[::-1] if view.by_rows else A.shape
        if columns == 0 or rows == 0:
            # gemv leaves y as it is where the matrix is empty; a sum of nothing is 0.
            if beta == 0:
                o.fill(0)
            elif beta != 1:
                scale(o, beta)
            return
        (p, incp), (q, incq) = v.vector("the vector"), o.vector("out")
        ctx.call(prefix + "gemv", T if view.by_rows else N, rows, columns, one, view.address,
                 view.ld, p, incp, other, q, incq)


def dot(a: Any, b: Any) -> Any:
    """The product of two vectors: a number without dimensions, on the device.

    >>> import gable_linalg as gl
    >>> float(gl.dot(gl.array([1.0, 2.0]), gl.array([3.0, 4.0])))
    11.0
    """
    return matmul(a, b)


def vdot(a: Array, b: Array) -> Array:
    """The product of two vectors of the device, the first one conjugated.

    >>> import gable_linalg as gl
    >>> gl.vdot(gl.array([1j, 2.0]), gl.array([1j, 2.0])).item()
    (5+0j)
    """
    prefix, (x, y) = operands(a=a, b=b)
    if isinstance(x, Host):
        raise TypeError("vdot takes arrays on the device; numpy.vdot takes those of numpy")
    if x.ndim != 1 or x.shape != y.shape:
        raise BadArgumentError("vdot needs two vectors of one length; the shapes are %s and %s" %
                               (x.shape, y.shape))
    out = empty((), x.letter, "F", x.context)
    (p, incp), (q, incq) = x.vector("a"), y.vector("b")
    with together(x.context, y):
        x.context.keep(out, x, y)
        x.context.call(prefix + ("dotc" if x.letter in "cz" else "dot"), x.shape[0], p, incp, q,
                       incq, out.address)
    return out


# ---- The common cases, in few steps ----

# Two arrays of one context and one type, without gaps where a sum is made. What does not fit goes
# the long way, which also says what is wrong.
_NUMBERS = {letter: {value: scalar_of(letter, value) for value in (-1, 0, 1)} for letter in "sdcz"}
_GEMM, _AXPY, _WAXPBY = ({letter: "gable_%s%s" % (letter, stem) for letter in "sdcz"}
                         for stem in ("gemm", "axpy", "waxpby"))


def _alike(a: Array, b: Array) -> bool:
    letter = a.letter
    return letter == b.letter and letter != "i" and a.context is b.context and \
        a.context._recording is None


def quick_product(a: Array, b: Array) -> Optional[Array]:
    """a @ b of two matrices."""
    if len(a.shape) != 2 or len(b.shape) != 2 or not _alike(a, b):
        return None
    (m, k), (rows, n) = a.shape, b.shape
    if k != rows or not (m and n and k):
        return None
    (s0, s1), (t0, t1) = a.strides, b.strides
    if s0 == 1 and s1 >= m:
        of_a, lda = N, s1
    elif s1 == 1 and s0 >= k:
        of_a, lda = T, s0
    else:
        return None
    if t0 == 1 and t1 >= k:
        of_b, ldb = N, t1
    elif t1 == 1 and t0 >= n:
        of_b, ldb = T, t0
    else:
        return None
    ctx, letter = a.context, a.letter
    memory = create_memory(ctx, m * n * TYPES[letter][1])
    numbers = _NUMBERS[letter]
    ctx.call(_GEMM[letter], of_a, of_b, m, n, k, numbers[1], a.address, lda, b.address, ldb,
             numbers[0], memory.address, m)
    return Array(ctx, letter, (m, n), (1, m), memory.address, memory)


def _in_one_piece(a: Array) -> bool:
    """One dimension, or columns or rows without gaps."""
    if len(a.shape) == 1:
        return a.strides[0] == 1
    if len(a.shape) != 2:
        return False
    (m, n), strides = a.shape, a.strides
    return strides == (1, m) or strides == (n, 1)


def quick_sum(a: Array, b: Array, factor: int) -> Optional[Array]:
    """a + factor b of two arrays stored alike."""
    if a.shape != b.shape or a.strides != b.strides or not _alike(a, b) or not _in_one_piece(a):
        return None
    size = count_of(a.shape)
    if not size:
        return None
    ctx, letter = a.context, a.letter
    memory = create_memory(ctx, size * TYPES[letter][1])
    numbers = _NUMBERS[letter]
    ctx.call(_WAXPBY[letter], size, numbers[1], a.address, 1, numbers[factor], b.address, 1,
             memory.address, 1)
    return Array(ctx, letter, a.shape, a.strides, memory.address, memory)


def quick_add_to(a: Array, b: Array, factor: int) -> bool:
    """a := a + factor b of two arrays stored alike; whether that was done."""
    if a.shape != b.shape or a.strides != b.strides or a.readonly or not _alike(a, b) or \
            not _in_one_piece(a):
        return False
    size = count_of(a.shape)
    if 0 < abs(a.address - b.address) < size * TYPES[a.letter][1]:
        return False  # they overlap
    a.context.call(_AXPY[a.letter], size, _NUMBERS[a.letter][factor], b.address, 1,
                   a.address, 1)
    return True


# ---- Triangular solves ----

def _flip(trans: int, letter: str, what: str) -> int:
    """The flag for the transposed matrix."""
    if trans == C and letter in "cz":
        raise LayoutError("%s is stored by rows: its conjugate without a transpose would have to be "
                          "copied" % what)
    return N if trans in (T, C) else T


def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False,
                     unit_diagonal: bool = False, overwrite_b: bool = False) -> Any:
    """The solution x of op(a) x = b, a triangular: one triangle of a is read. trans is 0 or "N",
    1 or "T", 2 or "C". b is a vector, a matrix or, with a, a stack; with overwrite_b it becomes the
    solution, else it is copied first. There is no test for a zero on the diagonal.

    >>> import gable_linalg as gl
    >>> A = gl.array([[2.0, 0.0], [1.0, 4.0]])
    >>> gl.solve_triangular(A, gl.array([2.0, 9.0]), lower=True)
    gl.array([1., 2.])
    """
    prefix, (A, B) = operands(a=a, b=b)
    op = N if trans == 0 else T if trans == 1 else C if trans == 2 else flag(
        trans, "NTC", (N, T, C), "trans")
    if A.ndim < 2 or A.shape[-1] != A.shape[-2]:
        raise BadArgumentError("a must be square; its shape is %s" % (A.shape,))
    n = A.shape[-1]
    vector = B.ndim == 1
    if B.ndim == 0 or B.shape[-1 if vector else -2] != n:
        raise BadArgumentError("a is %s and b is %s: they do not go together" % (A.shape, B.shape))
    if overwrite_b:
        B.need_writable("b")
        need_apart(B, "b", a=A)
    else:
        B = _copied(B)
    ctx = B.context
    batch = _stack_of([A.shape, B.shape])
    if batch and (vector or B.ndim == 2):
        raise BadArgumentError("b must be a stack of matrices as a is; its shape is %s" % (B.shape,))
    if isinstance(B, Host):
        _solve_stack(ctx, prefix, A, B, op, lower, unit_diagonal)
    else:
        with together(ctx, A):
            ctx.keep(A, B)
            _solve_stack(ctx, prefix, A, B, op, lower, unit_diagonal)
    return given_back(B)


def _copied(x: Operand) -> Operand:
    """A copy that a routine may write to: by columns; of a stack each matrix."""
    if isinstance(x, Host):
        numpy = _numpy()
        if x.ndim < 3:
            return Host(numpy.array(x.array, order="F"), "b")
        return Host(numpy.array(x.array.swapaxes(-1, -2), order="C").swapaxes(-1, -2), "b")
    out = fresh_stack(x, x.shape) if x.ndim > 2 else fresh(x, x.shape)
    assert isinstance(out, Array)
    return out.assign(x)


def _solve_stack(ctx: Context, prefix: str, A: Any, B: Any, op: int, lower: bool,
                 unit: bool) -> None:
    batch = B.shape[:-2] if B.ndim > 2 else ()
    if count_of(B.shape) == 0:
        return
    strides = None
    if batch:
        steps = [_one_stride(A, batch), _one_stride(B, batch)]
        if isinstance(B, Host) or None in steps:
            for x, y in _pieces(batch, A, B):
                _solve_stack(ctx, prefix, x, y, op, lower, unit)
            return
        strides = (steps[0], steps[1], count_of(batch))
    p = matrix_view(A.shape, A.strides, A.address, "a")
    uplo = LOWER if bool(lower) != p.by_rows else UPPER
    if p.by_rows:
        op = _flip(op, A.letter, "a")
    part: Any = _as_matrix(B, False) if B.ndim == 1 else B
    q = matrix_view(part.shape, part.strides, part.address, "b")
    m, n = part.shape[-2:]
    side = LEFT
    if q.by_rows:
        # x^T op(a)^T = b^T
        side, op, m, n = RIGHT, _flip(op, A.letter, "b"), n, m
    arguments = (side, uplo, op, UNIT if unit else NON_UNIT, m, n, scalar_of(A.letter, 1))
    if strides is None:
        ctx.call(prefix + "trsm", *arguments, p.address, p.ld, q.address, q.ld)
    else:
        ctx.call(prefix + "trsm_strided", *arguments, p.address, p.ld, strides[0], q.address, q.ld,
                 strides[1], strides[2])
