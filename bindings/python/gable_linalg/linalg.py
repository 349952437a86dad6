# linalg.py: systems, factorizations, norms by numpy's and scipy's names.
# SPDX-License-Identifier: BSD-3-Clause
"""Linear systems, factorizations, eigenvalues, singular values and norms.

Arrays of the device are computed there; of numpy, systems, Cholesky, LU, eigenvalues and singular
values go through the standard door, QR, least squares and norms by copies on the device. Inputs
stay as they are: a factorization takes a copy, unless overwrite_a says that it may use the array
itself. A singular matrix is a LinAlgError.
"""
from __future__ import annotations

import ctypes
from typing import Any, NamedTuple, Optional, Tuple

from ._array import Array, _numpy, array, empty, scalar_of, together, zeros
from ._errors import BadArgumentError, LayoutError, LinAlgError
from ._functions import (C, Host, LOWER, N, Operand, T, UPPER, _as_matrix, _copied, flag,
                         given_back, need_apart, operand, operands, solve_triangular)
from ._spectra import (EighResult, SVDResult, cond, eigh, eigvalsh, matrix_rank, pinv, svd, svdvals)

__all__ = ["EighResult", "SVDResult", "cho_factor", "cho_solve", "cholesky", "cond", "det", "eigh",
           "eigvalsh", "inv", "lstsq", "lu_factor", "lu_solve", "matrix_rank", "norm", "pinv", "qr",
           "slogdet", "solve", "solve_triangular", "svd", "svdvals"]


class LU(NamedTuple):
    """What lu_factor gives: factors in one matrix, and 1-based row exchanges as LAPACK has them.
    transposed: they are those of the transpose, of a matrix by rows that was overwritten."""

    lu: Any
    piv: Any
    transposed: bool = False


class Cholesky(NamedTuple):
    """What cho_factor gives: the factor in one triangle of a matrix, and which one."""

    c: Any
    lower: bool


def _square(x: Operand, what: str) -> int:
    if x.ndim != 2 or x.shape[0] != x.shape[1]:
        raise BadArgumentError("%s must be a square matrix; its shape is %s" % (what, x.shape))
    return x.shape[0]


def _numbers(like: Operand, n: int) -> Any:
    """n numbers of int64 beside an operand, and their address."""
    if isinstance(like, Host):
        out = _numpy().empty(n, "int64")
        return out, out.ctypes.data
    made = empty(n, "int64", "F", like.context)
    return made, made.address


def _address(x: Any) -> int:
    return x.address if isinstance(x, Array) else x.ctypes.data


def _own(x: Operand, overwrite: bool, what: str) -> Operand:
    if overwrite:
        x.need_writable(what)
        return x
    return _copied(x)


def _failed(sentence: str, info: int) -> LinAlgError:
    error = LinAlgError(sentence % info)
    error.info = info
    return error


def _right_side(b: Operand, n: int, overwrite: bool, a: Operand) -> Tuple[Operand, Any, int]:
    """b as a matrix by columns that the solution may take, and how many columns; a: the factors."""
    if b.ndim not in (1, 2) or b.shape[0] != n:
        raise BadArgumentError("a has %d rows and b is %s: they do not go together" % (n, b.shape))
    if overwrite:
        need_apart(b, "b", **{"the factors": a})
    b = _own(b, overwrite, "b")
    part: Any = _as_matrix(b, False)
    view = part.matrix("b")
    if view.by_rows and part.shape[1] > 1:
        raise LayoutError("b is stored by rows, and so would its solution have to be copied; pass it "
                          "by columns (order 'F') or without overwrite_b")
    if view.by_rows and part.shape[0] > 1:
        raise LayoutError("b has gaps between its elements and would have to be copied; pass it "
                          "without overwrite_b")
    return b, view, part.shape[1]


def lu_factor(a: Any, overwrite_a: bool = False) -> LU:
    """a = P L U with partial pivoting, for lu_solve.

    >>> import gable_linalg as gl
    >>> lu = gl.linalg.lu_factor(gl.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> lu.lu, lu.piv.tolist()
    (gl.array([[4.  , 4.  ],
              [0.25, 1.  ]]), [2, 2])
    """
    factors, info = _lu(a, overwrite_a)
    if info > 0:
        raise _failed("the matrix is singular: pivot %d is 0", info)
    return factors


