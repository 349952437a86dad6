# sparse.py: sparse matrices and iterative solvers.
# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices on the device, their products, and solvers with scipy's signatures.

>>> import gable_linalg as gl
>>> A = gl.sparse.csr([4.0, 1.0, 1.0, 3.0], [0, 1, 0, 1], [0, 2, 4], (2, 2))
>>> A @ gl.array([1.0, 2.0])
gl.array([6., 7.])
>>> x, info = gl.sparse.cg(A, gl.array([6.0, 7.0]))
>>> info, x.numpy().round(4).tolist()
(0, [1.0, 2.0])
"""
from __future__ import annotations

import ctypes
import os
import sys
import warnings
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ._array import (Array, TYPES, _numpy, array, empty, is_complex, letter_of, of_memory,
                     scalar_of, together, zeros)
from ._context import Context, context as current_context
from ._errors import (BadArgumentError, ContextClosedError, GableError, NotSolvedWarning,
                      NotSupportedError)
from ._functions import matmul, need_apart, vdot
from ._library import APPLY, CONSTANTS, MONITOR, STRUCTS, text

_FORMATS = {"auto": "GABLE_FORMAT_AUTO", "csr": "GABLE_CSR", "coo": "GABLE_COO",
            "ell": "GABLE_ELL", "sell": "GABLE_SELL", "hyb": "GABLE_HYB"}
_COMPLEX = {"s": "c", "d": "z", "c": "c", "z": "z"}


class Matrix:
    """A sparse matrix on a context's device: csr(), coo(), from_scipy() and read() make one.

    >>> import gable_linalg as gl
    >>> A = gl.sparse.csr([1.0, 2.0], [1, 0], [0, 1, 2], (2, 2))
    >>> A.shape, A.nnz, A.format
    ((2, 2), 2, 'csr')
    >>> A.T @ gl.array([1.0, 1.0])
    gl.array([2., 1.])
    """

    __slots__ = ("context", "_handle", "letter", "shape", "nnz", "__weakref__")
    __array_ufunc__ = None

    def __init__(self, ctx: Context, handle: int) -> None:
        self.context = ctx
        self._handle: Optional[int] = handle
        ctx._objects.add(self)
        info = self._describe()
        self.letter = info.precision.decode()
        self.shape = (int(info.rows), int(info.columns))
        self.nnz = int(info.entries)

    @property
    def handle(self) -> int:
        if self._handle is None:
            raise ContextClosedError("the context of the matrix was closed")
        return self._handle

    @property
    def dtype(self) -> str:
        return TYPES[self.letter][0]

    def _describe(self) -> Any:
        info = STRUCTS["gable_sparse_info"]()
        self.context.call("gable_sparse_describe", self.handle, ctypes.byref(info))
        return info

    def info(self) -> Dict[str, Any]:
        """What gable_sparse_describe tells: lengths of rows, bandwidth, symmetry, bytes.

        >>> import gable_linalg as gl
        >>> gl.sparse.csr([1.0], [0], [0, 1], (1, 1)).info()["symmetric"]
        1
        """
        found = self._describe()
        out = {name: getattr(found, name) for name, _ in found._fields_}
        out["precision"], out["format"] = self.letter, self.format
        return out

    @property
    def format(self) -> str:
        number = self._describe().format
        return next(word for word, name in _FORMATS.items() if CONSTANTS[name] == number)

    def convert(self, format: str = "auto", chunk: int = 0, sigma: int = 0) -> "Matrix":
        """A copy in another format; "auto" is the one predicted to multiply fastest."""
        if format not in _FORMATS:
            raise BadArgumentError("format is %r; it must be one of %s" % (format,
                                                                           ", ".join(_FORMATS)))
        handle = ctypes.c_void_p()
        self.context.call("gable_sparse_convert", self.handle, CONSTANTS[_FORMATS[format]], chunk,
                          sigma, ctypes.byref(handle))
        return Matrix(self.context, handle.value or 0)

    def write(self, path: Any) -> None:
        """Writes a Matrix Market file."""
        self.context.call("gable_sparse_write", self.handle, os.fsencode(path))

    def arrays(self) -> Tuple[Any, Any, Any]:
        """values, columns and starts of compressed rows, as numpy arrays."""
        numpy = _numpy()
        start = numpy.empty(self.shape[0] + 1, "int64")
        column = numpy.empty(self.nnz, "int64")
        values = numpy.empty(self.nnz, self.dtype)
        self.context.call("gable_sparse_%sget" % self.letter, self.handle, start.ctypes.data,
                          column.ctypes.data, values.ctypes.data)
        return values, column, start

    def to_scipy(self) -> Any:
        """A copy as scipy.sparse.csr_matrix."""
        from scipy.sparse import csr_matrix  # type: ignore[import-untyped, unused-ignore]
        return csr_matrix(self.arrays(), self.shape)

    @property
    def T(self) -> "Transposed":
        return Transposed(self, CONSTANTS["GABLE_TRANS"])

    @property
    def H(self) -> "Transposed":
        return Transposed(self, CONSTANTS["GABLE_CONJ_TRANS"])

    def __matmul__(self, x: Any) -> Any:
        return _product(self, CONSTANTS["GABLE_NO_TRANS"], x, None, 1, 0)

    def matvec(self, x: Any, out: Any = None, alpha: Any = 1, beta: Any = 0) -> Any:
        """alpha A x + beta out; out takes the result."""
        return _product(self, CONSTANTS["GABLE_NO_TRANS"], x, out, alpha, beta)

    def destroy(self) -> None:
        handle = self._handle
        if handle is not None:
            self._handle = None
            ctx = self.context
            ctx.drop("gable_sparse_destroy", ctx._handle, handle)

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.destroy()

    def __repr__(self) -> str:
        return "<gl.sparse.Matrix of shape %s, %d entries of %s>" % (self.shape, self.nnz,
                                                                     self.dtype)


class Transposed(NamedTuple):
    """The transpose of a matrix, for products."""

    matrix: Matrix
    trans: int

    def __matmul__(self, x: Any) -> Any:
        return _product(self.matrix, self.trans, x, None, 1, 0)


def _product(A: Matrix, trans: int, x: Any, out: Any, alpha: Any, beta: Any) -> Any:
    of_numpy = not isinstance(x, Array)
    if of_numpy:
        host = _numpy().asarray(x)
        if is_complex(host) and A.letter in "sd":
            return _product_by_parts(A, trans, host, out, alpha, beta)
        x = array(_numpy().asarray(host, dtype=A.dtype), order="F", ctx=A.context)
    if x.letter != A.letter:
        raise BadArgumentError("the matrix is %s and x is %s" % (A.dtype, x.dtype))
    rows, columns = A.shape if trans == 111 else A.shape[::-1]
    if x.ndim not in (1, 2) or x.shape[0] != columns:
        raise BadArgumentError("the matrix has %d columns and x is %s: they do not go together" %
                               (columns, x.shape))
    shape = (rows,) + x.shape[1:]
    given = out
    if out is None:
        if beta != 0:
            raise BadArgumentError("beta is %r; without out it must be 0" % (beta,))
        out = empty(shape, A.letter, "F", A.context)
    elif not isinstance(out, Array):
        raise TypeError("out must be an array on the device")
    out.need_writable("out")
    if out.shape != shape or out.letter != A.letter:
        raise BadArgumentError("out is %s of %s; the product is %s of %s" %
                               (out.shape, out.dtype, shape, A.dtype))
    if given is not None:
        need_apart(out, "out", x=x)
    one, other = scalar_of(A.letter, alpha), scalar_of(A.letter, beta)
    ctx = out.context
    with together(ctx, x):
        ctx.keep(A, x, out)
        if x.ndim == 1:
            for what, v in (("x", x), ("out", out)):
                if v.strides[0] != 1 and v.shape[0] > 1:
                    raise BadArgumentError("%s has gaps between its elements; pass %s.copy()" %
                                           (what, what))
            ctx.call("gable_sparse_%smv" % A.letter, trans, one, A.handle, x.address, other,
                     out.address)
        else:
            X, Y = x.matrix("x"), out.matrix("out")
            if X.by_rows or Y.by_rows:
                raise BadArgumentError("x and out must be stored by columns: x.copy()")
            ctx.call("gable_sparse_%smm" % A.letter, trans, x.shape[1], one, A.handle, X.address,
                     X.ld, other, Y.address, Y.ld)
    return out.numpy() if of_numpy and given is None else out


def _product_by_parts(A: Matrix, trans: int, x: Any, out: Any, alpha: Any, beta: Any) -> Any:
    """The product of a real matrix with complex numbers of numpy: real and imaginary parts are
    columns beside each other."""
    numpy = _numpy()
    if out is not None:
        raise TypeError("the matrix is %s and x is %s: the product is complex, and out must be "
                        "real" % (A.dtype, x.dtype))
    rows = A.shape[1 if trans == CONSTANTS["GABLE_NO_TRANS"] else 0]
    if x.ndim not in (1, 2) or x.shape[0] != rows:
        raise BadArgumentError("the matrix has %d columns and x is %s: they do not go together" %
                               (rows, x.shape))
    columns = x if x.ndim == 2 else x[:, None]
    y = _product(A, trans, numpy.hstack([columns.real, columns.imag]), None, alpha, beta)
    product = numpy.empty((y.shape[0], columns.shape[1]), TYPES[_COMPLEX[A.letter]][0])
    product.real, product.imag = numpy.hsplit(y, 2)
    return product.reshape(y.shape[:1] + x.shape[1:])


# ---- Making matrices ----

def _indices(numpy: Any, *arrays: Any) -> Tuple[int, List[Any]]:
    made = [numpy.asarray(a) for a in arrays]
    bits = 32 if all(a.dtype == numpy.int32 for a in made) else 64
    return bits, [numpy.ascontiguousarray(a, dtype="int%d" % bits) for a in made]


def _values(numpy: Any, data: Any, dtype: Any) -> Any:
    values = numpy.asarray(data)
    if dtype is not None:
        values = values.astype(TYPES[letter_of(dtype)][0])
    elif values.dtype.kind in "iub":
        values = values.astype("float64")
    if letter_of(values.dtype) == "i":
        raise NotSupportedError("sparse matrices are float32, float64, complex64 or complex128")
    return numpy.ascontiguousarray(values)


def csr(data: Any, indices: Any, indptr: Any, shape: Tuple[int, int], dtype: Any = None,
        sum_duplicates: bool = False, ctx: Optional[Context] = None) -> Matrix:
    """A matrix from compressed rows; the arrays are copied.

    >>> import gable_linalg as gl
    >>> gl.sparse.csr([1.0, 2.0], [0, 1], [0, 1, 2], (2, 2))
    <gl.sparse.Matrix of shape (2, 2), 2 entries of float64>
    """
    numpy, ctx = _numpy(), ctx or current_context()
    values = _values(numpy, data, dtype)
    bits, (columns, starts) = _indices(numpy, indices, indptr)
    if starts.shape != (shape[0] + 1,) or columns.shape != values.shape or columns.ndim != 1:
        raise BadArgumentError("indptr has %s, indices %s and data %s elements; the matrix has %d "
                               "rows" % (starts.shape, columns.shape, values.shape, shape[0]))
    handle = ctypes.c_void_p()
    ctx.call("gable_sparse_%scsr" % letter_of(values.dtype), shape[0], shape[1], len(values), bits,
             starts.ctypes.data, columns.ctypes.data, values.ctypes.data,
             CONSTANTS["GABLE_SPARSE_SUM"] if sum_duplicates else 0, ctypes.byref(handle))
    return Matrix(ctx, handle.value or 0)


def coo(data: Any, row: Any, col: Any, shape: Tuple[int, int], dtype: Any = None,
        sum_duplicates: bool = True, ctx: Optional[Context] = None) -> Matrix:
    """A matrix from its entries in any order; those of one place are added.

    >>> import gable_linalg as gl
    >>> gl.sparse.coo([1.0, 2.0], [0, 0], [1, 1], (1, 2)).nnz
    1
    """
    numpy, ctx = _numpy(), ctx or current_context()
    values = _values(numpy, data, dtype)
    bits, (rows, columns) = _indices(numpy, row, col)
    if not rows.shape == columns.shape == values.shape or rows.ndim != 1:
        raise BadArgumentError("row has %s, col %s and data %s elements" %
                               (rows.shape, columns.shape, values.shape))
    handle = ctypes.c_void_p()
    ctx.call("gable_sparse_%scoo" % letter_of(values.dtype), shape[0], shape[1], len(values), bits,
             rows.ctypes.data, columns.ctypes.data, values.ctypes.data,
             CONSTANTS["GABLE_SPARSE_SUM"] if sum_duplicates else 0, ctypes.byref(handle))
    return Matrix(ctx, handle.value or 0)


def from_scipy(A: Any, dtype: Any = None, ctx: Optional[Context] = None) -> Matrix:
    """A copy of a matrix of scipy.sparse, in any of its formats."""
    c = A.tocsr()
    return csr(c.data, c.indices, c.indptr, c.shape, dtype, True, ctx)


def read(path: Any, dtype: Any = None, ctx: Optional[Context] = None) -> Matrix:
    """Reads a Matrix Market file. Without dtype it is float64 or complex128, as the file needs.

    >>> import gable_linalg as gl, os, tempfile
    >>> path = os.path.join(tempfile.mkdtemp(), "a.mtx")
    >>> gl.sparse.csr([1.0], [0], [0, 1], (1, 1)).write(path)
    >>> gl.sparse.read(path).nnz
    1
    """
    ctx = ctx or current_context()
    handle = ctypes.c_void_p()
    letter = b"\0" if dtype is None else letter_of(dtype).encode()
    ctx.call("gable_sparse_read", os.fsencode(path), letter, ctypes.byref(handle))
    return Matrix(ctx, handle.value or 0)


# ---- Solvers ----

class Operator:
    """A linear operator on the device: matvec(x, y) enqueues y := A x, with arrays of n elements.

    >>> import gable_linalg as gl
    >>> def twice(x, y):
    ...     y.assign(x)
    ...     y *= 2
    >>> A = gl.sparse.Operator((3, 3), twice)
    >>> x, info = gl.sparse.cg(A, gl.array([2.0, 4.0, 6.0]))
    >>> x.numpy().round(6).tolist()
    [1.0, 2.0, 3.0]
    """

    def __init__(self, shape: Tuple[int, int], matvec: Callable[[Array, Array], None],
                 dtype: Any = "float64") -> None:
        self.shape = shape
        self.device_matvec = matvec
        self.letter = letter_of(dtype)


class SolveInfo(NamedTuple):
    """What solve() tells beside the solution; text is a sentence."""

    outcome: str
    iterations: int
    residual: float
    method: str
    precond: str
    format: str
    seconds: float
    text: str
    replacements: int
    norm_b: float


_OUTCOMES = ["solved", "iteration limit", "stagnated", "breakdown", "not definite", "not finite",
             "stopped"]


def _apply_of(thing: Any, n: int, letter: str, ctx: Context, failed: List[BaseException]) -> Any:
    """A gable_apply of an operator: of ours, of scipy (matvec on numpy arrays) or a function."""
    if letter in "sd" and (is_complex(thing) or getattr(thing, "letter", "d") in "cz"):
        raise TypeError("a matrix or an operator is complex and b is %s: make b complex, too" %
                        TYPES[letter][0])
    if isinstance(thing, Matrix) and letter == _COMPLEX[thing.letter]:
        thing = _as_complex(thing)
    matvec = getattr(thing, "device_matvec", None)
    host = None if matvec is not None else getattr(thing, "matvec", None) or thing
    if isinstance(thing, Matrix):
        def matvec(x: Array, y: Array) -> None:
            thing.matvec(x, y)
    elif matvec is None and hasattr(thing, "tocsr"):
        made = from_scipy(thing, TYPES[letter][0], ctx)

        def matvec(x: Array, y: Array) -> None:
            made.matvec(x, y)
    elif isinstance(thing, Array) or hasattr(thing, "__array_interface__"):
        dense = thing if isinstance(thing, Array) else array(
            _numpy().asarray(thing, dtype=TYPES[letter][0]), ctx=ctx)

        def matvec(x: Array, y: Array) -> None:
            matmul(dense, x, out=y)

    def apply(_user: Any, _ctx: Any, x: int, y: int) -> int:
        try:
            source = of_memory(ctx, letter, (n,), (1,), x, None, True)
            target = of_memory(ctx, letter, (n,), (1,), y, None, False)
            if matvec is not None:
                matvec(source, target)
            else:
                assert host is not None
                numpy = _numpy()
                target.assign(numpy.asarray(host(source.numpy())).reshape(n))
        except BaseException as error:  # it is raised when the solve has returned
            failed.append(error)
            return CONSTANTS["GABLE_INTERNAL"]
        return 0

    return APPLY(apply)


def _as_complex(A: Matrix) -> Matrix:
    """A, or a complex copy of a real matrix."""
    if A.letter in "cz":
        return A
    return csr(*A.arrays(), A.shape, TYPES[_COMPLEX[A.letter]][0], False, A.context)


def _solver_letter(A: Any, b: Any) -> str:
    """The type that a system is solved in. Complex numbers of numpy make a real matrix complex."""
    if isinstance(A, Matrix):
        return _COMPLEX[A.letter] if is_complex(b) and not isinstance(b, Array) else A.letter
    if isinstance(A, Operator):
        if is_complex(b) and not isinstance(b, Array) and A.letter in "sd":
            raise TypeError("the operator is %s and b is %s; give Operator a complex dtype" %
                            (TYPES[A.letter][0], b.dtype))
        return A.letter
    kind = getattr(A, "dtype", None)
    if kind is None:
        kind = getattr(b, "dtype", "float64")
    name = getattr(kind, "name", str(kind))
    if name.startswith(("int", "uint", "bool")):
        return "z" if str(getattr(b, "dtype", "")).startswith("complex") else "d"
    letter = letter_of(kind)
    if isinstance(b, Array):
        return b.letter if b.letter == "z" or letter == "s" else letter
    # As numpy: of the matrix and the right-hand side the wider type.
    other = str(getattr(b, "dtype", "float64"))
    complex_ = letter in "cz" or other.startswith("complex")
    wide = letter in "dz" or other not in ("float32", "complex64")
    return ("z" if wide else "c") if complex_ else "d" if wide else "s"


def _run(A: Any, b: Any, x0: Any, options: Dict[str, Any], M: Any = None,
         monitor: Optional[Callable[[int, float], Any]] = None) -> Tuple[Any, SolveInfo]:
    """x of the type and shape of b, and how it went. Exceptions of functions of the caller's come
    out here."""
    if len(getattr(A, "shape", ())) != 2 or A.shape[0] != A.shape[1]:
        raise BadArgumentError("the matrix must be square; its shape is %s" %
                               (getattr(A, "shape", None),))
    n = A.shape[0]
    of_numpy = not isinstance(b, Array)
    if of_numpy:
        b = _numpy().asarray(b)
    letter = _solver_letter(A, b)
    if isinstance(A, Matrix):
        ctx = A.context
        if letter == _COMPLEX[A.letter]:
            A = _as_complex(A)
    else:
        ctx = current_context() if of_numpy else b.context
    if of_numpy:
        shape = b.shape
        right = array(b.reshape(-1).astype(TYPES[letter][0]), ctx=ctx)
    else:
        shape = b.shape
        _need_letter(b, letter, "b")
        right = b if b.ndim == 1 and b.strides[0] == 1 else b.copy("F").reshape(-1)
    if right.shape != (n,) or shape not in ((n,), (n, 1)):
        raise BadArgumentError("the matrix has %d rows and b is %s" % (n, shape))
    x = _first_guess(x0, right, M, letter, ctx)
    if hasattr(A, "tocsr") and not isinstance(A, Matrix):
        A = from_scipy(A, TYPES[letter][0], ctx)
    if not isinstance(A, Matrix) or M is not None:
        # Iterations past the end would call functions of Python for nothing.
        options.setdefault("batch", 1)
    words = ",".join("%s=%s" % (name, repr(value) if isinstance(value, float) else value)
                     for name, value in options.items() if value is not None)
    with together(ctx, right, x):
        info = _solve(A, n, letter, ctx, right, x, words, M, monitor)
    if of_numpy:
        return x.numpy().reshape(shape), info
    return x.reshape(*shape), info


def _need_letter(x: Array, letter: str, what: str) -> None:
    """Solvers take addresses: what lies there must be numbers of their type."""
    if x.letter != letter:
        raise BadArgumentError("the matrix is %s and %s is %s" % (TYPES[letter][0], what, x.dtype))


def _first_guess(x0: Any, right: Array, M: Any, letter: str, ctx: Context) -> Array:
    """x0 as a new array; None is 0, and "Mb" M times the right-hand side, as in scipy."""
    n = right.shape[0]
    if x0 is None:
        return zeros(n, letter, "F", ctx)
    if isinstance(x0, str):
        if x0 != "Mb":
            raise BadArgumentError("x0 is %r; it must be an array or 'Mb'" % x0)
        x = right.copy()
        if M is not None:
            failed: List[BaseException] = []
            _apply_of(M, n, letter, ctx, failed)(None, None, right.address, x.address)
            if failed:
                raise failed[0]
        return x
    if isinstance(x0, Array):
        _need_letter(x0, letter, "x0")
        x = x0.copy("F").reshape(-1)
    else:
        x0 = _numpy().asarray(x0)
        if is_complex(x0) and letter in "sd":
            raise TypeError("x0 is %s and the system is %s: make b complex, too" %
                            (x0.dtype, TYPES[letter][0]))
        x = array(_numpy().array(x0, dtype=TYPES[letter][0]).reshape(-1), ctx=ctx)
    if x.shape != (n,):
        raise BadArgumentError("x0 has %d elements; the matrix has %d rows" % (x.size, n))
    return x


def _solve(A: Any, n: int, letter: str, ctx: Context, right: Array, x: Array, words: str, M: Any,
           monitor: Optional[Callable[[int, float], Any]]) -> SolveInfo:
    failed: List[BaseException] = []
    solver = ctypes.c_void_p()
    functions: List[Any] = []  # must live as long as the solver
    if isinstance(A, Matrix):
        ctx.call("gable_solver_create", A.handle, ctypes.byref(solver))
    else:
        functions.append(_apply_of(A, n, letter, ctx, failed))
        ctx.call("gable_solver_create_operator", letter.encode(), n, functions[-1], None,
                 ctypes.byref(solver))
    handle = solver.value

    def on_solver(name: str, *arguments: Any) -> None:
        ctx.call_object(name, handle, *arguments)

    try:
        if words:
            on_solver("gable_solver_set", words.encode())
        if M is not None:
            functions.append(_apply_of(M, n, letter, ctx, failed))
            on_solver("gable_solver_precondition", functions[-1], None)
        if monitor is not None:
            def told(_user: Any, iteration: int, residual: float) -> int:
                try:
                    return int(monitor(iteration, residual) is True)
                except BaseException as error:
                    failed.append(error)
                    return 1

            functions.append(MONITOR(told))
            on_solver("gable_solver_monitor", functions[-1], None)
        info = STRUCTS["gable_solve_info"]()
        try:
            on_solver("gable_solver_solve", right.address, x.address, ctypes.byref(info))
        except GableError:
            if failed:
                raise failed[0] from None
            raise
        if failed:
            raise failed[0]
    finally:
        on_solver("gable_solver_destroy")
    formats = {CONSTANTS[name]: word for word, name in _FORMATS.items()}
    return SolveInfo(_OUTCOMES[info.outcome], int(info.iterations), float(info.residual),
                     text(info.method), text(info.precond), formats.get(info.format, ""),
                     float(info.seconds), text(info.text), int(info.replacements),
                     float(info.norm_b))


def solve(A: Any, b: Any, x0: Any = None, M: Any = None,
          monitor: Optional[Callable[[int, float], Any]] = None, **options: Any
          ) -> Tuple[Any, SolveInfo]:
    """x of A x = b, and how it went, by the method that suits A unless `method` names one. Options
    are those of gable_solver_set: method, form, precond, block, tolerance, absolute, iterations,
    restart, batch, format. monitor(iteration, residual) is told of iterations; True ends the solve.
    Where the system was not solved, a NotSolvedWarning says what is wrong and what may help.

    >>> import gable_linalg as gl
    >>> A = gl.sparse.csr([4.0, 1.0, 1.0, 3.0], [0, 1, 0, 1], [0, 2, 4], (2, 2))
    >>> x, info = gl.sparse.solve(A, gl.array([5.0, 4.0]), precond="jacobi")
    >>> info.outcome, info.method
    ('solved', 'cg')
    """
    if x0 is None:
        options.setdefault("guess", "zero")
    x, info = _run(A, b, x0, options, M, monitor)
    if info.outcome not in ("solved", "stopped"):
        warnings.warn(info.text, NotSolvedWarning, stacklevel=2)
    return x, info


def _code(info: SolveInfo) -> int:
    """scipy's: 0 solved, positive: so many iterations were not enough, negative: breakdown."""
    if info.outcome == "solved":
        return 0
    return -10 if info.outcome in ("breakdown", "not definite", "not finite") else max(
        info.iterations, 1)


