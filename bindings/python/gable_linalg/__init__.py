# __init__.py: what `import gable_linalg as gl` gives.
# SPDX-License-Identifier: BSD-3-Clause
"""Gable: linear algebra for GPUs and CPUs that knows how fast it should be.

>>> import gable_linalg as gl
>>> A = gl.array([[4.0, 1.0], [1.0, 3.0]])
>>> b = gl.array([1.0, 2.0])
>>> x = gl.linalg.solve(A, b)
>>> gl.linalg.norm(A @ x - b) < 1e-12
True

Arrays live on the device of a context: this thread's own, unless a `with gl.Context("cuda:0")` says
otherwise. docs/python.md tells what is copied and when.
"""
from . import blas, linalg, sparse
from ._array import Array, array, empty, eye, full, random, zeros
from ._context import (Context, Device, Prediction, Recording, context, devices, explain, predict,
                       profile, record, variant)
from ._dlpack import asarray, from_cuda_array, from_dlpack
from ._errors import (BadArgumentError, CompileError, ContextBusyError, ContextClosedError,
                      DeviceError, DeviceLostError, GableError, InternalError, LayoutError,
                      LinAlgError, NoDeviceError, NotRecordableError, NotSolvedWarning,
                      NotSupportedError, OutOfMemoryError)
from ._functions import add, add_to, dot, matmul, multiply, scale, solve_triangular, vdot
from ._library import version

__version__ = "0.1.0"

__all__ = [
    "Array", "BadArgumentError", "CompileError", "Context", "ContextBusyError",
    "ContextClosedError", "Device", "DeviceError", "DeviceLostError", "GableError", "InternalError",
    "LayoutError", "LinAlgError", "NoDeviceError", "NotRecordableError", "NotSolvedWarning",
    "NotSupportedError", "OutOfMemoryError", "Prediction", "Recording", "add", "add_to", "array",
    "asarray", "blas", "context", "devices", "dot", "empty", "explain", "eye", "from_cuda_array",
    "from_dlpack", "full", "linalg", "matmul", "multiply", "predict", "profile", "random", "record",
    "scale", "solve_triangular", "sparse", "variant", "vdot", "version", "zeros",
]
