# _spectra.py: eigenvalues, singular values, and what follows from them; part of linalg.
# SPDX-License-Identifier: BSD-3-Clause
"""eigh, svd, pinv, matrix_rank, cond and their like, with numpy's signatures.

Arrays of the device are computed there, those of numpy by the standard door. Stacks, arrays of
shape (..., m, n), are computed matrix by matrix. Inputs stay as they are. All of these functions
wait, since they look whether the iteration converged; a matrix with a NaN or an infinity is a
LinAlgError.
"""
from __future__ import annotations

import ctypes
import itertools
import math
from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

from ._array import Array, Shape, TYPES, _numpy, array, empty, eye, scalar_of
from ._errors import BadArgumentError, LinAlgError
from ._functions import (C, Host, LOWER, N, Operand, UPPER, _copied, flag, fresh_stack, given_back,
                         operand, operands, scale)
from ._library import CONSTANTS

_REAL = {"s": "s", "d": "d", "c": "s", "z": "d"}
_EPSILON = {"s": 2.0 ** -23, "d": 2.0 ** -52, "c": 2.0 ** -23, "z": 2.0 ** -52}


class EighResult(NamedTuple):
    """What eigh gives: values in ascending order, and their vectors, which are columns."""

    eigenvalues: Any
    eigenvectors: Any


class SVDResult(NamedTuple):
    """What svd gives: a = U diag(S) Vh, S in descending order."""

    U: Any
    S: Any
    Vh: Any


def _matrices(a: Any, square: bool) -> Tuple[str, Operand]:
    prefix, (x,) = operands(a=a)
    if x.ndim < 2 or square and x.shape[-1] != x.shape[-2]:
        raise BadArgumentError("a must be %s or a stack of them; its shape is %s" %
                               ("a square matrix" if square else "a matrix", x.shape))
    return prefix, x


def _each(x: Operand) -> Iterator[Shape]:
    """The indices of the matrices of a stack: of a single one ()."""
    return itertools.product(*map(range, x.shape[:-2]))


def _reals(like: Operand, shape: Shape) -> Operand:
    """New real numbers beside an operand."""
    letter = _REAL[like.letter]
    if isinstance(like, Host):
        return Host(_numpy().empty(shape, TYPES[letter][0]), "the values")
    return empty(shape, letter, "C", like.context)


def _columns(like: Operand, shape: Shape) -> Operand:
    """New matrices, each by columns."""
    if isinstance(like, Host):
        shape = shape[:-2] + shape[:-3:-1]
        return Host(_numpy().empty(shape, TYPES[like.letter][0]).swapaxes(-1, -2), "the vectors")
    return fresh_stack(like, shape)


def _check(info: int, what: str) -> None:
    if info == 0:
        return
    error = LinAlgError("the matrix has a NaN or an infinity" if info < 0 else
                        "%s did not converge: info is %d" % (what, info))
    error.info = info
    raise error


def _eigen(a: Any, UPLO: str, vectors: bool) -> Tuple[Operand, Operand]:
    prefix, x = _matrices(a, True)
    uplo = flag(UPLO, "LU", (LOWER, UPPER), "UPLO")
    n, work = x.shape[-1], _copied(x)
    values = _reals(x, x.shape[:-1])
    name = prefix + ("heevd" if x.letter in "cz" else "syevd")
    job = CONSTANTS["GABLE_VECTORS" if vectors else "GABLE_NO_VECTORS"]
    info = ctypes.c_int64()
    for i in _each(x) if n else ():
        view = work[i].matrix("a")
        work.context.call(name, job, uplo, n, view.address, view.ld, values[i].address,
                          ctypes.byref(info))
        _check(info.value, "an eigenvalue")
    return values, work