def _tolerances(b: Any, rtol: float, atol: Any) -> Tuple[float, float]:
    """rtol and atol for Gable: below 1, and finite."""
    if atol is None or isinstance(atol, str) or not atol >= 0:
        raise BadArgumentError("atol is %r; it must be a number that is not negative" % (atol,))
    if not rtol >= 0:
        raise BadArgumentError("rtol is %r; it must be a number that is not negative" % (rtol,))
    if rtol >= 1:
        from .linalg import norm
        size = norm(b.reshape(-1)) if isinstance(b, Array) else float(
            _numpy().linalg.norm(_numpy().asarray(b)))
        rtol, atol = 0.0, max(float(atol), rtol * size if size else 0.0)
    return float(rtol), min(float(atol), sys.float_info.max)


def _options(method: str, b: Any, rtol: float, atol: float, maxiter: Optional[int], x0: Any,
             **more: Any) -> Dict[str, Any]:
    tolerance, absolute = _tolerances(b, rtol, atol)
    return {"method": method, "precond": "none", "tolerance": tolerance, "absolute": absolute,
            "iterations": maxiter, "guess": "zero" if x0 is None else "x", **more}


def cg(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
       maxiter: Optional[int] = None, M: Any = None,
       callback: Optional[Callable[[Any], Any]] = None) -> Tuple[Any, int]:
    """scipy.sparse.linalg.cg: A Hermitian and positive definite, M an approximation of its inverse.
    A and M are matrices (of here, of scipy, dense ones), LinearOperators of scipy, or an Operator. Gives x
    and 0, the iterations that were not enough, or a negative number for a breakdown.

    With a callback, which gets x after each iteration, the iteration is steered from Python: that
    takes a wait per iteration.

    >>> import gable_linalg as gl
    >>> A = gl.sparse.csr([2.0, 2.0], [0, 1], [0, 1, 2], (2, 2))
    >>> gl.sparse.cg(A, gl.array([2.0, 4.0]))
    (gl.array([1., 2.]), 0)
    """
    if callback is not None:
        return _steered(_cg_steps, A, b, x0, rtol, atol, maxiter, M, callback)
    x, info = _run(A, b, x0, _options("cg", b, rtol, atol, maxiter, x0), M)
    return x, _code(info)


