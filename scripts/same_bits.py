#!/usr/bin/env python3
# same_bits.py: random calls of two builds of libgable, whose results must have the same bits.
# SPDX-License-Identifier: BSD-3-Clause
"""Says whether a change of the library changed any result.

    scripts/same_bits.py [OPTION...] OLD/libgable.so NEW/libgable.so

    --calls N       how many calls (1000)
    --seed S        which ones (1); the same on every machine
    --device D      where they run (cpu)
    --order N       the largest number of rows or columns (160); vectors have up to its square
    --only TEXT     only routines whose names have TEXT in them, as a regular expression

A call is a typed routine of include/gable, on operands in device memory or, where it wants that, in
host memory. Sizes, flags, scalars, leading dimensions, strides and the places of operands are drawn
from the seed and the call's number alone. Each library runs in a process of its own. What counts is
the status and every byte of each operand that a routine may write, gaps and all that lies behind
included. Routines that one of the two lacks are left out and counted. Needs numpy. Exit code 1:
results differ; the first calls that do are named.
"""
import argparse
import ctypes
import hashlib
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "bindings"))
import interface  # noqa: E402

NUMPY = {"float": "float32", "double": "float64", "gable_cfloat": "complex64",
         "gable_cdouble": "complex128", "int64_t": "int64"}
FLAGS = {"gable_trans": [111, 112, 113], "gable_uplo": [121, 122], "gable_diag": [131, 132],
         "gable_side": [141, 142], "gable_direct": [151], "gable_storev": [161, 162],
         "gable_norm": [171, 174, 175, 177], "gable_vect": [181, 182],
         "gable_job": [301, 302, 303, 304, 305], "gable_range": [311, 312, 313]}
PLAIN = {"context", "enum", "size", "scalar", "bits", "array", "result", "addresses"}
# Routines that divide by a diagonal or take its root get a large one.
DIVIDES = re.compile(r"^(tr|tb|tp|po|ge(trs|sv|tri|trf|ls)|syg|heg)")
SHOWN = 20


def routines(only):
    """The functions that can be called with what is drawn here, in the order of the headers."""
    pattern = re.compile(only or "")
    return [f for f in interface.load()["functions"]
            if f["door"] and f["precision"] and f["stem"] and f["returns"] == "gable_status"
            and all(a["kind"] in PLAIN for a in f["arguments"]) and pattern.search(f["name"])]


def size(rng, most):
    return 0 if rng.random() < 0.03 else max(1, int(most ** rng.random() + 0.5))


def sizes_of(rng, f, order):
    """Sizes by their names, with the constraints of the routines; and the largest of them."""
    names = [a["name"] for a in f["arguments"] if a["kind"] == "size"]
    stem = f["stem"]
    matrices = any(name.startswith("ld") for name in names)
    most = order if matrices or stem.startswith(("tp", "sp", "hp", "la")) else order * order // 3
    value = {name: size(rng, most) for name in ("m", "n", "k", "nrhs")}
    if stem.endswith("bmv") or stem.endswith("bsv"):
        value["k"] = min(value["k"], 20)
    if re.match(r"(or|un)gqr", stem):
        value["m"], value["n"], value["k"] = sorted(
            (value["m"], value["n"], value["k"]), reverse=True)
    elif re.match(r"(or|un)glq", stem):
        value["n"], value["m"], value["k"] = sorted(
            (value["m"], value["n"], value["k"]), reverse=True)
    elif re.match(r"(or|un)m|larf[tb]", stem):
        value["k"] = min(value["m"], value["n"], value["k"])
    elif re.match(r"(or|un)gbr", stem):
        value["m"] = value["n"] = value["k"]
    n = value["n"]
    value.update(batch=rng.randint(0, 4), kl=rng.randint(0, 9), ku=rng.randint(0, 9),
                 k1=1, k2=max(1, min(value["m"], n)), itype=rng.randint(1, 3),
                 ilo=1, ihi=n, il=1, iu=n)
    if n > 1:
        value["ilo"] = rng.randint(1, n)
        value["ihi"] = rng.randint(value["ilo"], n)
        value["il"] = rng.randint(1, n)
        value["iu"] = rng.randint(value["il"], n)
    biggest = max([value[name] for name in names if name in ("m", "n", "k", "nrhs")] + [20])
    for name in names:
        if name.startswith("ld"):
            value[name] = biggest + rng.randint(0, 3)
        elif name.startswith("inc"):
            value[name] = (1 if stem == "laswp" else rng.randint(1, 3) if stem == "larfg"
                           else rng.choice([1, 1, 1, -1, 2, -3]))
        elif name.startswith("stride"):
            value[name] = (biggest + 3) * biggest + rng.randint(0, 5)
        elif name not in value:
            value[name] = size(rng, most)
    return {name: value[name] for name in names}, biggest, matrices or most == order


