# test_lifetimes.py: contexts, arrays, views and tensors of the Python package, dropped in every order.
# SPDX-License-Identifier: BSD-3-Clause
"""What is still held shows in Context.workspace(), which counts what gable_alloc gave. Programs that
end with things alive run as processes of their own: their exit status and output count."""
import gc
import itertools
import os
import subprocess
import sys
import threading
import unittest
import warnings
import weakref

import gable_linalg as gl
import numpy as np


def allocated(ctx):
    gc.collect()
    ctx.trim()
    return ctx.workspace()["allocated"]


def run(program, **environment):
    """A program in a process of its own: nothing on its standard error, status 0."""
    done = subprocess.run([sys.executable, "-X", "dev", "-W", "error", "-c", program], text=True,
                          env={**os.environ, **environment}, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=200)
    assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    return done.stdout


class Orders(unittest.TestCase):
    def test_every_order(self):
        kinds = ["context", "array", "view", "transpose", "tensor"]
        for order in itertools.permutations(kinds):
            ctx = gl.Context()
            before = allocated(ctx)
            array = gl.array(np.arange(6.0).reshape(2, 3), ctx=ctx)
            alive = {"context": ctx, "array": array, "view": array[:, 1], "transpose": array.T}
            alive["tensor"] = np.from_dlpack(array) if ctx.is_host else array.__dlpack__()
            del array
            for name in order:
                thing = alive.pop(name)
                if name == "context":
                    thing.close()
                del thing
                if not ctx.closed:
                    self.assertEqual(allocated(ctx) > before, len(alive) > 1, order)
                elif ctx.is_host and "tensor" in alive:
                    np.testing.assert_array_equal(alive["tensor"], [[0, 1, 2], [3, 4, 5]])
            del ctx

    def test_failed_calls_leak_nothing(self):
        ctx = gl.Context()
        before = allocated(ctx)
        a = gl.zeros((3, 4), ctx=ctx)
        for call in (lambda: a @ a, lambda: gl.array([[1.0], [1.0, 2.0]], ctx=ctx),
                     lambda: gl.array(np.zeros(3, "float16"), ctx=ctx),
                     lambda: gl.linalg.inv(gl.zeros((3, 3), ctx=ctx)),
                     lambda: gl.empty(2 ** 62, ctx=ctx),
                     lambda: gl.sparse.csr([1.0], [7], [0, 1], (1, 1), ctx=ctx)):
            self.assertRaises(gl.GableError, call)
        del a
        self.assertEqual(allocated(ctx), before)
        ctx.close()

    def test_memory_is_used_again(self):
        ctx = gl.Context()
        a = gl.zeros(1000, ctx=ctx)
        for _ in range(3):
            a = a + a
        held = ctx.workspace()["allocated"]
        for _ in range(100):
            a = a + a
        self.assertLessEqual(ctx.workspace()["allocated"], held)
        ctx.close()

    def test_allocator_of_others(self):
        ctx = gl.Context()
        if not ctx.is_host:
            return
        before, given = allocated(ctx), []

        def allocator(size):
            room = np.empty(size + 16, "uint8")
            room = room[-room.ctypes.data % 16:][:size]
            given.append(weakref.ref(room.base))
            return room

        ctx.allocator = allocator
        a = gl.array(np.arange(6.0).reshape(2, 3), ctx=ctx)
        b = a @ a.T
        np.testing.assert_array_equal(b.numpy(), [[5, 14], [14, 50]])
        self.assertEqual((len(given), allocated(ctx)), (2, before))
        tensor = np.from_dlpack(b)
        del a, b
        gc.collect()
        self.assertEqual([room() is not None for room in given], [False, True])
        np.testing.assert_array_equal(tensor, [[5, 14], [14, 50]])
        ctx.allocator = lambda size: np.empty(size // 2, "uint8")
        self.assertRaises(gl.BadArgumentError, gl.zeros, 100, ctx=ctx)
        ctx.allocator = None
        ctx.close()
        del tensor
        gc.collect()
        self.assertIsNone(given[1]())

    def test_closed(self):
        ctx = gl.Context()
        a = gl.zeros(3, ctx=ctx)
        with ctx:
            self.assertIs(gl.context(), ctx)
        self.assertIsNot(gl.context(), ctx)
        self.assertTrue(ctx.closed)
        for call in (lambda: a + a, a.numpy, ctx.sync, lambda: gl.zeros(1, ctx=ctx), a.__dlpack__):
            self.assertRaises(gl.ContextClosedError, call)
        self.assertIn("closed", repr(a))
        ctx.close()

    def test_sparse_and_recordings(self):
        ctx = gl.Context()
        before = allocated(ctx)
        A = gl.sparse.csr([1.0, 2.0], [0, 1], [0, 1, 2], (2, 2), ctx=ctx)
        x, y = gl.zeros(2, ctx=ctx), gl.zeros(2, ctx=ctx)
        with ctx.record() as recording:
            A.matvec(x, y)
        address = x.address
        del x, y, A
        recording.replay()  # it keeps what it uses
        x = gl.zeros(2, ctx=ctx)
        self.assertNotEqual(x.address, address)
        del recording, x
        self.assertEqual(allocated(ctx), before)
        A = gl.sparse.csr([1.0], [0], [0, 1], (1, 1), ctx=ctx)
        ctx.close()
        self.assertRaises(gl.ContextClosedError, lambda: A.nnz and A.info())


class Threads(unittest.TestCase):
    def test_contexts_of_threads(self):
        main, seen, errors = gl.context(), [], []

        def work():
            try:
                for i in range(20):
                    a = gl.full(50, i)
                    b = a + a
                    assert b[7].item() == 2 * i
                seen.append(gl.context())
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(errors, [])
        self.assertEqual(len({id(ctx) for ctx in seen} | {id(main)}), 5)

    def test_busy_is_an_error(self):
        """A monitor lets another thread try while a solve is under way in this one."""
        ctx = gl.context()
        A = gl.sparse.csr([2.0, 3.0], [0, 1], [0, 1, 2], (2, 2))
        b, found = gl.array([1.0, 1.0]), []

        def attempt():
            for call in (ctx.sync, lambda: b + b, ctx.close):
                try:
                    call()
                except gl.ContextBusyError as error:
                    found.append(str(error))

        def monitor(_iteration, _residual):
            thread = threading.Thread(target=attempt)
            thread.start()
            thread.join()
            gl.zeros(3)  # this thread may

        x, info = gl.sparse.solve(A, b, method="cg", monitor=monitor)
        self.assertEqual(info.outcome, "solved")
        self.assertGreaterEqual(len(found), 3)
        self.assertFalse(ctx.closed)

    def test_dropped_by_other_threads(self):
        ctx = gl.Context()
        before = allocated(ctx)
        for _ in range(50):
            things = [gl.zeros(100, ctx=ctx) for _ in range(4)]
            things += [things[0].__dlpack__(max_version=(1, 0)), things[1].T]
            holder = [things]
            del things
            thread = threading.Thread(target=holder.clear)
            thread.start()
            gl.zeros(10, ctx=ctx).fill(1)
            thread.join()
        A = gl.sparse.csr([1.0], [0], [0, 1], (1, 1), ctx=ctx)
        holder = [A]
        del A
        thread = threading.Thread(target=holder.clear)
        thread.start()
        thread.join()
        self.assertEqual(allocated(ctx), before)
        ctx.close()

    def test_arrays_of_two_contexts(self):
        one, two = gl.Context(), gl.Context()
        a, b = gl.array([1.0, 2.0], ctx=one), gl.array([3.0, 4.0], ctx=two)
        self.assertEqual((a + b).tolist(), [4.0, 6.0])
        self.assertIs((a + b).context, one)
        self.assertEqual((a @ b).item(), 11.0)
        two.close()
        self.assertRaises(gl.ContextClosedError, lambda: a + b)


class Ends(unittest.TestCase):
    """Interpreters that end with things alive, and children of fork."""

    def test_exit(self):
        program = """
import gable_linalg as gl, sys, threading
import numpy as np
ctx = gl.Context()
a = gl.array(np.arange(4.0), ctx=ctx)
tensor = np.from_dlpack(a) if ctx.is_host else a.__dlpack__()
A = gl.sparse.csr([1.0], [0], [0, 1], (1, 1))
with gl.context().record() as recording:
    pass
cycle = [a.T, ctx, A]; cycle.append(cycle)
sys.kept = (a, tensor, ctx, recording)
%s
print("end")
"""
        for last in ("", "del a, ctx", "ctx.close()", "tensor = None",
                     "threading.Thread(target=lambda: gl.zeros(3)).start()",
                     "import os; os.register_at_fork; sys.exit(0) if print('end') else None"):
            self.assertTrue(run(program % last).startswith("end"), last)

    def test_fork(self):
        out = run("""
import gable_linalg as gl, os
ctx = gl.Context("cpu")
a = gl.array([1.0, 2.0], ctx=ctx)
child = os.fork()
if child == 0:
    status = 1
    try:
        a + a
    except gl.DeviceLostError:
        with gl.Context("cpu"):
            b = gl.array([1.0, 2.0])
            status = 0 if (b + b).tolist() == [2.0, 4.0] else 2
        del a
    os._exit(status)
assert os.waitpid(child, 0)[1] == 0
print((a + a).tolist())
""", GABLE_DEVICE="cpu")
        self.assertEqual(out, "[2.0, 4.0]\n")

    def test_multiprocessing(self):
        out = run("""
import multiprocessing, warnings
import gable_linalg as gl
def work(i):
    return float((gl.full(3, i) @ gl.full(3, 1.0)).item())
if __name__ == "__main__":
    warnings.simplefilter("ignore")
    gl.zeros(3)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(work, range(4)))
""", GABLE_DEVICE="cpu")
        self.assertEqual(out, "[0.0, 3.0, 6.0, 9.0]\n")

    def test_without_numpy(self):
        out = run("""
import sys
sys.modules["numpy"] = None
import gable_linalg as gl
A = gl.array([[2.0, 1.0], [1.0, 3.0]])
b = gl.array([3.0, 4.0])
print(gl.linalg.solve(A, b).tolist(), (A @ b).tolist(), (A + A.T)[0].tolist())
print(A)
try:
    A.numpy()
except ImportError as error:
    print(error)
""")
        self.assertEqual(out.splitlines()[0], "[1.0, 1.0] [10.0, 15.0] [4.0, 2.0]")
        self.assertIn("[[2.0, 1.0], [1.0, 3.0]]", out)
        self.assertIn("needs numpy", out)


class Contexts(unittest.TestCase):
    def test_errors(self):
        with self.assertRaises(gl.NoDeviceError) as error:
            gl.Context("cuda:99")
        self.assertIn("gable_open: ", str(error.exception))
        self.assertIsInstance(error.exception, gl.GableError)
        with self.assertRaises(gl.BadArgumentError) as error:
            gl.context().call("gable_set_variant", b"nothing=1")
        self.assertIn("gable_set_variant", str(error.exception))
        self.assertRaises(gl.BadArgumentError, gl.context().math, "fast")
        self.assertRaises(gl.OutOfMemoryError, gl.empty, 2 ** 58)

    def test_recording(self):
        x = gl.array([1.0, 2.0])
        with gl.context().record() as recording:
            x *= 2
            self.assertRaises(gl.NotRecordableError, lambda: x + x)
            self.assertRaises(gl.NotRecordableError, x.numpy)
        self.assertEqual(x.tolist(), [1.0, 2.0])
        recording.replay()
        self.assertEqual(x.tolist(), [2.0, 4.0])
        with self.assertRaises(KeyError):
            with gl.context().record():
                raise KeyError
        calls = []

        @gl.record
        def double(y):
            calls.append(y)
            y *= 2

        y = gl.array([1.0])
        double(x), double(x), double(y)
        self.assertEqual((x.tolist(), y.item(), len(calls)), ([8.0, 16.0], 2.0, 2))

    def usable(self, ctx):
        """Whether a context calls, waits and records as ever."""
        x = gl.array([1.0, 2.0], ctx=ctx)
        with ctx.record() as recording:
            x *= 2
        recording.replay()
        self.assertEqual((x + x).tolist(), [4.0, 8.0])

    def test_recordings_keep(self):
        """Operands of solves, and arrays of numpy on cpu, were let go."""
        ctx = gl.context()
        a = np.array([[4.0, 1.0], [1.0, 3.0]])
        for factor, solver in ((gl.linalg.lu_factor, gl.linalg.lu_solve),
                               (gl.linalg.cho_factor, gl.linalg.cho_solve)):
            factors, b = factor(gl.array(a, order="F")), gl.array([5.0, 4.0])
            with ctx.record() as recording:
                solver(factors, b, overwrite_b=True)
            kept = [weakref.ref(x) for x in (b, *factors) if isinstance(x, gl.Array)]
            self.assertEqual(len(kept), 3 if solver is gl.linalg.lu_solve else 2)
            del b, factors
            gc.collect()
            self.assertTrue(all(x() is not None for x in kept))
            for _ in range(8):
                gl.full(2, 7.0).fill(8)  # takes memory that was let go
            recording.replay()
            np.testing.assert_allclose(kept[0]().numpy(), [1.0, 1.0], atol=1e-14)
            del recording
            gc.collect()
            self.assertEqual([x() for x in kept], [None] * len(kept))
        if ctx.is_host:
            host = np.ones(3)
            with ctx.record() as recording:
                gl.blas.dscal(3, 2.0, host, 1)
            kept = weakref.ref(host)
            del host
            recording.replay()
            np.testing.assert_array_equal(kept(), [2, 2, 2])

    def test_recordings_and_closed_contexts(self):
        @gl.record
        def double(y):
            y *= 2

        ctx = gl.Context()
        y = gl.array([1.0], ctx=ctx)
        double(y), double(y)
        with ctx.record() as recording:
            y += y
        self.assertEqual(y.item(), 4.0)
        kept = weakref.ref(y)
        ctx.close()
        for call in (lambda: double(y), recording.replay, lambda: double(y)):
            self.assertRaises(gl.ContextClosedError, call)
        del y, recording
        other = gl.array([3.0])
        double(other)  # lets go of what closed contexts had
        gc.collect()
        self.assertIsNone(kept())
        self.assertEqual(other.item(), 6.0)

        ctx = gl.Context()
        y = gl.array([1.0], ctx=ctx)
        with self.assertRaises(KeyError):  # the body's exception, not that of the end
            with ctx.record():
                y *= 2
                ctx.close()
                raise KeyError
        with self.assertRaises(gl.ContextClosedError):
            with gl.context().record():
                double(y)
        self.usable(gl.context())

    def test_recordings_by_value(self):
        """Numbers that are computed anew are the same argument; of arrays the last 32 are kept."""
        made = []

        @gl.record
        def scale(x, by, how="plain"):
            made.append(by)
            x *= by

        x = gl.array([1.0])
        for i in range(4):
            scale(x, float("2.5"), how="".join(["pl", "ain"]))
        scale(x, 2), scale(x, 2.0), scale(x, True), scale(x, -0.0), scale(x, 0.0)
        self.assertEqual(len(made), 6)
        self.assertEqual(x.item(), 0.0)

        kept = []
        for i in range(40):
            y = gl.array([float(i)])
            kept.append(weakref.ref(y))
            scale(y, 3.0)
            scale(x, 2.5, how="plain")  # used each time, so it stays
            self.assertEqual(y.item(), 3.0 * i)
        del y
        gc.collect()
        self.assertEqual(sum(a() is not None for a in kept), 31)
        self.assertEqual(len(made), 46)

    def test_recordings_that_fail(self):
        ctx = gl.context()
        x = gl.array([1.0, 2.0])
        calls = []

        @gl.record
        def broken(y):
            calls.append(y)
            y *= 2
            y + y  # a new array

        for _ in range(2):
            self.assertRaises(gl.NotRecordableError, broken, x)
            self.usable(ctx)
        with self.assertRaises(ZeroDivisionError):
            with ctx.record() as recording:
                x *= 2
                1 / 0
        self.assertRaises(gl.BadArgumentError, recording.replay)
        self.usable(ctx)
        self.assertEqual((x.tolist(), len(calls)), ([1.0, 2.0], 2))

    def test_recordings_of_another_context(self):
        """Calls on a context that does not record would run once, and never again."""
        ctx, x = gl.context(), gl.array([1.0])

        @gl.record
        def double():
            nonlocal x
            x *= 2

        double(), double()
        with gl.Context(ctx.device.name) as other:
            for _ in range(2):
                with self.assertRaises(gl.NotRecordableError) as error:
                    double()
                self.assertIn("another context", str(error.exception))
            self.usable(other)
        self.usable(ctx)
        double()
        self.assertEqual(x.item(), 8.0)

    def test_recordings_inside_of_recordings(self):
        @gl.record
        def inner(y):
            y *= 2

        @gl.record
        def outer(y):
            inner(y)

        @gl.record
        def itself(y):
            itself(y)

        ctx, x = gl.context(), gl.array([1.0])
        with ctx.record() as recording:
            x *= 2

        def nested():
            with ctx.record():
                with ctx.record():
                    pass

        def replayed():
            with ctx.record():
                recording.replay()

        for _ in range(2):  # inner is not recorded yet, and then it is
            for call, name in ((lambda: outer(x), "inner"), (lambda: itself(x), "itself"),
                               (nested, "record: "), (replayed, "replay: ")):
                with self.assertRaises(gl.NotRecordableError) as error:
                    call()
                self.assertIn(name, str(error.exception))
                self.usable(ctx)
            inner(x)
        self.assertEqual(x.item(), 4.0)

    def unfit(self, ctx, op):
        """A variant that no call on the device fits: a call says whether it is in force."""
        return "%s=%s" % (op, "two_pass" if ctx.is_host else "omp")

    def test_variants(self):
        """Each `with` gives back what was forced before, also where its body raises: it lifted all
        variants, those of a `with` around it and of $GABLE_VARIANT, too."""
        ctx = gl.context()
        x = gl.array([1.0, -2.0])

        def forced(op):
            try:
                gl.blas.ddot(2, x, 1, x, 1) if op == "dot" else gl.blas.dasum(2, x, 1)
                return False
            except gl.NotSupportedError:
                return True

        def state():
            return forced("dot"), forced("asum")

        self.assertEqual(state(), (False, False))
        with self.assertRaises(KeyError):
            with ctx.variant(self.unfit(ctx, "dot")):
                self.assertEqual(state(), (True, False))
                with ctx.variant(self.unfit(ctx, "asum")):
                    self.assertEqual(state(), (True, True))
                self.assertEqual(state(), (True, False))
                with ctx.variant("dot=,asum=" + self.unfit(ctx, "")[1:]):
                    self.assertEqual(state(), (False, True))
                with self.assertRaises(ZeroDivisionError):
                    with ctx.variant("dot="):
                        self.assertEqual(state(), (False, False))
                        1 / 0
                self.assertEqual(state(), (True, False))
                with self.assertRaises(gl.BadArgumentError):
                    with ctx.variant("asum=nothing"):
                        pass
                self.assertEqual(state(), (True, False))
                raise KeyError
        self.assertEqual(state(), (False, False))
        out = run("""
import gable_linalg as gl
ctx, x = gl.context(), gl.array([1.0, 2.0])
for _ in range(2):
    try:
        gl.blas.ddot(2, x, 1, x, 1)
    except gl.NotSupportedError:
        print("forced")
    with ctx.variant("dot="):
        print(gl.blas.ddot(2, x, 1, x, 1))
""", GABLE_VARIANT=self.unfit(ctx, "dot"))
        self.assertEqual(out, "forced\n5.0\n" * 2)
        closed = gl.Context()
        with self.assertRaises(KeyError):
            with closed.variant(self.unfit(ctx, "dot")):
                closed.close()
                raise KeyError

    def test_variants_end_beside_another_thread(self):
        ctx = gl.Context()
        x = gl.array([1.0, 2.0], ctx=ctx)
        A = gl.sparse.csr([2.0, 3.0], [0, 1], [0, 1, 2], (2, 2), ctx=ctx)
        outer = ctx.variant(self.unfit(ctx, "asum"))
        inner = ctx.variant("asum=")
        outer.__enter__(), inner.__enter__()
        ended = []

        def end():
            for statement in (inner, outer):
                statement.__exit__(None, None, None)
                ended.append(statement)

        def monitor(_iteration, _residual):
            if not ended:
                thread = threading.Thread(target=end)
                thread.start()
                thread.join()

        gl.sparse.solve(A, x, method="cg", monitor=monitor)
        self.assertEqual(len(ended), 2)
        self.assertEqual(gl.blas.dasum(2, x, 1), 3.0)
        ctx.close()

    def test_model_and_variants(self):
        self.assertGreater(gl.predict("dgemm", 256, 256, 256).seconds, 0)
        self.assertRaises(gl.BadArgumentError, gl.predict, "nothing", 2)
        x = gl.array([1.0, 2.0])
        name = "omp" if gl.context().is_host else "two_pass"
        with gl.variant("dot=" + name):
            self.assertEqual((x @ x).item(), 5.0)
        self.assertRaises(gl.BadArgumentError, gl.variant(7).__enter__)
        for choice, word in (("dot=nothing", "nothing"), ("nothing=omp", "nothing"),
                             ("dot=%s,gemm=nothing" % name, "nothing"), ("dot", "op=variant")):
            with self.assertRaises(gl.BadArgumentError) as error:
                with gl.variant(choice):
                    pass
            self.assertIn("gable_set_variant: argument 2 (choice)", str(error.exception))
            self.assertIn(word, str(error.exception))
        ctx = gl.context()
        self.assertEqual(ctx.device.name, [d for d in gl.devices() if d.name == ctx.device.name][0].name)
        self.assertEqual(gl.version(), gl.__version__)
        if not ctx.is_cuda:
            self.assertEqual(ctx.stream, 0)
            self.assertRaises(gl.NotSupportedError, setattr, ctx, "stream", 1)


if __name__ == "__main__":
    unittest.main()
