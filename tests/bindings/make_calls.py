#!/usr/bin/env python3
# make_calls.py: calls of every typed routine in C and in Fortran, with the same random arguments.
# SPDX-License-Identifier: BSD-3-Clause
"""Writes calls_made.h and calls_made.f90 for test_calls.c, from the list of the interface.

    make_calls.py FOLDER

Call number i is one function. Its operands lie in buffers 1, 2, ... in the order of the prototype, in
device memory or, where the routine wants that, in host memory. In Fortran there are two forms: all
operands as type(c_ptr) by the function's own name (form 1), and as arrays by the generic name
(form 2; gable_host_ routines have this form only). Sizes and flags are drawn by the function's name;
the constraints of a few routines stand in `drawn`. Leading dimensions are 9, batches 2 entries.
Left out are routines that make, read or change a sparse matrix: test_gable.f90 calls them.
"""
import os
import random
import sys

sys.dont_write_bytecode = True
BINDINGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bindings")
sys.path[:0] = [BINDINGS, os.path.join(BINDINGS, "fortran")]
import fortran_module  # noqa: E402
import interface  # noqa: E402

LETTER = {"float": "s", "double": "d", "gable_cfloat": "c", "gable_cdouble": "z", "int64_t": "i"}
KIND = {"float": "c_float", "double": "c_double", "gable_cfloat": "c_float",
        "gable_cdouble": "c_double"}
MOST_BUFFERS = 6


def drawn(function):
    """The values of the arguments that are no addresses: {name: number or (re, im)}."""
    rng = random.Random(function["name"])
    vectors = {"stedc": [301, 302, 303], "gesdd": [301, 304, 305], "gesvd": [301, 304, 305],
               "bdsdc": [301, 303]}
    stem, complex_ = function["stem"] or "", function["precision"] in ("c", "z")
    values = {}
    for a in function["arguments"]:
        name, base = a["name"], a["base"]
        if a["kind"] == "enum":
            choice = {
                "gable_trans": [111, 112 if not complex_ or stem in ("syrk", "syr2k") else 113],
                "gable_uplo": [121, 122], "gable_diag": [131, 132], "gable_side": [141, 142],
                "gable_norm": [171, 174, 175, 177], "gable_direct": [151],
                "gable_storev": [161, 162], "gable_vect": [181, 182], "gable_range": [311, 312, 313],
                "gable_job": vectors.get(stem, [301, 302])}[base]
            values[name] = rng.choice(choice)
        elif a["kind"] == "scalar":
            # Never 0 or 1, with which a call may change nothing.
            part = [rng.choice([-1, 1]) * (2 * rng.randint(0, 11) + 1) / 16 for _ in range(2)]
            if name in ("low", "cfrom", "cto", "high", "vl", "vu", "abstol"):
                part = [{"low": -1.5, "high": 2.0, "cto": 2 + abs(part[0]), "vl": -40.0, "vu": 16.5,
                         "abstol": 0.0}.get(name, abs(part[0])), 0]
            values[name] = tuple(part) if base.startswith("gable_c") else part[0]
        elif a["kind"] == "bits":
            values[name] = rng.randint(1, 2 ** 62)
        elif a["kind"] == "size":
            if name.startswith("ld"):
                values[name] = 9
            elif name.startswith("inc"):
                values[name] = (rng.choice([1, 2]) if stem == "larfg" else 1 if stem == "laswp"
                                else rng.choice([1, 2, -1, -2]))
            elif name.startswith("stride_"):
                values[name] = 90
            else:
                values[name] = {"m": 6, "n": 5, "k": 3, "nrhs": 2, "batch": 2, "kl": 1, "ku": 2,
                                "k1": 1, "k2": 3, "ilo": 1, "ihi": 5, "il": 2, "iu": 4,
                                "itype": rng.randint(1, 3)}[name]
                if stem in ("orglq", "unglq"):
                    values[name] = {"m": 5, "n": 6, "k": 3}[name]
                if stem in ("orgbr", "ungbr"):
                    values[name] = 5
                if stem.startswith("sparse_") and name in ("m", "n"):
                    values[name] = 5
    # Q of a reduction of order m or n: the order that belongs to the side.
    if stem in ("ormhr", "unmhr"):
        values["ihi"] = values["m"] if values["side"] == 141 else values["n"]
    return values


def c_value(a, value):
    if isinstance(value, tuple):
        return "(%s){%r, %r}" % (a["base"], value[0], value[1])
    return "(%s)%r" % (a["base"], value)


def fortran_value(a, value):
    if a["kind"] == "scalar":
        kind = KIND[a["base"]]
        if isinstance(value, tuple):
            return "(%r_%s, %r_%s)" % (value[0], kind, value[1], kind)
        return "%r_%s" % (value, kind)
    if value < 0:
        return "-%d_c_int64_t" % -value
    return "%d_%s" % (value, "c_int" if a["kind"] == "enum" else "c_int64_t")