class Caller:
    """One library, its context and its operands."""

    def __init__(self, path, device, order):
        import numpy
        self.numpy = numpy
        self.library = ctypes.CDLL(path)
        self.context = ctypes.c_void_p()
        self.call("gable_open", ctypes.byref(self.context), device.encode())
        self.elements = 5 * (order + 8) ** 2
        self.device = []
        for _ in range(8):
            address = ctypes.c_void_p()
            self.call("gable_alloc", self.context, ctypes.c_size_t(16 * self.elements + 256),
                      ctypes.byref(address))
            self.device.append(address.value)
        made = numpy.random.RandomState(7)
        self.noise = {}
        for name in ("float32", "float64", "complex64", "complex128"):
            real = made.uniform(-1, 1, 2 * self.elements)
            if name.startswith("complex"):
                real = real + 1j * made.uniform(-1, 1, 2 * self.elements)
            self.noise[name] = real.astype(name)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status != 0:
            message = self.library.gable_message
            message.restype = ctypes.c_char_p
            sys.exit("same_bits: %s: %s" % (name, (message(self.context) or b"").decode()))

    def operand(self, rng, f, a, values, biggest, matrix):
        """What an array holds before the call."""
        name = NUMPY[a["base"]]
        batch = max(values.get("batch", 1), 1)
        if matrix:
            need = batch * ((biggest + 3) * (biggest + 1) + 8)
        else:
            need = 3 * biggest + 8
        need = min(need, self.elements)
        if name == "int64":
            top = max(1, min([values[s] for s in ("m", "n", "k2") if s in values] + [biggest]))
            return self.numpy.array([rng.randint(1, top) for _ in range(min(need, biggest + 8))])
        start = rng.randint(0, self.elements)
        data = self.noise[name][start:start + need].copy()
        if DIVIDES.match(f["stem"]) and a["name"] in ("A", "B") and "lda" in values:
            step = values.get("ld" + a["name"].lower(), biggest) + 1
            data[:biggest * step:step] += 2 * biggest
        return data

    def run(self, number, seed, functions, order):
        """The line of one call."""
        rng = random.Random("%s:%d" % (seed, number))
        f = rng.choice(functions)
        values, biggest, matrix = sizes_of(rng, f, order)
        function = getattr(self.library, f["name"], None)
        given, text, outputs, keep = [], [], [], []
        for a in f["arguments"]:
            kind, base = a["kind"], a["base"]
            if kind == "context":
                given.append(self.context)
                continue
            if kind == "enum":
                value = rng.choice(FLAGS[base])
                given.append(ctypes.c_int(value))
            elif kind == "size":
                value = values[a["name"]]
                given.append(ctypes.c_int64(value))
            elif kind == "bits":
                value = rng.randint(1, 2 ** 62)
                given.append(ctypes.c_uint64(value))
            elif kind == "scalar":
                value = self.scalar(rng, a)
                real = ctypes.c_float if base.endswith("float") else ctypes.c_double
                if base.startswith("gable_c"):
                    pair = type("pair", (ctypes.Structure,), {"_fields_": [("re", real), ("im", real)]})
                    given.append(pair(value, rng.choice([0, 0.25, -1.5])))
                else:
                    given.append(real(value))
            else:
                data = self.operand(rng, f, a, values, biggest, matrix)
                place = rng.choice([0, 0, 1]) * data.itemsize
                hosted = f["door"] == "host" or a["memory"] == "host" or kind == "result"
                if hosted:
                    room = self.numpy.zeros(data.nbytes + 256, dtype="uint8")
                    address = room.ctypes.data + (-room.ctypes.data) % 128 + place
                    keep.append(room)
                else:
                    address = self.device[len(keep) + len(outputs)] + place
                    keep.append(None)
                self.put(data, address, hosted)
                if kind == "addresses":
                    batch = max(values.get("batch", 1), 1)
                    step = data.nbytes // batch // data.itemsize * data.itemsize
                    table = self.numpy.array([address + b * step for b in range(batch)], dtype="int64")
                    list_at = self.device[-1] + 64 * len(keep)
                    self.put(table, list_at, False)
                    given.append(ctypes.c_void_p(list_at))
                else:
                    given.append(ctypes.c_void_p(address))
                if not a["const"] or kind == "addresses":
                    outputs.append((data, address, hosted))
                continue
            text.append("%s=%s" % (a["name"], value))
        head = "%d %s(%s)" % (number, f["name"], ", ".join(text))
        if function is None:
            return head + "\tmissing\t-"
        status = function(*given)
        self.library.gable_sync(self.context)
        digest = hashlib.blake2b(digest_size=8)
        for data, address, hosted in outputs:
            digest.update(self.fetched(data, address, hosted).tobytes())
        return "%s\t%d\t%s" % (head, status, digest.hexdigest())

    @staticmethod
    def scalar(rng, a):
        fixed = {"low": -1.5, "high": 2.0, "vl": -3.0, "vu": 2.5, "abstol": 0.0}
        if a["name"] in fixed:
            return fixed[a["name"]]
        if a["name"] in ("cfrom", "cto"):
            return rng.choice([0.5, 3.0])
        return rng.choice([0, 1, -1, 0.75, -2.5])

    def put(self, data, address, hosted):
        if hosted:
            ctypes.memmove(address, data.ctypes.data, data.nbytes)
        else:
            self.call("gable_set_vector", self.context, ctypes.c_int64(data.nbytes), ctypes.c_size_t(1),
                      ctypes.c_void_p(data.ctypes.data), ctypes.c_int64(1),
                      ctypes.c_void_p(address), ctypes.c_int64(1))

    def fetched(self, data, address, hosted):
        back = self.numpy.zeros(data.nbytes, dtype="uint8")
        if hosted:
            ctypes.memmove(back.ctypes.data, address, data.nbytes)
        else:
            self.call("gable_get_vector", self.context, ctypes.c_int64(data.nbytes), ctypes.c_size_t(1),
                      ctypes.c_void_p(address), ctypes.c_int64(1),
                      ctypes.c_void_p(back.ctypes.data), ctypes.c_int64(1))
        return back


