# _errors.py: what is raised.
# SPDX-License-Identifier: BSD-3-Clause
"""Exceptions: one class per status of Gable, with Gable's own sentence as their text."""
from __future__ import annotations

from typing import Dict, Type


class GableError(Exception):
    """What Gable could not do. Its text is Gable's sentence; status is the number.

    >>> import gable_linalg as gl
    >>> try:
    ...     gl.Context("no such device")
    ... except gl.NoDeviceError as error:
    ...     print(error.status, "no such device" in str(error))
    2 True
    """

    status = 9


class BadArgumentError(GableError, ValueError):
    """An argument has an illegal value."""

    status = 1


class NoDeviceError(GableError):
    """The device is not there or cannot be opened."""

    status = 2


class OutOfMemoryError(GableError, MemoryError):
    """Memory is exhausted."""

    status = 3


class CompileError(GableError):
    """A kernel could not be compiled or loaded."""

    status = 4


class DeviceError(GableError):
    """The device refused or failed an operation."""

    status = 5


class DeviceLostError(GableError):
    """The device is lost, or the context belongs to the process that forked this one."""

    status = 6


class NotSupportedError(GableError):
    """This device or variant cannot do that."""

    status = 7


class NotRecordableError(GableError):
    """The call must wait for the host and cannot be recorded."""

    status = 8


class InternalError(GableError):
    """An internal rule was broken: please report it."""

    status = 9


class ContextBusyError(GableError, RuntimeError):
    """Another thread is in a call of the context. Each thread has its own default context."""

    status = 1


class ContextClosedError(GableError, RuntimeError):
    """The context was closed."""

    status = 1


class LayoutError(GableError, ValueError):
    """The array's strides would need a copy that nobody asked for."""

    status = 1


class LinAlgError(GableError, ArithmeticError):
    """The matrix is singular, not positive definite or not of full rank; info tells where."""

    status = 1
    info = 0


class NotSolvedWarning(UserWarning):
    """An iterative solver ended without the accuracy that was asked for."""


BY_STATUS: Dict[int, Type[GableError]] = {
    kind.status: kind
    for kind in (BadArgumentError, NoDeviceError, OutOfMemoryError, CompileError, DeviceError,
                 DeviceLostError, NotSupportedError, NotRecordableError, InternalError)
}
