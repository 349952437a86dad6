# typed_use.py: calls that mypy takes, by the types of an installed package.
# SPDX-License-Identifier: BSD-3-Clause
import gable_linalg as gl
import numpy as np

x = gl.array([1.0, 2.0])
A = np.zeros((2, 2), order="F")
product: float = gl.blas.ddot(2, x, 1, x, 1)
both: complex = gl.blas.zdotc(1, gl.array([1j]), 1, gl.array([1j]), 1)
gl.blas.daxpy(2, 10.0, x, 1, x, 1, ctx=None)
gl.blas.host_dgemm("N", "T", 2, 2, 2, 1.0, A, 2, A, 2, 0.0, A, 2)
info: int = gl.blas.dpotrf("L", 1, x, 1)