def bicgstab(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
             maxiter: Optional[int] = None, M: Any = None,
             callback: Optional[Callable[[Any], Any]] = None) -> Tuple[Any, int]:
    """scipy.sparse.linalg.bicgstab; otherwise as cg.

    >>> import gable_linalg as gl
    >>> A = gl.sparse.csr([2.0, 1.0, 2.0], [0, 1, 1], [0, 2, 3], (2, 2))
    >>> x, info = gl.sparse.bicgstab(A, gl.array([4.0, 4.0]), rtol=1e-10)
    >>> x.numpy().round(6).tolist(), info
    ([1.0, 2.0], 0)
    """
    if callback is not None:
        return _steered(_bicgstab_steps, A, b, x0, rtol, atol, maxiter, M, callback)
    x, info = _run(A, b, x0, _options("bicgstab", b, rtol, atol, maxiter, x0), M)
    return x, _code(info)


def gmres(A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
          restart: Optional[int] = None, maxiter: Optional[int] = None, M: Any = None,
          callback: Optional[Callable[[Any], Any]] = None,
          callback_type: Optional[str] = None) -> Tuple[Any, int]:
    """scipy.sparse.linalg.gmres; maxiter counts cycles. callback_type: "pr_norm" calls with
    |b - A x| / |b| per iteration, "x" with x after each cycle; without one it is "pr_norm", and
    maxiter counts iterations, as in scipy. Otherwise as cg.

    >>> import gable_linalg as gl
    >>> A = gl.sparse.csr([2.0, 1.0, 2.0], [0, 1, 1], [0, 2, 3], (2, 2))
    >>> x, info = gl.sparse.gmres(A, gl.array([4.0, 4.0]), rtol=1e-10)
    >>> x.numpy().round(6).tolist(), info
    ([1.0, 2.0], 0)
    """
    if callback_type not in (None, "legacy", "pr_norm", "x"):
        raise BadArgumentError("callback_type is %r; it must be 'pr_norm' or 'x'" % callback_type)
    n = A.shape[0]
    m = max(1, min(20 if restart is None else restart, n))
    most = maxiter if maxiter is not None else 10 * n
    if callback is not None and callback_type == "x":
        code, x = 0, x0
        for _ in range(most):
            x, info = _run(A, b, x, _options("gmres", b, rtol, atol, m, x, restart=m), M)
            code = _code(info)
            callback(x)
            if code <= 0:
                break
        return x, most if code > 0 else code
    monitor = None
    iterations = most * m
    if callback is not None:
        told = callback
        if callback_type in (None, "legacy"):
            iterations = most

        def monitor(_iteration: int, residual: float) -> None:
            told(residual)

    x, info = _run(A, b, x0, _options("gmres", b, rtol, atol, min(iterations, 2**62), x0,
                                      restart=m), M, monitor)
    return x, most if _code(info) > 0 else _code(info)