def _lu(a: Any, overwrite_a: bool) -> Tuple[LU, int]:
    prefix, (A,) = operands(a=a)
    if A.ndim != 2:
        raise BadArgumentError("a must be a matrix; its shape is %s" % (A.shape,))
    A = _own(A, overwrite_a, "a")
    view = A.matrix("a")
    m, n = A.shape[::-1] if view.by_rows else A.shape
    piv, address = _numbers(A, min(m, n))
    info = ctypes.c_int64()
    A.context.call(prefix + "getrf", m, n, view.address, view.ld, address, ctypes.byref(info))
    return LU(given_back(A), piv, view.by_rows), info.value


def lu_solve(lu: LU, b: Any, trans: Any = 0, overwrite_b: bool = False) -> Any:
    """The solution of a x = b, of a^T x = b (trans 1) or a^H x = b (trans 2), from lu_factor(a).

    >>> import gable_linalg as gl
    >>> lu = gl.linalg.lu_factor(gl.array([[1.0, 2.0], [4.0, 4.0]]))
    >>> gl.linalg.lu_solve(lu, gl.array([3.0, 8.0]))
    gl.array([1., 1.])
    """
    prefix, (A, B) = operands(lu=lu.lu, b=b)
    n = _square(A, "the factors")
    op = {0: N, 1: T, 2: C}.get(trans) if isinstance(trans, int) else None
    op = op or flag(trans, "NTC", (N, T, C), "trans")
    view = A.matrix("the factors", lu.transposed)
    if lu.transposed:
        if op == C and A.letter in "cz":
            raise LayoutError("the factors are those of the transpose: trans 2 would need their "
                              "conjugates")
        op = T if op == N else N
    B, q, nrhs = _right_side(B, n, overwrite_b, A)
    with together(B.context, *([A] if isinstance(A, Array) else [])):
        B.context.keep(A, B, lu.piv)
        B.context.call(prefix + "getrs", op, n, nrhs, view.address, view.ld, _address(lu.piv),
                       q.address, q.ld)
    return given_back(B)


def solve(a: Any, b: Any, assume_a: str = "gen", lower: bool = False, overwrite_a: bool = False,
          overwrite_b: bool = False) -> Any:
    """The solution x of a x = b: by LU, or by Cholesky where assume_a is "pos" (then one triangle
    of a is read).

    >>> import gable_linalg as gl, numpy as np
    >>> gl.linalg.solve(gl.array([[2.0, 0.0], [0.0, 4.0]]), gl.array([2.0, 2.0]))
    gl.array([1. , 0.5])
    >>> gl.linalg.solve(np.eye(2), np.array([1.0, 2.0]))
    array([1., 2.])
    """
    if assume_a not in ("gen", "pos"):
        raise BadArgumentError("assume_a is %r; it must be 'gen' or 'pos'" % assume_a)
    _, (A, B) = operands(a=a, b=b)
    n = _square(A, "a")
    if B.ndim not in (1, 2) or B.shape[0] != n:
        raise BadArgumentError("a has %d rows and b is %s: they do not go together" % (n, B.shape))
    if overwrite_b:
        B.need_writable("b")
    if overwrite_a:
        need_apart(A, "a", b=B)
    if assume_a == "pos":
        return cho_solve(cho_factor(a, lower, overwrite_a), b, overwrite_b)
    return lu_solve(lu_factor(a, overwrite_a), b, 0, overwrite_b)


def cho_factor(a: Any, lower: bool = False, overwrite_a: bool = False) -> Cholesky:
    """The Cholesky factor of a, in one triangle; what the other one holds is not defined.

    >>> import gable_linalg as gl
    >>> c = gl.linalg.cho_factor(gl.array([[4.0, 2.0], [2.0, 5.0]]), lower=True)
    >>> gl.linalg.cho_solve(c, gl.array([6.0, 7.0]))
    gl.array([1., 1.])
    """
    prefix, (A,) = operands(a=a)
    n = _square(A, "a")
    A = _own(A, overwrite_a, "a")
    view = A.matrix("a")
    info = ctypes.c_int64()
    # By rows it is the transpose, for Hermitian matrices the conjugate: the factor is conjugated.
    A.context.call(prefix + "potrf", LOWER if bool(lower) != view.by_rows else UPPER, n,
                   view.address, view.ld, ctypes.byref(info))
    if info.value > 0:
        raise _failed("the matrix is not positive definite: minor %d is not positive", info.value)
    return Cholesky(given_back(A), bool(lower))


