# test_array.py: arrays of the Python package: layouts, views, transfers, operators, other libraries.
# SPDX-License-Identifier: BSD-3-Clause
"""Compared with numpy, element by element: small integers, so that results are exact."""
import itertools
import unittest

import gable_linalg as gl
import numpy as np

DTYPES = ["float32", "float64", "complex64", "complex128"]


def numbers(shape, dtype="float64", seed=0):
    """Small integers, complex ones for complex types."""
    generator = np.random.default_rng(seed + 1)
    out = generator.integers(-4, 5, shape).astype(dtype)
    if "complex" in dtype:
        out = out + 1j * generator.integers(-4, 5, shape)
    return np.asarray(out, dtype)


def same(case, found, wanted):
    found = found.numpy() if isinstance(found, gl.Array) else found
    case.assertEqual(found.shape, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


class Transfers(unittest.TestCase):
    def test_layouts(self):
        for dtype, order in itertools.product(DTYPES + ["int64"], "CF"):
            for shape in [(), (0,), (1,), (5,), (0, 3), (3, 0), (1, 1), (3, 4), (2, 3, 4), (2, 0, 4)]:
                host = np.asarray(numbers(shape, dtype), order=order)
                a = gl.array(host)
                self.assertEqual((a.dtype, a.shape, a.size, a.ndim),
                                 (dtype, host.shape, host.size, host.ndim))
                same(self, a, host)
                self.assertEqual(np.asarray(a.tolist(), dtype).tolist(), host.tolist())
                other = gl.array(host, order="F" if order == "C" else "C")
                same(self, other, host)

    def test_gaps_and_reversed(self):
        host = numbers((7, 9))
        a = gl.array(host)
        keys = [np.s_[1], np.s_[:, 2], np.s_[::2], np.s_[:, ::-1], np.s_[::-2, 1:7:3], np.s_[..., 0],
                np.s_[-1, -1], np.s_[3:3], np.s_[1:4, 2:8], np.s_[None, 2:, 3], np.s_[::-1, ::-1]]
        for key in keys:
            same(self, gl.array(host[key]), host[key])
            same(self, a[key], host[key])
            same(self, a[key].copy("C"), host[key])
            same(self, a[key].copy("F"), host[key])
            same(self, a.T[key] if host.T[key].size else a.T[key], host.T[key])
        deep = numbers((3, 4, 5, 2))
        same(self, gl.array(deep)[::2, 1:3, ::-1], deep[::2, 1:3, ::-1])
        same(self, gl.array(deep).T, deep.T)
        same(self, gl.array(deep).mT, deep.swapaxes(-1, -2))
        self.assertRaises(IndexError, lambda: a[7])
        self.assertRaises(IndexError, lambda: a[0, 0, 0])
        self.assertRaises(IndexError, lambda: a["x"])

    def test_assignment(self):
        host = numbers((5, 6))
        a = gl.array(host)
        for key, value in [(np.s_[1], 7), (np.s_[:, 2], numbers(5)), (np.s_[::2, ::-1], numbers((3, 6))),
                           (np.s_[1:3, 1:3], numbers((2, 2))), (np.s_[4:4], 3)]:
            host[key] = value
            a[key] = value
            same(self, a, host)
        a[0] = gl.array(host[1])
        host[0] = host[1]
        same(self, a, host)
        self.assertRaises(gl.BadArgumentError, a.__setitem__, 0, numbers(3))
        for value in (np.ones(6) + 1j, [1j] * 6, 1j, np.complex64(1j), np.ones((), "complex64")):
            self.assertRaises(gl.BadArgumentError, a.__setitem__, 0, value)  # its imaginary part
        same(self, a, host)
        whole = gl.zeros(4, "int64")
        whole[1:3] = 9
        same(self, whole, np.array([0, 9, 9, 0]))

    def test_types_refused_by_name(self):
        for kind in ["float16", "int32", "bool", "uint8", "object"]:
            with self.assertRaises(gl.NotSupportedError) as error:
                gl.array(np.zeros(3, kind))
            self.assertIn(kind, str(error.exception))
        with self.assertRaises(gl.NotSupportedError) as error:
            gl.array(np.zeros(3, ">f8" if np.little_endian else "<f8"))
        self.assertIn("byte order", str(error.exception))

    def test_odd_addresses(self):
        # Bytes that are not aligned to numbers: copied right, never in place.
        block = np.zeros(8 * 6 + 1, "uint8")
        odd = block[1:].view("float64")
        odd[:] = np.arange(6)
        self.assertFalse(odd.flags.aligned)
        same(self, gl.array(odd), odd)
        self.assertRaises(gl.LayoutError, gl.matmul, odd.reshape(2, 3), np.eye(3))

    def test_elements_at_one_address(self):
        """Arrays some of whose elements share an address take no results. The room behind what they
        reach stays as it was: a fill went along a stride of 0 as if it were 1."""
        room = gl.zeros(64)

        def view(shape, strides):
            return gl.Array(room.context, "d", shape, strides, room.address, room._memory)

        three = gl.array([1.0, 2.0, 3.0])
        for shape, strides in [((3,), (0,)), ((40,), (0,)), ((40, 3), (0, 1)), ((3, 40), (1, 0)),
                               ((3, 3), (0, 0)), ((3, 3), (1, 2)), ((3, 3), (1, 1)),
                               ((3, 3), (2, 2)), ((2, 3, 3), (0, 3, 1)), ((2, 3, 3), (2, 3, 1))]:
            out = view(shape, strides)
            values = numbers(shape)
            changes = [lambda: out.fill(1), lambda: out.assign(2), lambda: out.assign(values),
                       lambda: out.assign(gl.array(values)), lambda: gl.scale(out, 2),
                       lambda: gl.add_to(out, gl.array(values), 1),
                       lambda: gl.blas.dscal(1, 2.0, out, 1)]
            if shape == (3,):
                changes += [lambda: gl.matmul(gl.eye(3), three, out=out),
                            lambda: gl.solve_triangular(gl.eye(3), out, overwrite_b=True),
                            lambda: gl.linalg.solve(gl.eye(3), out, overwrite_b=True)]
            elif shape[-2:] == (3, 3):
                left = gl.zeros(shape)
                changes += [lambda: gl.matmul(left, gl.eye(3), out=out),
                            lambda: gl.solve_triangular(gl.eye(3), out, overwrite_b=True)]
            for change in changes:
                with self.assertRaises(ValueError) as error:
                    change()
                self.assertIn("one address", str(error.exception))
            same(self, room, np.zeros(64))
        for shape, strides in [((1, 3), (0, 1)), ((3, 1), (1, 0)), ((0, 3), (0, 0)),
                               ((3, 2), (2, 3)), ((2, 3, 3), (20, -3, 1)), ((3, 3), (4, 9))]:
            out = gl.Array(room.context, "d", shape, strides, room.address + 160, room._memory)
            gl.add_to(out, gl.full(shape, 5), 1)
            out *= 2
            same(self, out, np.full(shape, 10.0))
            room.fill(0)

    def test_elements_at_one_address_of_numpy(self):
        as_strided = np.lib.stride_tricks.as_strided
        room = np.zeros(64)
        stack = np.array([np.eye(3), 2 * np.eye(3)])
        for shape, strides, left in [((3,), (0,), np.eye(3)), ((3, 3), (0, 8), np.eye(3)),
                                     ((3, 3), (8, 16), np.eye(3)), ((2, 3, 3), (0, 24, 8), stack),
                                     ((2, 3, 3), (16, 24, 8), stack)]:
            out = as_strided(room, shape, strides)
            right = np.ones(3) if len(shape) == 1 else np.ones((3, 3))
            for change in (lambda: gl.matmul(left, right, out=out),
                           lambda: gl.solve_triangular(left, out, overwrite_b=True),
                           lambda: gl.blas.host_dgemm("N", "N", 1, 1, 1, 1, right, 3, right, 3, 0,
                                                      out, 3)):
                with self.assertRaises(ValueError) as error:
                    change()
                self.assertIn("one address", str(error.exception))
            np.testing.assert_array_equal(room, 0)
        out = as_strided(room, (3, 3), (0, 8))
        self.assertRaises(ValueError, gl.linalg.lu_factor, out, overwrite_a=True)
        out = as_strided(room, (1, 3), (0, 8))
        gl.matmul(np.ones((1, 3)), np.eye(3), out=out)
        np.testing.assert_array_equal(room[:4], [1, 1, 1, 0])

    def test_without_numpy_arrays(self):
        self.assertEqual(gl.array([[1, 2], [3, 4]]).tolist(), [[1.0, 2.0], [3.0, 4.0]])
        self.assertEqual(gl.array([1j]).dtype, "complex128")
        self.assertEqual(gl.array([]).shape, (0,))
        self.assertEqual(gl.array(3.0).item(), 3.0)
        self.assertRaises(gl.BadArgumentError, gl.array, [[1, 2], [3]])
        self.assertRaises(gl.BadArgumentError, gl.array, ["a"])
        same(self, gl.full((2, 2), 3, "complex64"), np.full((2, 2), 3, "complex64"))
        same(self, gl.eye(3, "float32"), np.eye(3, dtype="float32"))
        self.assertEqual(gl.random(5, "float32", seed=3).tolist(),
                         gl.random(8, "float32", seed=3)[:5].tolist())

    def test_one_number(self):
        a = gl.array([[2.5]])
        self.assertEqual((float(a), int(a), complex(a), bool(a)), (2.5, 2, 2.5 + 0j, True))
        self.assertRaises(gl.BadArgumentError, gl.zeros(2).item)
        self.assertEqual(len(gl.zeros((3, 2))), 3)
        self.assertEqual([x.shape for x in gl.zeros((3, 2))], [(2,)] * 3)


class Operators(unittest.TestCase):
    def test_sums(self):
        for dtype in DTYPES[1::2]:
            for shape in [(), (5,), (3, 4), (2, 3, 4), (0, 2)]:
                x, y = numbers(shape, dtype), numbers(shape, dtype, 1)
                for of_a, of_b in itertools.product("CF", "CF"):
                    a, b = gl.array(x, order=of_a), gl.array(y, order=of_b)
                    same(self, a + b, x + y)
                    same(self, a - b, x - y)
                    same(self, gl.multiply(a, 3), 3 * x)
                    same(self, -a, -x)
                    kept = a
                    a += b
                    same(self, kept, x + y)
                    a -= b
                    a *= 2
                    same(self, kept, 2 * x)
        x = numbers((4, 6))
        a = gl.array(x)
        same(self, a[:, ::2].copy() + a[:, 1::2].copy(), x[:, ::2] + x[:, 1::2])
        same(self, a[::-1, 0] + a[:, 1], x[::-1, 0] + x[:, 1])
        self.assertRaises(TypeError, lambda: a + 1)
        self.assertRaises(gl.BadArgumentError, lambda: a + gl.zeros((4, 5)))
        self.assertRaises(gl.NotSupportedError, lambda: gl.zeros(2, "int64") + gl.zeros(2, "int64"))
        same(self, a[::2, ::2] + a[::2, ::2], 2 * x[::2, ::2])
        self.assertRaises(gl.BadArgumentError, lambda: gl.zeros(2) * 1j)

    def test_overlaps(self):
        """What a call writes must not be what it reads, but for the same view; the question is
        answered exactly: parts between each other's elements are free."""
        x = numbers((6, 6))
        for order in "CF":
            for of, to in [(np.s_[:-1], np.s_[1:]), (np.s_[::-1], np.s_[:]),
                           (np.s_[:, ::-1], np.s_[:]), (np.s_[:, :4], np.s_[:, 2:]), (np.s_[0], np.s_[:, 0])]:
                for whole in (gl.array(x, order=order), gl.array(x, "complex128", order)):
                    kept = whole.numpy()
                    target, source = whole[to], whole[of]
                    for change in (lambda: target.assign(source),
                                   lambda: gl.add_to(target, source, 1),
                                   lambda: target.__iadd__(source),
                                   lambda: target.__isub__(source)):
                        with self.assertRaises(ValueError) as error:
                            change()
                        self.assertIn("shares memory" if "b " in str(error.exception) else
                                      "share memory", str(error.exception))
                    same(self, whole, kept)
            a, wanted = gl.array(x, order=order), x.copy()
            self.assertRaises(ValueError, gl.add_to, a, a.T, 1)
            for of, to in [(np.s_[:, 1::2], np.s_[:, ::2]), (np.s_[3:], np.s_[:3]),
                           (np.s_[2], np.s_[1]), (np.s_[:, 4], np.s_[:, 2]), (np.s_[1:3, 3:], np.s_[1:3, :3])]:
                a[to] += a[of]
                wanted[to] += wanted[of]
                a[to] = a[of]
                wanted[to] = wanted[of]
                same(self, a, wanted)
            a[1:] += a[1:]
            a[:, ::2] -= a[:, ::2]
            wanted[1:] *= 2
            wanted[:, ::2] = 0
            same(self, a, wanted)
            a.assign(a.T)  # a square matrix gets its transpose in place
            same(self, a, wanted.T)
            a[:3, :3] = a[:3, :3].T
            wanted = wanted.T.copy()
            wanted[:3, :3] = wanted[:3, :3].T.copy()
            same(self, a, wanted)
            self.assertRaises(ValueError, a[::2, ::2].assign, a[::2, ::2].T)
        line = gl.array(np.arange(40000.0))
        self.assertRaises(ValueError, line[1:].assign, line[:-1])
        self.assertRaises(ValueError, line.assign, line[::-1])
        if gl.context().is_host:  # values of numpy in the same memory are copied first
            host = np.arange(40000.0)
            gl.from_dlpack(host)[1:] = host[:-1]
            np.testing.assert_array_equal(host[1:], np.arange(39999.0))
            gl.from_dlpack(host)[:] = host[::-1]
            np.testing.assert_array_equal(host[:-1], np.arange(39998.0, -1, -1))

    def test_shared_memory_is_found(self):
        """Against all addresses of all elements."""
        from gable_linalg._overlap import overlaps_itself, share_memory
        generator = np.random.default_rng(2)

        def place():
            dims = int(generator.integers(0, 4))
            return (4 * int(generator.integers(0, 30)), int(generator.choice([4, 8, 16])),
                    [int(n) for n in generator.integers(0, 5, dims)],
                    [int(step) for step in generator.integers(-6, 7, dims)])

        def elements(address, size, shape, strides):
            return [address + size * sum(i * step for i, step in zip(index, strides))
                    for index in itertools.product(*map(range, shape))]

        found = [0, 0]
        for _ in range(3000):
            a, b = place(), place()
            at, bytes_of_b = elements(*a), {x + i for x in elements(*b) for i in range(b[1])}
            wanted = any(x + i in bytes_of_b for x in at for i in range(a[1]))
            self.assertEqual(share_memory(a, b), wanted, (a, b))
            self.assertEqual(overlaps_itself(a[2], a[3]), len(set(at)) < len(at), a)
            found[wanted] += 1
        self.assertGreater(min(found), 300)

    def test_products_of_elements(self):
        for dtype in DTYPES[1::2]:
            x, y = numbers((3, 4), dtype), numbers((3, 4), dtype, 1)
            for a, b in itertools.product((gl.array(x), gl.array(x, order="F")),
                                          (gl.array(y), gl.array(y, order="F"))):
                same(self, a * b, x * y)
            same(self, gl.array(x)[::-1, 1] * gl.array(y)[:, 2], x[::-1, 1] * y[:, 2])

    def test_transposes_copy_nothing(self):
        a = gl.zeros((3, 4))
        self.assertEqual(a.T.address, a.address)
        a.T[1, 2] = 5
        self.assertEqual(a[2, 1].item(), 5)
        self.assertEqual(gl.zeros((2, 3)).reshape(3, 2).shape, (3, 2))
        self.assertEqual(gl.zeros(6).reshape((2, -1)).shape, (2, 3))
        self.assertRaises(gl.BadArgumentError, gl.zeros(6).reshape, 4)
        self.assertRaises(gl.LayoutError, gl.zeros((4, 4))[:, ::2][1:].reshape, 6)

    def test_repr(self):
        self.assertEqual(repr(gl.array([1.0, 2.0])), "gl.array([1., 2.])")
        self.assertIn("dtype=complex64", repr(gl.array([1j], "complex64")))
        self.assertIn("(2000,)", repr(gl.zeros(2000)))


class Sharing(unittest.TestCase):
    """DLPack in both directions, over host memory."""

    def setUp(self):
        self.ctx = gl.context()

    def test_out(self):
        if not self.ctx.is_host:
            a = gl.array([1.0])
            self.assertEqual(a.__dlpack_device__()[0], 2 if self.ctx.is_cuda else 4)
            self.assertRaises(BufferError, a.__dlpack__, dl_device=(1, 0))
            a.__dlpack__()  # a capsule that nobody takes
            return
        for dtype, order in itertools.product(DTYPES + ["int64"], "CF"):
            host = np.asarray(numbers((3, 4), dtype), order=order)
            a = gl.array(host)
            for view, wanted in [(a, host), (a.T, host.T), (a[1:, ::2], host[1:, ::2]),
                                 (a[::-1], host[::-1]), (a[0, 0], host[0, 0]), (a[:0], host[:0])]:
                taken = np.from_dlpack(view)
                np.testing.assert_array_equal(taken, wanted)
                if wanted.size:
                    self.assertEqual(taken.ctypes.data, view.address)
        taken = np.from_dlpack(a)
        del a
        np.testing.assert_array_equal(taken, host)  # the memory is the consumer's, too

    def test_in(self):
        if not self.ctx.is_host:
            self.assertRaises(gl.BadArgumentError, gl.from_dlpack, np.zeros(3))
            same(self, gl.asarray(np.arange(3.0)), np.arange(3.0))
            return
        for dtype in DTYPES + ["int64"]:
            host = numbers((4, 5), dtype)
            for part in (host, host.T, host[::2], host[::-1, 1:], host[:0]):
                a = gl.from_dlpack(part)
                same(self, a, part)
                if part.size:
                    self.assertEqual(a.address, part.ctypes.data)
        host = np.zeros((2, 2))
        a = gl.from_dlpack(host)
        a += gl.array([[1.0, 2.0], [3.0, 4.0]], order="C")
        np.testing.assert_array_equal(host, [[1, 2], [3, 4]])
        again = np.from_dlpack(gl.from_dlpack(host))  # through both
        self.assertEqual(again.ctypes.data, host.ctypes.data)
        if again.flags.writeable:  # numpy before 2.1 makes all tensors read-only
            again[0, 0] = 9
            self.assertEqual(host[0, 0], 9)
        self.assertRaises(gl.NotSupportedError, gl.from_dlpack, np.zeros(3, "float16"))
        self.assertRaises(gl.NotSupportedError, gl.from_dlpack, np.zeros(3, "int32"))
        self.assertRaises(gl.NotSupportedError, gl.from_dlpack, np.zeros(3, ">f8"))
        self.assertRaises(TypeError, gl.from_dlpack, [1.0])

    def test_read_only(self):
        host = np.arange(3.0)
        host.flags.writeable = False
        if not self.ctx.is_host:
            same(self, gl.array(host), host)
            return
        a = gl.from_dlpack(host)
        same(self, a, host)
        for change in (lambda: a.fill(1), lambda: gl.add_to(a, a.copy(), 1), lambda: gl.scale(a, 2),
                       lambda: a.__setitem__(0, 1.0),
                       lambda: gl.matmul(gl.eye(3), gl.zeros(3), out=a),
                       lambda: gl.blas.dscal(3, 2.0, a, 1)):
            self.assertRaises(gl.BadArgumentError, change)
        self.assertRaises(BufferError, a.__dlpack__)
        self.assertRaises(gl.BadArgumentError, gl.matmul, np.eye(3), np.eye(3),
                          out=np.broadcast_to(np.zeros(3), (3, 3)))
        np.testing.assert_array_equal(host, [0, 1, 2])

    def test_numbers_of_numpy(self):
        """A number has an address only while its __array_interface__ is looked at."""
        if self.ctx.is_host:
            found = [gl.from_dlpack(np.float64(i)) for i in range(50)]
            noise = [np.full(1, 7.0) for _ in range(200)]
            self.assertEqual([a.item() for a in found], list(range(50)), len(noise))
        y = gl.zeros(2)
        for call in (lambda: gl.blas.daxpy_dev(2, np.float64(2), y, 1, y, 1),
                     lambda: gl.blas.dcopy(1, np.float64(2), 1, y, 1)):
            with self.assertRaises(TypeError) as error:
                call()
            self.assertIn("float64", str(error.exception))

    def test_capsule_is_taken_once(self):
        if not self.ctx.is_host:
            return
        from gable_linalg import _dlpack
        for version in (None, (1, 0)):
            a = gl.array([1.0, 2.0])
            capsule = a.__dlpack__(max_version=version)
            b = _dlpack._take(capsule, self.ctx)
            same(self, b, np.array([1.0, 2.0]))
            self.assertRaises(gl.BadArgumentError, _dlpack._take, capsule, self.ctx)
        copied = a.__dlpack__(max_version=(1, 0), copy=True)
        b = _dlpack._take(copied, self.ctx)
        a.fill(0)
        same(self, b, np.array([1.0, 2.0]))
        self.assertFalse(hasattr(a, "__cuda_array_interface__"))

    def test_asarray(self):
        a = gl.array([1.0])
        self.assertIs(gl.asarray(a), a)
        same(self, gl.asarray([1.0, 2.0]), np.array([1.0, 2.0]))
        self.assertRaises(ValueError, a.__array__, copy=False)
        np.testing.assert_array_equal(np.asarray(a), [1.0])


if __name__ == "__main__":
    unittest.main()