def eigh(a: Any, UPLO: str = "L") -> EighResult:
    """Eigenvalues, ascending, and eigenvectors of a symmetric or Hermitian matrix, of which the
    lower triangle is read, or with UPLO "U" the upper one: numpy.linalg.eigh.

    >>> import gable_linalg as gl
    >>> w, v = gl.linalg.eigh(gl.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> w.numpy().round(6).tolist(), abs(v.numpy()).round(6).tolist()
    ([1.0, 3.0], [[0.707107, 0.707107], [0.707107, 0.707107]])
    """
    values, vectors = _eigen(a, UPLO, True)
    return EighResult(given_back(values), given_back(vectors))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of eigh alone: numpy.linalg.eigvalsh.

    >>> import gable_linalg as gl
    >>> gl.linalg.eigvalsh(gl.array([[2.0, 1.0], [1.0, 2.0]])).numpy().round(6).tolist()
    [1.0, 3.0]
    """
    return given_back(_eigen(a, UPLO, False)[0])


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True,
        hermitian: bool = False) -> Any:
    """a = U diag(S) Vh, S descending: numpy.linalg.svd. U is m by m and Vh n by n, or with
    full_matrices false m by k and k by n, k = min(m, n). compute_uv false: S alone. hermitian: by
    eigh, from the lower triangle.

    >>> import gable_linalg as gl
    >>> u, s, vh = gl.linalg.svd(gl.array([[3.0, 0.0], [0.0, -5.0], [0.0, 0.0]]), False)
    >>> u.shape, s, vh.shape
    ((3, 2), gl.array([5., 3.]), (2, 2))
    """
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    prefix, x = _matrices(a, False)
    (m, n), batch = x.shape[-2:], x.shape[:-2]
    k = min(m, n)
    work, values = _copied(x), _reals(x, batch + (k,))
    job = CONSTANTS["GABLE_NO_VECTORS" if not compute_uv else "GABLE_ALL_VECTORS" if full_matrices
                    else "GABLE_SOME_VECTORS"]
    left: Any = None
    right: Any = None
    if compute_uv:
        left = _columns(x, batch + (m, m if full_matrices else k))
        right = _columns(x, batch + (n if full_matrices else k, n))
    info = ctypes.c_int64()
    for i in _each(x) if k else ():
        view = work[i].matrix("a")
        vectors: Tuple[Any, ...] = (None, 1, None, 1)
        if compute_uv:
            u, v = left[i].matrix("U"), right[i].matrix("Vh")
            vectors = u.address, u.ld, v.address, v.ld
        work.context.call(prefix + "gesdd", job, m, n, view.address, view.ld, values[i].address,
                          *vectors, ctypes.byref(info))
        _check(info.value, "a singular value")
    if not compute_uv:
        return given_back(values)
    if k == 0:
        _identities(left)
        _identities(right)
    return SVDResult(given_back(left), given_back(values), given_back(right))


def _identities(x: Operand) -> None:
    """Vectors of a matrix without elements."""
    n = min(x.shape[-2:])
    if isinstance(x, Host):
        x.array[...] = _numpy().eye(*x.shape[-2:])
    elif n:
        for i in _each(x):
            x[i].assign(eye(n, x.letter, x.context))


def _hermitian_svd(a: Any, compute_uv: bool) -> Any:
    """|w| in descending order; columns of U are those of eigh, rows of Vh have the sign of w."""
    values, vectors = _eigen(a, "L", compute_uv)
    batch, n = values.shape[:-1], values.shape[-1]
    left: Any = _columns(vectors, vectors.shape) if compute_uv else None
    right: Any = _columns(vectors, vectors.shape) if compute_uv else None
    for i in itertools.product(*map(range, batch)):
        found = _host_values(values, i)
        order = sorted(range(n), key=lambda j: -abs(found[j]))
        _set_values(values, i, [abs(found[j]) for j in order])
        if not compute_uv or n == 0:
            continue
        if isinstance(vectors, Host):
            left.array[i][...] = vectors.array[i][:, order]
            right.array[i][...] = left.array[i].conj().T
        else:
            for to, j in enumerate(order):
                left[i][:, to].assign(vectors[i][:, j])
            p, q = left[i].matrix("U"), right[i].matrix("Vh")
            vectors.context.call("gable_%stranspose" % vectors.letter, C, n, n, p.address, p.ld,
                                 q.address, q.ld)
        for to, j in enumerate(order):
            if found[j] < 0:
                _scale(right[i][to], -1)
    if not compute_uv:
        return given_back(values)
    return SVDResult(given_back(left), given_back(values), given_back(right))


def _scale(x: Operand, factor: float) -> None:
    if isinstance(x, Host):
        x.array[...] *= factor
    else:
        scale(x, factor)


def _host_values(values: Operand, i: Shape) -> List[float]:
    found: List[float] = (values.array[i] if isinstance(values, Host) else values[i]).tolist()
    return found


def _set_values(values: Operand, i: Shape, numbers: List[float]) -> None:
    if isinstance(values, Host):
        values.array[i] = numbers
    elif numbers:
        values[i].assign(array(numbers, TYPES[values.letter][0], ctx=values.context))


def svdvals(x: Any) -> Any:
    """The singular values, descending: numpy.linalg.svdvals.

    >>> import gable_linalg as gl
    >>> gl.linalg.svdvals(gl.array([[3.0, 0.0], [0.0, -5.0]]))
    gl.array([5., 3.])
    """
    return svd(x, compute_uv=False)


def pinv(a: Any, rcond: Optional[float] = None, hermitian: bool = False, *,
         rtol: Optional[float] = None) -> Any:
    """The pseudo-inverse of Moore and Penrose: numpy.linalg.pinv. Singular values that are not
    above rcond (or rtol, its other name) times the largest one count as zeros; the default is
    max(m, n) times the machine's epsilon. hermitian: by eigh, from the lower triangle.

    >>> import gable_linalg as gl
    >>> gl.linalg.pinv(gl.array([[2.0, 0.0], [0.0, 0.0], [0.0, 4.0]]))
    gl.array([[0.5 , 0.  , 0.  ],
              [0.  , 0.  , 0.25]])
    """
    prefix, x = _matrices(a, hermitian)
    if rcond is not None and rtol is not None:
        raise BadArgumentError("rcond and rtol are two names of one thing; pass one of them")
    (m, n), batch = x.shape[-2:], x.shape[:-2]
    k = min(m, n)
    least = _least(x, rcond if rcond is not None else rtol)
    out = _columns(x, batch + (n, m))
    if k == 0 or 0 in batch:
        return given_back(out)
    left: Any
    right: Any
    if hermitian:
        values, left = _eigen(a, "L", True)
        right, op = _copied(left), N  # a = left diag(values) right^H
    else:
        left, values, right = (operand(part, "a") for part in svd(a, False))
        op = C  # a = left diag(values) right
    for i in _each(x):
        found = _host_values(values, i)
        cutoff = least * max(abs(value) for value in found)
        for j, value in enumerate(found):
            _scale(left[i][:, j], 1 / value if abs(value) > cutoff else 0.0)
        p, q, c = right[i].matrix("Vh"), left[i].matrix("U"), out[i].matrix("out")
        out.context.call(prefix + "gemm", op, C, n, m, k, scalar_of(x.letter, 1), p.address, p.ld,
                         q.address, q.ld, scalar_of(x.letter, 0), c.address, c.ld)
    return given_back(out)


def _least(x: Operand, rtol: Optional[float]) -> float:
    return max(x.shape[-2:]) * _EPSILON[x.letter] if rtol is None else float(rtol)


def _numbers_back(x: Operand, numbers: List[Any], dtype: str) -> Any:
    """A number per matrix: of a single one that number, of a stack an array like it."""
    batch = x.shape[:-2]
    if not batch:
        return numbers[0]
    if isinstance(x, Host):
        return _numpy().array(numbers, dtype).reshape(batch)
    return array(numbers, dtype, ctx=x.context).reshape(batch)


def matrix_rank(A: Any, tol: Optional[float] = None, hermitian: bool = False, *,
                rtol: Optional[float] = None) -> Any:
    """How many singular values are above tol, or above rtol times the largest one:
    numpy.linalg.matrix_rank. Without either rtol is max(m, n) times the machine's epsilon.
    hermitian: by eigvalsh, from the lower triangle.

    >>> import gable_linalg as gl
    >>> gl.linalg.matrix_rank(gl.array([[1.0, 2.0], [2.0, 4.0]]))
    1
    """
    _, x = _matrices(A, hermitian)
    if tol is not None and rtol is not None:
        raise BadArgumentError("tol and rtol cannot both be given")
    values = operand(svd(A, compute_uv=False, hermitian=hermitian), "the values")
    least, ranks = _least(x, rtol), []
    for i in _each(x):
        found = _host_values(values, i)
        cutoff = tol if tol is not None else least * max(found, default=0.0)
        ranks.append(sum(value > cutoff for value in found))
    return _numbers_back(x, ranks, "int64")


def cond(x: Any, p: Optional[Any] = None) -> Any:
    """The condition number, by the singular values (p None or 2; -2: its inverse), or as
    norm(x, p) norm(inv(x), p) for p 1, inf or "fro"; inf of a singular matrix: numpy.linalg.cond.

    >>> import gable_linalg as gl
    >>> gl.linalg.cond(gl.array([[1.0, 0.0], [0.0, 4.0]]))
    4.0
    >>> gl.linalg.cond(gl.array([[1.0, 0.0], [0.0, 0.0]]), 1)
    inf
    """
    _, operand_x = _matrices(x, p not in (None, 2, -2))
    if 0 in operand_x.shape[-2:]:
        raise LinAlgError("a matrix without elements has no condition number")
    numbers: List[float] = []
    if p in (None, 2, -2):
        values = operand(svd(x, compute_uv=False), "the values")
        for i in _each(operand_x):
            found = _host_values(values, i)
            large, small = (found[-1], found[0]) if p == -2 else (found[0], found[-1])
            numbers.append(large / small if small else math.inf)
    else:
        if p not in (1, "fro", math.inf):
            raise BadArgumentError("p is %r; it must be None, 2, -2, 1, inf or 'fro'" % (p,))
        from .linalg import inv, norm
        work = _copied(operand_x)  # norm needs columns or rows in one piece
        for i in _each(operand_x):
            matrix = given_back(work[i])
            try:
                numbers.append(norm(matrix, p) * norm(inv(matrix), p))
            except LinAlgError:
                numbers.append(math.inf)
    return _numbers_back(operand_x, numbers, TYPES[_REAL[operand_x.letter]][0])
