#!/usr/bin/env python3
"""decision_grid.py: does libgable_link send calls to the faster side?
SPDX-License-Identifier: BSD-3-Clause

    decision_grid.py LIBGABLE_LINK [--seconds S] [--json FILE]

A grid of shapes and routines runs three times in processes of their own, through the names of
numpy's BLAS: GABLE_LINK=cpu, device and auto. Each call is made once before it is timed, so that
opening the device and compiling kernels do not count. The table has medians in microseconds;
the last lines say how often auto was right, its total beside the better side's, and from which
order on the device wins. A budget (80 s) ends the grid early; shapes that were left out are counted.
"""
import argparse
import ctypes
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

SQUARES = [96, 128, 192, 256, 288, 320, 384, 512, 768, 1024, 1536, 2048, 3072, 4096]
# The first come first where the budget is short.
SHAPES = [("gemm", "d", n, n, n) for n in SQUARES]
SHAPES += [("gemm", "d", m, n, k) for m, n, k in (
    (4096, 4096, 32), (4096, 4096, 128), (4096, 4096, 512), (2048, 2048, 64), (8192, 64, 8192),
    (256, 256, 16384), (20000, 100, 100), (1000, 1000, 100), (64, 4096, 4096))]
SHAPES += [("syrk", "d", n, n, k) for n, k in ((512, 512), (1024, 1024), (2048, 2048), (4096, 128))]
SHAPES += [("trsm", "d", m, n, 0) for m, n in ((512, 512), (1024, 1024), (2048, 2048), (4096, 64), (256, 8192))]
SHAPES += [("symm", "d", n, n, 0) for n in (512, 2048)]
SHAPES += [("gemm", "s", n, n, n) for n in (256, 384, 512, 1024, 2048, 4096)]
SHAPES += [("gemm", "z", n, n, n) for n in (192, 256, 512, 2048)]


def text(shape):
    return shape[1] + shape[0] + " " + "x".join(str(size) for size in shape[2:] if size)


# ---- One mode, in a process of its own ----

class Names:
    """The routines by the spelling of numpy's library, found first in the preloaded one."""

    def __init__(self):
        with open("/proc/self/maps") as maps:
            loaded = maps.read()
        wide = "scipy_openblas64_" in loaded
        self.prefix, self.suffix = ("scipy_", "_64_") if wide else ("", "_")
        self.integer = ctypes.c_int64 if wide else ctypes.c_int32
        self.library = ctypes.CDLL(None)

    def call(self, name, *arguments):
        """Letters are bytes, integers int, arrays and scalars numpy arrays; all by address."""
        kept = []
        for one in arguments:
            if isinstance(one, bytes):
                kept.append(ctypes.c_char_p(one))
            elif isinstance(one, int):
                kept.append(ctypes.byref(self.integer(one)))
            else:
                kept.append(ctypes.c_void_p(one.ctypes.data))
        lengths = [ctypes.c_size_t(1)] * sum(isinstance(one, bytes) for one in arguments)
        function = getattr(self.library, self.prefix + name + self.suffix)
        function.restype = None
        function(*kept, *lengths)


def make_call(np, names, shape):
    routine, letter, m, n, k = shape
    dtype = {"s": np.float32, "d": np.float64, "c": np.complex64, "z": np.complex128}[letter]
    one, zero = np.ones(1, dtype), np.zeros(1, dtype)
    full = lambda rows, columns: np.full((columns, rows), 1.25, dtype)
    C = full(m, n)
    if routine == "gemm":
        A, B = full(m, k), full(k, n)
        return lambda: names.call(letter + "gemm", b"N", b"N", m, n, k, one, A, m, B, k, zero, C, m)
    if routine == "syrk":
        A = full(n, k)
        return lambda: names.call(letter + "syrk", b"L", b"N", n, k, one, A, n, zero, C, n)
    A = full(m, m)
    if routine == "symm":
        B = full(m, n)
        return lambda: names.call(letter + "symm", b"L", b"L", m, n, one, A, m, B, m, zero, C, m)
    # A unit triangle whose elements below the diagonal are zero: B stays as it is.
    A[:] = np.eye(m, dtype=dtype)
    return lambda: names.call(letter + "trsm", b"L", b"L", b"N", b"N", m, n, one, A, m, C, m)


