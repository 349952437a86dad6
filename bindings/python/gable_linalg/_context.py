# _context.py: contexts, devices, recordings, profiles, predictions.
# SPDX-License-Identifier: BSD-3-Clause
"""Contexts and what belongs to them.

A context serves one thread at a time: a call that meets another thread in the context raises
ContextBusyError instead of waiting. Each thread has a default context of its own, which opens when
it is first needed. After a fork the child opens contexts of its own; those of its parent answer
DeviceLostError.
"""
from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import threading
import weakref
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, TypeVar
from contextlib import contextmanager

from . import _interface
from ._errors import (BY_STATUS, BadArgumentError, ContextBusyError, ContextClosedError, GableError,
                      InternalError, NotRecordableError)
from ._library import CALLS, CONSTANTS, LISTED, STRUCTS, text

F = TypeVar("F", bound=Callable[..., Any])


class Device(NamedTuple):
    """What devices() tells of one device; reason says why it cannot be used."""

    name: str
    title: str
    driver: str
    compiler: str
    arch: str
    reason: str
    usable: bool
    is_gpu: bool
    units: int
    memory_bytes: int
    cache_bytes: int


def _device(info: Any) -> Device:
    words = [text(getattr(info, name)) for name in Device._fields[:6]]
    return Device(*words, bool(info.usable), bool(info.is_gpu), int(info.units),  # type: ignore
                  int(info.memory_bytes), int(info.cache_bytes))


def devices() -> List[Device]:
    """All devices that were found, usable or not.

    >>> import gable_linalg as gl
    >>> [d.usable for d in gl.devices() if d.name == "cpu"]
    [True]
    """
    out = []
    for index in range(CALLS["gable_device_count"]()):
        info = STRUCTS["gable_device_info"]()
        status = CALLS["gable_device_describe"](index, ctypes.byref(info))
        if status != 0:
            raise BY_STATUS[status]("gable_device_describe: device %d" % index)
        out.append(_device(info))
    return out


class _Local(threading.local):
    """Of each thread: its default context, those of `with` statements, that of a recording."""

    def __init__(self) -> None:
        self.default: Optional[Context] = None
        self.stack: List[Context] = []
        self.recorded: Optional[Context] = None  # that of the function which record() records


_local = _Local()


def _after_fork() -> None:
    global _local
    _local = _Local()


os.register_at_fork(after_in_child=_after_fork)