def child(options):
    caller = Caller(options.libraries[0], options.device, options.order)
    functions = routines(options.only)
    for number in range(options.calls):
        print(caller.run(number, options.seed, functions, options.order), flush=True)
    return 0


def parent(options):
    command = [sys.executable, os.path.abspath(__file__), "--child"]
    for name in ("calls", "seed", "device", "order", "only"):
        command += ["--" + name, str(getattr(options, name))]
    runs = [subprocess.Popen(command + [library], stdout=subprocess.PIPE, text=True)
            for library in options.libraries]
    counts = {"same": 0, "refused": 0, "missing": 0, "different": 0}
    for lines in zip(*(run.stdout for run in runs)):
        fields = [line.rstrip("\n").split("\t") for line in lines]
        if "missing" in (fields[0][1], fields[1][1]):
            counts["missing"] += 1
        elif fields[0] != fields[1]:
            counts["different"] += 1
            if counts["different"] <= SHOWN:
                print("different: %s: status %s and %s" % (fields[0][0], fields[0][1], fields[1][1]))
        else:
            counts["same" if fields[0][1] == "0" else "refused"] += 1
    failed = [run.wait() for run in runs] != [0, 0]
    done = sum(counts.values())
    print("%d calls on %s: %d with the same bits, %d refused alike, %d left out, %d different" % (
        done, options.device, counts["same"], counts["refused"], counts["missing"],
        counts["different"]))
    if failed or done < options.calls:
        print("same_bits: a library ended before its last call, %d" % (options.calls - 1))
    return 1 if failed or counts["different"] or done < options.calls else 0


def main():
    parser = argparse.ArgumentParser(description="random calls of two builds of libgable: the same bits?")
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--order", type=int, default=160)
    parser.add_argument("--only", default="")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("libraries", nargs="+", metavar="libgable.so")
    options = parser.parse_args()
    if options.child:
        return child(options)
    if len(options.libraries) != 2:
        parser.error("two libraries are compared")
    if not routines(options.only):
        parser.error("no routine has '%s' in its name" % options.only)
    return parent(options)


if __name__ == "__main__":
    sys.exit(main())