def cho_solve(factor: Cholesky, b: Any, overwrite_b: bool = False) -> Any:
    """The solution of a x = b from cho_factor(a); see there."""
    prefix, (A, B) = operands(c=factor.c, b=b)
    n = _square(A, "the factor")
    view = A.matrix("the factor")
    if view.by_rows and A.letter in "cz":
        raise LayoutError("a complex factor by rows would have to be copied; factor a matrix by "
                          "columns")
    B, q, nrhs = _right_side(B, n, overwrite_b, A)
    with together(B.context, *([A] if isinstance(A, Array) else [])):
        B.context.keep(A, B)
        B.context.call(prefix + "potrs", LOWER if factor.lower != view.by_rows else UPPER, n, nrhs,
                       view.address, view.ld, q.address, q.ld)
    return given_back(B)


def cholesky(a: Any, lower: bool = True) -> Any:
    """L of a = L L^H, or U of a = U^H U where lower is false; zeros in the other triangle.

    >>> import gable_linalg as gl
    >>> gl.linalg.cholesky(gl.array([[4.0, 2.0], [2.0, 5.0]]))
    gl.array([[2., 0.],
              [1., 2.]])
    """
    c = cho_factor(a, lower).c
    if not isinstance(c, Array):
        numpy = _numpy()
        return numpy.tril(c) if lower else numpy.triu(c)
    n = c.shape[0]
    if n > 1:
        part = c[:-1, 1:] if lower else c[1:, :-1]
        c.context.call("gable_%slaset" % c.letter, UPPER if lower else LOWER, n - 1, n - 1,
                       scalar_of(c.letter, 0), scalar_of(c.letter, 0), part.address, c.matrix().ld)
    return c


def inv(a: Any, overwrite_a: bool = False) -> Any:
    """The inverse of a.

    >>> import gable_linalg as gl
    >>> gl.linalg.inv(gl.array([[2.0, 0.0], [0.0, 4.0]]))
    gl.array([[0.5 , 0.  ],
              [0.  , 0.25]])
    """
    prefix, (A,) = operands(a=a)
    n = _square(A, "a")
    factors = lu_factor(a, overwrite_a)
    X = operand(factors.lu, "a")
    view = X.matrix("a", factors.transposed)
    info = ctypes.c_int64()
    X.context.call(prefix + "getri", n, view.address, view.ld, _address(factors.piv),
                   ctypes.byref(info))
    if info.value > 0:
        raise _failed("the matrix is singular: pivot %d is 0", info.value)
    return given_back(X)


def slogdet(a: Any) -> Tuple[Any, float]:
    """The sign (complex: a number of modulus 1) of the determinant and the logarithm of its modulus.

    >>> import gable_linalg as gl
    >>> sign, log = gl.linalg.slogdet(gl.array([[0.0, 1.0], [1.0, 0.0]]))
    >>> sign, log
    (-1.0, 0.0)
    """
    import cmath
    import math
    _, (A,) = operands(a=a)
    n = _square(A, "a")
    if n == 0:
        return 1.0, 0.0
    factors, info = _lu(a, False)
    if info > 0:
        return 0.0, -math.inf
    lu = factors.lu
    if isinstance(lu, Array):
        diagonal = lu._view((n,), (lu.strides[0] + lu.strides[1],), 0).tolist()
    else:
        diagonal = lu.diagonal().tolist()
    sign: Any = 1.0
    log = 0.0
    for i, (value, other) in enumerate(zip(diagonal, factors.piv.tolist())):
        size = abs(value)
        sign *= (value / size) * (-1 if other != i + 1 else 1)
        log += math.log(size)
    if A.letter in "cz":
        sign = cmath.rect(1.0, cmath.phase(sign))
    return sign, log


def det(a: Any) -> Any:
    """The determinant, a number.

    >>> import gable_linalg as gl
    >>> round(gl.linalg.det(gl.array([[1.0, 2.0], [3.0, 4.0]])), 12)
    -2.0
    """
    import math
    sign, log = slogdet(a)
    return sign * math.exp(log)


def _on_device(a: Any, what: str) -> Tuple[Array, bool]:
    """The array, or a copy of a numpy array by columns; whether it was one of numpy."""
    x = operand(a, what)
    x.need_floats(what)
    if isinstance(x, Host):
        return array(a, order="F"), True
    return x, False