# ---- Iterations that show x ----

def _steered(steps: Any, A: Any, b: Any, x0: Any, rtol: float, atol: float, maxiter: Optional[int],
             M: Any, callback: Callable[[Any], Any]) -> Tuple[Any, int]:
    of_numpy = not isinstance(b, Array)
    if of_numpy:
        b = _numpy().asarray(b)
    n, letter = A.shape[0], _solver_letter(A, b)
    if not of_numpy:
        _need_letter(b, letter, "b")
    ctx = A.context if isinstance(A, Matrix) else current_context() if of_numpy else b.context
    shape = b.shape
    kind = TYPES[letter][0]
    right = array(_numpy().asarray(b, dtype=kind).reshape(-1), ctx=ctx) if of_numpy else \
        b.copy("F").reshape(-1)
    if right.shape != (n,):
        raise BadArgumentError("the matrix has %d rows and b has %d" % (n, right.size))
    x = _first_guess(x0, right, M, letter, ctx)
    _tolerances(b, rtol, atol)
    failed: List[BaseException] = []

    def times(thing: Any) -> Callable[[Array], Array]:
        apply = _apply_of(thing, n, letter, ctx, failed)

        def product(v: Array) -> Array:
            out = empty(n, letter, "F", ctx)
            apply(None, None, v.address, out.address)
            if failed:
                raise failed[0]
            return out

        return product

    def shown() -> Any:
        return x.numpy().reshape(shape) if of_numpy else x

    from .linalg import norm
    size = norm(right)
    if size == 0:
        return (_numpy().zeros(shape, kind) if of_numpy else zeros(shape, letter, "F", ctx)), 0
    least = max(rtol * size, atol or 0.0)
    most = 10 * n if maxiter is None else maxiter
    product = times(A)
    precondition = (lambda v: v.copy()) if M is None else times(M)
    code = steps(product, precondition, right, x, least, most, lambda: callback(shown()))
    return shown(), code