class Context:
    """One device, one queue, one workspace. device is a name as gable_open takes it: "cpu",
    "cuda:0", "opencl:pocl"; None takes $GABLE_DEVICE, else the best.

    allocator, None at first, may be a function that gets a number of bytes and gives an array of as
    many on the device, with __dlpack__: then new arrays lie in memory of that library's allocator,
    such as `lambda n: torch.empty(n, dtype=torch.uint8, device="cuda")`. It goes back when the
    queue is done with it.

    As a `with` statement it is the context that functions of this thread use inside, and it closes
    at the end.

    >>> import gable_linalg as gl
    >>> with gl.Context("cpu") as ctx:
    ...     x = gl.array([1.0, 2.0])
    ...     print(ctx.device.name, x + x)
    cpu gl.array([2., 4.])
    """

    def __init__(self, device: Optional[str] = None) -> None:
        self._handle: Optional[int] = None
        self._lock = threading.RLock()
        self._recording: Optional[Recording] = None
        # What was dropped while the context was busy in another thread, and what dies with it.
        self._doomed: List[Tuple[str, Tuple[Any, ...]]] = []
        self._objects: "weakref.WeakSet[Any]" = weakref.WeakSet()
        self._until_sync: List[Any] = []  # owners of foreign memory that the queue may still use
        self._later = False  # one of these lists may have something
        # Choices in force, those of `with` statements behind the environment's.
        self._variants: List[str] = [os.environ.get("GABLE_VARIANT", "")]
        self._out = ctypes.c_void_p()  # takes an address from a call under the lock
        self._out_address = ctypes.addressof(self._out)
        handle = ctypes.c_void_p()
        name = None if device is None else device.encode()
        status = CALLS["gable_open"](ctypes.byref(handle), name)
        if status != 0:
            message = text(CALLS["gable_message"](handle))
            CALLS["gable_close"](handle)
            raise BY_STATUS.get(status, InternalError)(message)
        self._handle = handle.value
        info = STRUCTS["gable_device_info"]()
        CALLS["gable_context_describe"](handle, ctypes.byref(info))
        self.device = _device(info)
        self.note = text(CALLS["gable_message"](handle))
        self.allocator: Optional[Callable[[int], Any]] = None
        self.is_host = self.device.name == "cpu"
        self.is_cuda = self.device.name.startswith("cuda")

    # ---- Calls ----

    def call(self, name: str, *arguments: Any) -> None:
        """Calls a function of the library on this context, and raises what it answers.

        >>> import gable_linalg as gl
        >>> gl.Context("cpu").call("gable_sync")
        """
        self.call_object(name, self._handle, *arguments)

    def call_object(self, name: str, thing: Optional[int], *arguments: Any) -> None:
        """The same for functions on an object of the context, such as a solver."""
        lock = self._lock
        if not lock.acquire(False):
            raise ContextBusyError("%s: another thread is in a call of this context; give each "
                                   "thread a context of its own" % name)
        try:
            if self._handle is None:
                raise ContextClosedError("%s: the context was closed" % name)
            if _local.recorded is not None and _local.recorded is not self:
                raise NotRecordableError("%s: the recorded function calls on another context than "
                                         "the one that records it, that of its first array" % name)
            if self._later:
                self._do_later()
            status = CALLS[name](thing, *arguments)
            if status:
                raise self._error(status)
        finally:
            lock.release()

    def _do_later(self) -> None:
        """What was put off until a call: objects to destroy, owners of foreign memory."""
        self._destroy_doomed()
        if len(self._until_sync) > 32 and self._recording is None:
            done, self._until_sync = self._until_sync, []
            CALLS["gable_sync"](self._handle)
            del done
        self._later = bool(self._doomed or self._until_sync)

    def _destroy_doomed(self) -> None:
        while self._doomed:
            name, arguments = self._doomed.pop(0)
            CALLS[name](*arguments)

    def drop(self, name: str, *arguments: Any) -> None:
        """Destroys an object of the context, or ends something, now or, if another thread is in a
        call of it, before the next call. Never raises: finalizers call it, in any thread."""
        if self._handle is None:
            return
        self._doomed.append((name, arguments))
        self._later = True
        if self._lock.acquire(False):
            try:
                self._destroy_doomed()
            finally:
                self._lock.release()

    def _error(self, status: int) -> GableError:
        return BY_STATUS.get(status, InternalError)(text(CALLS["gable_message"](self._handle)))

    def _open_handle(self, name: str) -> int:
        if self._handle is None:
            raise ContextClosedError("%s: the context was closed" % name)
        return self._handle

    def close(self) -> None:
        """Waits, and frees what the context owns. Arrays keep their memory, but take part in no
        call any more.

        >>> import gable_linalg as gl
        >>> ctx = gl.Context("cpu")
        >>> ctx.close()
        >>> ctx.closed
        True
        """
        if not self._lock.acquire(False):
            raise ContextBusyError("close: another thread is in a call of this context")
        try:
            if self._handle is not None:
                for thing in list(self._objects):
                    thing.destroy()
                self._destroy_doomed()
                handle, self._handle = self._handle, None
                CALLS["gable_close"](handle)
        finally:
            self._lock.release()

    @property
    def closed(self) -> bool:
        return self._handle is None

    def __del__(self, close: Any = CALLS["gable_close"]) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            self._handle = None
            close(handle)

    def __enter__(self) -> "Context":
        self._open_handle("with")
        _local.stack.append(self)
        return self

    def __exit__(self, *error: Any) -> None:
        _local.stack.remove(self)
        self.close()

    def __repr__(self) -> str:
        return "gl.Context(%r%s)" % (self.device.name, ", closed" if self.closed else "")

    # ---- What a context does ----

    def sync(self) -> None:
        """Waits until all enqueued work is done.

        >>> import gable_linalg as gl
        >>> gl.context().sync()
        """
        done, self._until_sync = self._until_sync, []
        try:
            self.call("gable_sync")
        except BaseException:
            self._until_sync += done
            raise

    def keep_until_sync(self, owner: Any) -> None:
        """Owners of foreign memory that was dropped; past 32 of them the next call waits first."""
        self._until_sync.append(owner)
        self._later = True

    def wait(self, other: "Context") -> None:
        """Later work of this context runs after all work enqueued so far on the other one.

        >>> import gable_linalg as gl
        >>> a, b = gl.Context("cpu"), gl.Context("cpu")
        >>> a.wait(b)
        """
        if other is self:
            return
        if not other._lock.acquire(False):
            raise ContextBusyError("wait: another thread is in a call of the other context")
        try:
            self.call("gable_wait", other._open_handle("wait"))
        finally:
            other._lock.release()

    def trim(self) -> None:
        """Waits, and gives memory that no array uses back to the device.

        >>> import gable_linalg as gl
        >>> gl.context().trim()
        """
        self.call("gable_memory_trim")

    def workspace(self) -> Dict[str, int]:
        """Bytes of the device's memory that the context holds: gable_workspace.

        >>> import gable_linalg as gl
        >>> sorted(gl.context().workspace())
        ['allocated', 'held', 'most_held', 'most_taken']
        """
        info = STRUCTS["gable_workspace_info"]()
        self.call("gable_workspace", ctypes.byref(info))
        return {name: int(getattr(info, name)) for name, _ in info._fields_}

    @property
    def stream(self) -> int:
        """The CUDA stream in use; 0 on other devices. It may be set; 0 is the context's own."""
        out = ctypes.c_void_p()
        self.call("gable_get_stream", ctypes.byref(out))
        return out.value or 0

    @stream.setter
    def stream(self, stream: int) -> None:
        self.call("gable_set_stream", ctypes.c_void_p(stream or None))

    @contextmanager
    def variant(self, choice: str) -> Iterator[None]:
        """Forces variants of routines inside a `with`: "gemm=tile", "dot=two_pass:local=256". At
        the end what was forced before is in force again: by a `with` around this one, by
        $GABLE_VARIANT.

        >>> import gable_linalg as gl
        >>> with gl.context().variant("dot=omp"):
        ...     pass
        """
        if not isinstance(choice, str):
            raise BadArgumentError('variant is %r; it must be text such as "gemm=tile"' % (choice,))
        self.call("gable_set_variant", choice.encode())
        self._variants.append(choice)
        try:
            yield
        finally:
            # The last of those that are equal: what they force is the same.
            del self._variants[len(self._variants) - 1 - self._variants[::-1].index(choice)]
            lifted = ["%s=" % entry.partition("=")[0] for entry in choice.split(",")]
            again = [entry for before in self._variants for entry in before.split(",")]
            words = ",".join(entry for entry in lifted + again if entry.strip("="))
            self.drop("gable_set_variant", self._handle, words.encode())

    def math(self, mode: str) -> None:
        """"plain" or "tf32x3": what products in single precision may be made of.

        >>> import gable_linalg as gl
        >>> gl.context().math("plain")
        """
        modes = {"plain": CONSTANTS["GABLE_MATH_PLAIN"], "tf32x3": CONSTANTS["GABLE_MATH_TF32X3"]}
        if mode not in modes:
            raise BadArgumentError("math is %r; it must be 'plain' or 'tf32x3'" % mode)
        self.call("gable_set_math", modes[mode])

    @contextmanager
    def record(self) -> Iterator["Recording"]:
        """Records the calls of a `with`; none of them runs before Recording.replay. Where the body
        raises, what was recorded is dropped. A recording cannot be made or replayed inside of one.

        >>> import gable_linalg as gl
        >>> x = gl.array([1.0, 2.0])
        >>> with gl.context().record() as twice:
        ...     x *= 2
        >>> twice.replay(); twice.replay()
        >>> x
        gl.array([4., 8.])
        """
        if self._recording is not None:
            raise NotRecordableError("record: a recording cannot be made inside of another one, "
                                     "which this context is making")
        recording = Recording(self)
        self.call("gable_record_begin")
        self._recording = recording
        handle = ctypes.c_void_p()
        try:
            yield recording
            self.call("gable_record_end", ctypes.byref(handle))
        except BaseException:
            self._recording = None
            self.drop("gable_record_end", self._handle, None)
            raise
        self._recording = None
        recording._take(handle.value)

    def keep(self, *things: Any) -> None:
        """Arrays that a call uses: a recording that is being made keeps them."""
        if self._recording is not None:
            self._recording._arrays.extend(things)

    @contextmanager
    def profile(self, what: str = "summary") -> Iterator[None]:
        """Counts and times all calls of a `with`: "summary" prints a table on the standard error at
        the end, "trace.json" writes a file for Perfetto, ",times" takes the device's clock.

        >>> import gable_linalg as gl, os, tempfile
        >>> path = os.path.join(tempfile.mkdtemp(), "trace.json")
        >>> with gl.context().profile(path):
        ...     y = gl.array([1.0]) + gl.array([2.0])
        >>> os.path.getsize(path) > 0
        True
        """
        self.call("gable_profile_start", what.encode())
        try:
            yield
        finally:
            self.call("gable_profile_stop")

    def predict(self, routine: str, m: int, n: int = 1, k: int = 1, side: str = "L",
                reads_c: bool = False) -> "Prediction":
        """How long a routine should take by the model: gable_predict.

        >>> import gable_linalg as gl
        >>> gl.context().predict("dgemm", 512, 512, 512).seconds > 0
        True
        """
        seconds, host = ctypes.c_double(), ctypes.c_double()
        where = CONSTANTS["GABLE_LEFT" if side in ("L", "left") else "GABLE_RIGHT"]
        self.call("gable_predict", routine.encode(), where, m, n, k, int(reads_c),
                  ctypes.byref(seconds), ctypes.byref(host))
        return Prediction(seconds.value, host.value)

    @property
    def last_device(self) -> str:
        """What ran the last call on numpy arrays: "cuda:0", "cpu"."""
        return text(CALLS["gable_last_device"](self._open_handle("last_device")))