def calls():
    """(function, drawn values, letters of its buffers: capital where they are addresses)."""
    for function in interface.load()["functions"]:
        if not function["door"]:
            continue
        arguments = function["arguments"]
        if any(a["kind"] == "object_out" for a in arguments) or function["stem"] in (
                "sparse_get", "sparse_set_values"):
            continue
        letters = ""
        for a in arguments:
            if a["kind"] in ("array", "result"):
                letters += LETTER[a["base"]]
            elif a["kind"] == "addresses":
                letters += LETTER[a["base"]].upper()
        if len(letters) > MOST_BUFFERS:
            raise ValueError("%s has %d operands" % (function["name"], len(letters)))
        yield function, drawn(function), letters


def in_host_memory(function, a):
    return function["door"] == "host" or a["memory"] == "host"


def view(module, function, a, number):
    """The Fortran pointer that an operand is in form 2: its letter and its rank."""
    procedure = fortran_module.Procedure("subroutine", "none")
    module.variable(procedure, function, a)
    rank = procedure.signature[0][1]
    return "%s(%d)%%%s%d" % ("hosted" if in_host_memory(function, a) else "viewed", number,
                             LETTER[a["base"]], rank)


def main(folder):
    module = fortran_module.Module(None)
    module.build()
    header, forms = [], {1: [], 2: []}
    header += ["/* calls_made.h: made by make_calls.py. */", "#include <stdint.h>",
               "#include <stdio.h>", "#include <stdlib.h>", "#include <string.h>",
               '#include "gable/gable.h"', ""]
    header.append("#define CALLS(X) \\")
    body = []
    for number, (function, values, letters) in enumerate(calls()):
        name = function["name"]
        in_c, by_address, by_array, operand = [], [], [], 0
        for a in function["arguments"]:
            kind = a["kind"]
            if kind == "context":
                given = ("ctx", "ctx", "ctx")
            elif kind == "object":
                given = ("matrix", "matrix", "matrix")
            elif kind in ("array", "result", "addresses"):
                operand += 1
                at = "host" if in_host_memory(function, a) else "device"
                if kind == "addresses":
                    given = ("list[%d]" % (operand - 1),) + 2 * ("list(%d)" % operand,)
                else:
                    given = ("%s[%d]" % (at, operand - 1), "%s(%d)" % (at, operand),
                             view(module, function, a, operand))
            else:
                value = values[a["name"]]
                given = (c_value(a, value), fortran_value(a, value), fortran_value(a, value))
            in_c.append(given[0])
            by_address.append(given[1])
            by_array.append(given[2])
        body.append("    case %d: return %s(%s);" % (number, name, ", ".join(in_c)))
        wanted = module.forms(function)
        header.append('    X(%d, "%s", "%s", %d) \\' % (
            number, name, letters, 2 if function["door"] == "host" else 3 if "a" in wanted else 1))
        short = name[len("gable_"):]
        if function["door"] != "host":
            forms[1] += ["        case (%d)" % number] + fortran_module.folded(
                "call %s(%s, status)" % (name, ", ".join(by_address)), 12)
        entries = module.told_apart(module.generics.get(function["generic"], []))
        generic = function["generic"] if any(
            e[0] in (short + "_a", name) for e in entries) else name
        if "a" not in wanted:
            continue
        forms[2] += ["        case (%d)" % number] + fortran_module.folded(
            "call %s(%s, status)" % (generic, ", ".join(by_array)), 12)
    with open(os.path.join(folder, "calls_made.h"), "w", encoding="utf-8") as file:
        file.write("\n".join(header) + "\n\n")
        file.write("static gable_status call_in_c(int number, gable_context *ctx, "
                   "gable_sparse *matrix, void **device, void **host, void **list)\n{\n"
                   "    switch (number) {\n%s\n    default: return GABLE_INTERNAL;\n    }\n}\n"
                   % "\n".join(body))
    fortran = ["! calls_made.f90: made by make_calls.py."]
    for form in (1, 2):
        fortran += ["subroutine call_form_%d(number, ctx, matrix, status)" % form,
                    "    use gable", "    use call_operands", "    implicit none",
                    "    integer(c_int), intent(in) :: number",
                    "    type(gable_context), intent(in) :: ctx",
                    "    type(gable_sparse), intent(in) :: matrix",
                    "    integer(c_int), intent(out) :: status",
                    "    status = -1", "    select case (number)"]
        fortran += [line[4:] for line in forms[form]]
        fortran += ["    end select", "end subroutine call_form_%d" % form]
    with open(os.path.join(folder, "calls_made.f90"), "w", encoding="utf-8") as file:
        file.write("\n".join(fortran) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
