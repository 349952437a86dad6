# test_calls.py: every routine of gl.blas beside the same call in C: the same bits.
# SPDX-License-Identifier: BSD-3-Clause
"""make_calls.py draws the arguments. GABLE_CALLS names its calls in C as a library
(python_calls.c). Before each call all operands are filled anew; afterwards all their bytes are
compared. In Python there are two forms: arrays with flags as letters, and addresses with flags as
numbers; where results come last, a third leaves them out."""
import ctypes
import os
import sys
import unittest

import gable_linalg as gl
import numpy as np

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import make_calls  # noqa: E402

ELEMENTS, APART = 256, 90
DTYPE = {"s": "float32", "d": "float64", "c": "complex64", "z": "complex128", "i": "int64"}
LETTER_OF_FLAG = {111: "N", 112: "T", 113: "C", 121: "U", 122: "L", 131: "N", 132: "U", 141: "L",
                  142: "R", 151: "F", 161: "C", 162: "R", 171: "O", 174: "F", 175: "I", 177: "M",
                  181: "Q", 182: "P", 301: "N", 302: "V", 303: "I", 304: "A", 305: "S", 306: "O", 311: "A",
                  312: "V", 313: "I"}


def filling(operand, letter, is_param):
    """Elements (i, i) of a matrix with leading dimension 9 are larger than the others together."""
    if letter == "i":  # pivots: 2 2 4 4 5 6 ...
        return np.arange(1, ELEMENTS + 1) + np.isin(np.arange(ELEMENTS), (0, 2))
    rng = np.random.default_rng(operand + 1)
    numbers = rng.random((2, ELEMENTS)) - 0.5
    numbers[0, ::10] += 16
    if is_param:
        numbers[0, 0] = -1
    return (numbers[0] + 1j * numbers[1] if letter in "cz" else numbers[0]).astype(DTYPE[letter])


class Operands:
    """Arrays of the device and of the host by letter; what they hold before each call."""

    def __init__(self, function, letters):
        self.letters = letters.lower()
        stem = function["stem"] or ""
        self.filled = [filling(j, letter, stem == "rotm" and j == 2)
                       for j, letter in enumerate(self.letters)]
        self.device = [gl.empty(ELEMENTS, DTYPE[letter]) for letter in self.letters]
        self.host = [np.empty(ELEMENTS, DTYPE[letter]) for letter in self.letters]
        self.list = [gl.array(np.array([a.address, a.address + APART * a.itemsize], "int64"))
                     for a in self.device]

    def fill(self):
        for values, device, host in zip(self.filled, self.device, self.host):
            device.assign(values)
            host[:] = values

    def bits(self):
        return [a.numpy().tobytes() for a in self.device] + [a.tobytes() for a in self.host]

    def addresses(self, of):
        found = [a.ctypes.data if isinstance(a, np.ndarray) else a.address for a in of]
        return (ctypes.c_void_p * max(len(found), 1))(*found)


def arguments(function, values, operands, as_arrays):
    """What a call of gl.blas is given, and how many results come last."""
    given, operand, results = [], 0, 0
    for a in function["arguments"]:
        kind = a["kind"]
        results = results + 1 if kind == "result" else 0
        if kind in ("array", "result", "addresses"):
            place = (operands.list if kind == "addresses" else
                     operands.host if make_calls.in_host_memory(function, a) else
                     operands.device)[operand]
            operand += 1
            given.append(place if as_arrays else
                         place.ctypes.data if isinstance(place, np.ndarray) else place.address)
        elif kind == "enum":
            value = values[a["name"]]
            given.append(LETTER_OF_FLAG[value] if as_arrays else value)
        elif kind != "context":
            value = values[a["name"]]
            given.append(complex(*value) if isinstance(value, tuple) else value)
    return given, results


def bytes_of(returned):
    parts = returned if isinstance(returned, tuple) else (returned,)
    return [np.ravel(part) for part in parts]


class Calls(unittest.TestCase):
    def test_same_bits(self):
        library = ctypes.CDLL(os.environ["GABLE_CALLS"])
        ctx, failures, compared = gl.context(), [], 0
        for number, (function, values, letters) in enumerate(make_calls.calls()):
            name = function["name"]
            short = name[len("gable_"):]
            if short not in gl.blas.ROUTINES:
                self.assertTrue(function["stem"].startswith("sparse_"), name)
                continue
            operands = Operands(function, letters)
            operands.fill()
            before = operands.bits()
            status = library.python_calls_run(
                number, name.encode(), ctypes.c_void_p(ctx._open_handle("calls")), operands.addresses(operands.device),
                operands.addresses(operands.host), operands.addresses(operands.list))
            self.assertEqual(status, 0, name)
            wanted = operands.bits()
            self.assertNotEqual(before, wanted, name)
            for as_arrays in (True, False):
                given, results = arguments(function, values, operands, as_arrays)
                operands.fill()
                getattr(gl.blas, short)(*given)
                compared += 1
                if operands.bits() != wanted:
                    failures.append("%s, %s" % (name, "arrays" if as_arrays else "addresses"))
            if results:
                compared += 1
                given, _ = arguments(function, values, operands, True)
                places = given[-results:]
                operands.fill()
                returned = bytes_of(getattr(gl.blas, short)(*given[:-results]))
                for place, found in zip(places, returned):
                    held = np.asarray(place)[:len(found)]
                    was = np.frombuffer(
                        wanted[[id(a) for a in operands.device + operands.host].index(id(place))],
                        held.dtype)[:len(found)]
                    if found.astype(held.dtype).tobytes() != was.tobytes():
                        failures.append("%s, result %r, not %r" % (name, found, was))
        print("%d calls from Python with the bits of C" % (compared - len(failures)))
        self.assertEqual(failures, [])
        self.assertGreater(compared, 1200)


if __name__ == "__main__":
    unittest.main()