class Prediction(NamedTuple):
    """Seconds that a call should take with operands on the device, and with operands on the host."""

    seconds: float
    host_seconds: float


class Recording:
    """Calls written down once, replayed with one launch. It keeps the arrays that they use."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._handle: Optional[int] = None
        self._arrays: List[Any] = []

    def _take(self, handle: Optional[int]) -> None:
        self._handle = handle

    def replay(self) -> None:
        """Enqueues all recorded calls.

        >>> import gable_linalg as gl
        >>> x = gl.array([3.0])
        >>> with gl.context().record() as recording:
        ...     x += x
        >>> recording.replay()
        >>> float(x[0])
        6.0
        """
        if self._handle is None:
            raise BadArgumentError("replay: the recording is not complete")
        if self.context._recording is not None:
            raise NotRecordableError("replay: a recording cannot be replayed inside of another "
                                     "one, which its context is making")
        self.context.call("gable_replay", self._handle)

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle is not None:
            self._handle = None
            self.context.drop("gable_recording_destroy", handle)


def record(function: F) -> F:
    """A decorator: the first call with some arrays records what the function does with them, and
    this and every later call with the same arrays replay it. Its result is not kept. Numbers and
    strings of one type are the same where they are equal, all else where it is the same object. A
    recording keeps its arrays until the function is dropped, their context closed, or 32 others
    were used since. It is made on the context of the first argument that has one, else on this
    thread's, and calls on others raise.

    >>> import gable_linalg as gl
    >>> @gl.record
    ... def double(x):
    ...     x *= 2
    >>> x = gl.array([1.0])
    >>> double(x); double(x); double(x)
    >>> x
    gl.array([8.])
    """
    known: Dict[Tuple[Any, ...], Tuple[Recording, Tuple[Any, ...]]] = {}

    @functools.wraps(function)
    def replayed(*arguments: Any, **named: Any) -> None:
        ctx = _context_of(arguments + tuple(named.values()))
        if ctx._recording is not None:
            raise NotRecordableError("%s: a recorded function cannot be called inside of a "
                                     "recording, which its context is making" %
                                     function.__qualname__)
        key = (id(ctx),) + tuple(map(_same, arguments)) + tuple(
            (name, _same(value)) for name, value in sorted(named.items()))
        used = known.pop(key, None)
        if used is None:
            for old in [k for k, (made, _) in list(known.items()) if made.context.closed]:
                known.pop(old, None)
            with ctx.record() as recording:
                _local.recorded = ctx
                try:
                    function(*arguments, **named)
                finally:
                    _local.recorded = None
            # What the key names stays alive, so that no other object gets its number.
            used = (recording, arguments + tuple(named.values()))
        known[key] = used  # behind all others: the first one was used longest ago
        for old in list(known)[:max(len(known) - _RECORDINGS_KEPT, 0)]:
            known.pop(old, None)
        used[0].replay()

    return replayed  # type: ignore[return-value]


_RECORDINGS_KEPT = 32  # of one function


def _same(thing: Any) -> Any:
    """What two arguments have in common where one recording serves both."""
    if thing is None or isinstance(thing, (bool, int, float, complex, str, bytes)):
        return type(thing), repr(thing)  # -0.0 is not 0.0, and a NaN is itself
    return id(thing)


def _context_of(things: Tuple[Any, ...]) -> Context:
    for thing in things:
        found = getattr(thing, "context", None)
        if isinstance(found, Context):
            return found
    return context()


def context() -> Context:
    """The context of this thread: that of the innermost `with`, else its default context, which is
    opened when it is first asked for.

    >>> import gable_linalg as gl
    >>> gl.context() is gl.context()
    True
    """
    if _local.stack:
        return _local.stack[-1]
    if _local.default is None or _local.default.closed:
        _local.default = Context()
    return _local.default


def predict(routine: str, m: int, n: int = 1, k: int = 1, side: str = "L",
            reads_c: bool = False) -> Prediction:
    """Context.predict of this thread's context.

    >>> import gable_linalg as gl
    >>> gl.predict("sgemm", 64, 64, 64).host_seconds > 0
    True
    """
    return context().predict(routine, m, n, k, side, reads_c)


def profile(what: str = "summary") -> Any:
    """Context.profile of this thread's context, for a `with`."""
    return context().profile(what)


def variant(choice: str) -> Any:
    """Context.variant of this thread's context, for a `with`."""
    return context().variant(choice)


def explain(routine: str, sizes: str, *options: str) -> str:
    """What `gable explain` says of a routine: its predicted and measured time, and what limits it.
    Runs the command `gable`, which is installed with the library ($GABLE_COMMAND names another).

    >>> import gable_linalg as gl
    >>> "gemm" in gl.explain("dgemm", "64", "--dry") or True     # doctest: +SKIP
    True
    """
    root = _interface.checkout()
    built = os.path.join(root, "build", "gable") if root else ""
    command = os.environ.get("GABLE_COMMAND") or (
        built if built and os.path.exists(built) else shutil.which("gable"))
    if not command:
        raise GableError("explain: the command gable is not installed (Debian: gable-tools)")
    done = subprocess.run([command, "explain", routine, sizes, *options], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode != 0:
        raise GableError("explain: " + done.stderr.strip())
    return done.stdout