def _item(v: Array) -> Any:
    return v.item()


def _cg_steps(product: Any, precondition: Any, b: Array, x: Array, least: float, most: int,
              show: Any) -> int:
    from .linalg import norm
    r = b - product(x)
    rho, p = 0.0, None
    for i in range(most):
        if norm(r) <= least:
            return 0
        z = precondition(r)
        before, rho = rho, _item(vdot(r, z))
        if p is None:
            p = z.copy()
        else:
            p *= rho / before
            p += z
        q = product(p)
        alpha = rho / _item(vdot(p, q))
        x.assign(x + p * alpha)
        r = r - q * alpha
        show()
    return 0 if norm(r) <= least else most


def _bicgstab_steps(product: Any, precondition: Any, b: Array, x: Array, least: float, most: int,
                    show: Any) -> int:
    from .linalg import norm
    r = b - product(x)
    shadow = r.copy()
    rho = alpha = omega = 1.0
    v = p = r * 0
    for i in range(most):
        if norm(r) <= least:
            return 0
        before, rho = rho, _item(vdot(shadow, r))
        if rho == 0 or omega == 0:
            return -10
        p = r.copy() if i == 0 else r + (p - v * omega) * ((rho / before) * (alpha / omega))
        ph = precondition(p)
        v = product(ph)
        below = _item(vdot(shadow, v))
        if below == 0:
            return -11
        alpha = rho / below
        s = r - v * alpha
        x.assign(x + ph * alpha)
        if norm(s) <= least:
            show()
            return 0
        sh = precondition(s)
        t = product(sh)
        omega = _item(vdot(t, s)) / _item(vdot(t, t))
        x.assign(x + sh * omega)
        r = s - t * omega
        show()
    return 0 if norm(r) <= least else most
