# typed_wrong.py: calls that mypy refuses, by the types of an installed package.
# SPDX-License-Identifier: BSD-3-Clause
import gable_linalg as gl

x = gl.array([1.0, 2.0])
gl.blas.daxpy(2, x, 10.0, 1, x, 1)
gl.blas.daxpi(2, 1.0, x, 1, x, 1)
text: str = gl.blas.ddot(2, x, 1, x, 1)
gl.blas.dgemm("N", "N", 2, 2, 2)
gl.blas.daxpy(n=2, alpha=1.0, x=x, incx=1, y=x, incy=1)