def qr(a: Any, mode: str = "reduced") -> Any:
    """q, r of a = q r: "reduced", or r alone: "r".

    >>> import gable_linalg as gl
    >>> q, r = gl.linalg.qr(gl.array([[3.0, 1.0], [4.0, 1.0]]))
    >>> r.numpy().round(6).tolist()
    [[-5.0, -1.4], [0.0, -0.2]]
    """
    if mode not in ("reduced", "r"):
        raise BadArgumentError("mode is %r; it must be 'reduced' or 'r'" % mode)
    x, of_numpy = _on_device(a, "a")
    if x.ndim != 2:
        raise BadArgumentError("a must be a matrix; its shape is %s" % (x.shape,))
    ctx, letter, (m, n) = x.context, x.letter, x.shape
    k = min(m, n)
    work = x if of_numpy else x.copy("F")
    tau = empty(k, letter, "F", ctx)
    ld = max(m, 1)
    ctx.call("gable_%sgeqrf" % letter, m, n, work.address, ld, tau.address)
    r = zeros((k, n), letter, "F", ctx)
    ctx.call("gable_%slacpy" % letter, UPPER, k, n, work.address, ld, r.address, max(k, 1))
    if mode == "r":
        return r.numpy() if of_numpy else r
    name = "gable_%s%s" % (letter, "ungqr" if letter in "cz" else "orgqr")
    ctx.call(name, m, k, k, work.address, ld, tau.address)
    q = work[:, :k]
    return (q.numpy(), r.numpy()) if of_numpy else (q, r)


def lstsq(a: Any, b: Any) -> Any:
    """x with the least |b - a x|, for a matrix of full rank; where a has fewer rows than columns,
    the solution of a x = b with the least |x|.

    >>> import gable_linalg as gl
    >>> A = gl.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    >>> gl.linalg.lstsq(A, gl.array([1.0, 2.0, 3.0])).numpy().round(6).tolist()
    [1.0, 1.0]
    """
    operands(a=a, b=b)
    x, of_numpy = _on_device(a, "a")
    y, _ = _on_device(b, "b")
    if x.ndim != 2 or y.ndim not in (1, 2) or y.shape[0] != x.shape[0]:
        raise BadArgumentError("a is %s and b is %s: they do not go together" % (x.shape, y.shape))
    ctx, letter, (m, n) = x.context, x.letter, x.shape
    nrhs = 1 if y.ndim == 1 else y.shape[1]
    rows = max(m, n, 1)
    with together(ctx, y):
        work = x if of_numpy else x.copy("F")
        out = zeros((rows, nrhs), letter, "F", ctx)
        part = out[:m]
        part.assign(y if y.ndim == 2 else y._view((m, 1), (y.strides[0], 1), 0))
        info = ctypes.c_int64()
        ctx.call("gable_%sgels" % letter, N, m, n, nrhs, work.address, max(m, 1), out.address, rows,
                 ctypes.byref(info))
    if info.value > 0:
        raise _failed("the matrix is not of full rank: element %d of its factor is 0", info.value)
    found = out[:n, 0] if y.ndim == 1 else out[:n]
    return found.numpy() if of_numpy else found


def norm(x: Any, ord: Optional[Any] = None) -> float:
    """The 2-norm of a vector; of a matrix "fro" (the default), 1, inf or "max". Waits.

    >>> import gable_linalg as gl
    >>> gl.linalg.norm(gl.array([3.0, 4.0]))
    5.0
    >>> gl.linalg.norm(gl.array([[1.0, -2.0], [3.0, 4.0]]), 1)
    6.0
    """
    a, _ = _on_device(x, "x")
    real = {"s": "s", "d": "d", "c": "s", "z": "d"}[a.letter]
    result = (ctypes.c_float if real == "s" else ctypes.c_double)()
    if a.ndim == 1:
        if ord not in (None, 2):
            raise BadArgumentError("ord is %r; of a vector it must be 2" % (ord,))
        v = a.vector("x")
        name = {"s": "snrm2", "d": "dnrm2", "c": "scnrm2", "z": "dznrm2"}[a.letter]
        a.context.call("gable_" + name, a.shape[0], v.address, v.inc, ctypes.byref(result))
        return result.value
    if a.ndim != 2:
        raise BadArgumentError("x must be a vector or a matrix; its shape is %s" % (a.shape,))
    kinds = {None: 174, "fro": 174, 1: 171, float("inf"): 175, "max": 177}
    if ord not in kinds:
        raise BadArgumentError("ord is %r; it must be 'fro', 1, inf or 'max'" % (ord,))
    view, kind = a.matrix("x"), kinds[ord]
    m, n = a.shape
    if view.by_rows:
        m, n, kind = n, m, {171: 175, 175: 171}.get(kind, kind)
    a.context.call("gable_%slange" % a.letter, kind, m, n, view.address, view.ld,
                   ctypes.byref(result))
    return result.value