def measure(call):
    call()
    times, begin = [], time.perf_counter()
    while len(times) < 3 or (len(times) < 40 and time.perf_counter() - begin < 0.1):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_mode(path):
    import numpy as np
    end = time.monotonic() + float(os.environ["GRID_SECONDS"])
    names = Names()
    log = os.environ["GABLE_LINK_LOG"]
    warm = make_call(np, names, ("gemm", "d", 4096, 4096, 4096))
    warm()
    warm()  # in auto the first one may not have earned the device
    with open(path, "w") as rows:
        for number, shape in enumerate(SHAPES):
            if time.monotonic() > end:
                break
            seconds = measure(make_call(np, names, shape))
            with open(log) as lines:
                last = [line for line in lines if " m=" in line][-1:]
            took_device = bool(last) and " device cpu=" in last[0]
            print(json.dumps({"number": number, "seconds": seconds, "device": took_device,
                              "log": last[0].strip() if last else ""}), file=rows, flush=True)


# ---- All modes ----

def start_mode(arguments, mode, folder, seconds):
    path, log = os.path.join(folder, mode), os.path.join(folder, mode + ".log")
    environment = dict(os.environ, GABLE_LINK=mode, GABLE_LINK_LOG=log, GRID_SECONDS=str(seconds),
                       LD_PRELOAD=os.path.abspath(arguments.library))
    open(log, "w").close()
    subprocess.run([sys.executable, __file__, "--mode", path, arguments.library], env=environment, check=True)
    with open(path) as rows:
        return {row["number"]: row for row in map(json.loads, rows)}


def break_even(rows):
    """The smallest order of dgemm from which on the device always wins."""
    wins = {row["n"]: row["device"] < row["cpu"] for row in rows if row["square"]}
    orders = [n for n in sorted(wins) if all(wins[other] for other in wins if other >= n)]
    return orders[0] if orders else None


def main():
    parser = argparse.ArgumentParser(description="Does libgable_link send calls to the faster side?")
    parser.add_argument("library", help="path of libgable_link.so")
    parser.add_argument("--seconds", type=float, default=80)
    parser.add_argument("--json", help="rows go to this file")
    parser.add_argument("--mode", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.mode:
        return run_mode(arguments.mode)
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        modes = {}
        for mode, share in (("cpu", 0.35), ("device", 0.75), ("auto", 1.0)):
            left = arguments.seconds * share - (time.monotonic() - begin)
            modes[mode] = start_mode(arguments, mode, folder, left)
    rows = []
    print("%-24s %10s %10s %10s  %-7s %s" % ("us", "cpu", "device", "auto", "went to", ""))
    for number, shape in enumerate(SHAPES):
        if not all(number in modes[mode] for mode in modes):
            continue
        times = {mode: modes[mode][number]["seconds"] for mode in modes}
        went = modes["auto"][number]["device"]
        right = went == (times["device"] < times["cpu"])
        rows.append(dict(times, shape=text(shape), went=went, right=right, n=shape[2], log=modes["auto"][number]["log"],
                         square=shape[:2] == ("gemm", "d") and shape[2] == shape[3] == shape[4]))
        print("%-24s %10.0f %10.0f %10.0f  %-7s %s" % (text(shape), 1e6 * times["cpu"], 1e6 * times["device"],
              1e6 * times["auto"], "device" if went else "cpu", "" if right else "wrong side"))
    better = sum(min(row["cpu"], row["device"]) for row in rows)
    summary = {"shapes": len(rows), "left_out": len(SHAPES) - len(rows), "right": sum(row["right"] for row in rows),
               "total_vs_better": sum(row["auto"] for row in rows) / better,
               "worst_vs_cpu": max(row["auto"] / row["cpu"] for row in rows), "break_even": break_even(rows)}
    worst = max(rows, key=lambda row: row["auto"] / row["cpu"])
    print("%(shapes)d shapes, %(left_out)d left out, %(right)d sent to the faster side" % summary)
    print("total %.3f of the better side's (at most 1.02), worst %.2f of the CPU's (at most 1.25): %s; break-even n = %s (at most 300)"
          % (summary["total_vs_better"], summary["worst_vs_cpu"], worst["shape"], summary["break_even"]))
    if arguments.json:
        with open(arguments.json, "w") as out:
            for row in rows + [summary]:
                print(json.dumps(row), file=out)
    return 0


sys.exit(main())
