#!/usr/bin/env python3
# interface.py: the list of Gable's public interface, read from include/gable/*.h.
# SPDX-License-Identifier: BSD-3-Clause
"""The list of Gable's public interface, read from its headers.

    bindings/interface.py --json [INCLUDE]     the list as JSON
    bindings/interface.py --names [INCLUDE]    the names of the public functions, one per line

    bindings/interface.py --bound BINDING      fails unless the names on the standard input, which a
                                               binding has, and those that not_bound.txt lists for
                                               it are all public functions, each once

INCLUDE is the folder that holds gable/gable.h (default: include/ beside this folder). No compiler is
needed: the headers use few words of the preprocessor, and this script knows them. It stops with a
message at anything in a header that it does not understand, so nothing is left out silently.
As a module: load(include) gives the list as the same dictionaries, not_bound() what the bindings
leave out.

The list, schema 1:

    {"schema": 1, "version": "0.1.0",
     "constants": [{"name", "value", "type", "header"}],      #define with a number
     "enums":     [{"name", "header", "constants": [{"name", "value", "text"}]}],
     "structs":   [{"name", "header", "opaque", "fields": [{"name", "type", "base", "count"}]}],
     "callbacks": [{"name", "header", "returns", "arguments"}],
     "functions": [{"name", "header", "returns", "arguments", "contract",
                    "generic", "stem", "precision", "door", "scalars"}]}

constants   type is "int", "unsigned" or "pointer"; value is a number.
enums       text is that of gable_status_text; null in other enums.
structs     opaque ones are objects of which only addresses are known, and have no fields. count is
            the length of an array in the struct, null for a single field.
functions   In the order of the headers, prediction.h and dlpack.h last.
  returns     a C type: "gable_status", "void", "int", "const char *", "void *".
  contract    the comment above the declaration, as one line of text per line of comment. A
              declaration without one has that of the declaration above it.
  generic     the name without its precision: "gable_gemm" of gable_dgemm, "gable_host_gemm",
              "gable_sparse_mv", "gable_nrm2" of gable_dznrm2, "gable_iamax" of gable_idamax,
              "gable_scal" of gable_zdscal. Null where the function has no precision.
  stem        the routine, without _dev: "gemm", also of gable_host_dgemm; "sparse_mv", "nrm2",
              "amax". Null as generic is.
  precision   "s", "d", "c", "z", or null.
  door        "device" or "host" (gable_host_) of functions with a precision, and of dsdot and
              sdsdot, which have no generic name; else null.
  scalars     "value", "device" (the function ends in _dev), "real" or "real_device" (of c and z
              with real scalars: csscal, zdrot); null where there is no precision.
arguments   In the order of the prototype, the context first where there is one:
  name        as in the header
  type        the C type, "const double *"
  base        that without const and *
  pointers    how many *
  const       whether the elements are const
  kind        context      gable_context *
              object       another opaque object: gable_sparse *, gable_solver *, ...
              object_out   where the address of a new object goes: gable_sparse **A
              size         int64_t by value: sizes, strides, leading dimensions
              bytes        size_t by value
              bits         unsigned, unsigned char, uint64_t by value: flags, seeds
              int          int by value
              char         char by value: a precision
              enum         an enum by value; base names it
              scalar       float, double, gable_cfloat, gable_cdouble by value
              array        elements in memory: an operand
              result       numbers that a call returns, in host or device memory as `memory` says
              addresses    an array of addresses of operands, one for each batch entry
              string       const char *, with a zero at its end
              text_out     char *, host memory for a text; the next argument tells its bytes
              value_out    host memory for one number, enum or address
              struct_out   host memory for a struct
              address      untyped memory or a stream (void *)
              address_out  where an untyped address goes (void **)
              callback     a function; base names it
              user         void *, which is passed on to the callback before it
  intent      "in", "out" (not read) or "inout" of what is pointed to; "in" of values. An output
              that a scalar of 0 leaves unread is "inout".
  memory      where an array, a result or an address lies: "device", "host", "any" (either); else
              null. On cpu all memory is both.
  optional    true where NULL is legal for every call
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REALS = ("float", "double", "gable_cfloat", "gable_cdouble")

# ---- What the headers cannot say ----

# Outputs of which nothing is read, beside results: (stem, argument).
WRITTEN = {
    ("copy", "y"), ("waxpby", "w"), ("fill", "x"), ("reciprocal", "y"), ("random", "x"),
    ("geam", "C"), ("transpose", "B"), ("lacpy", "B"), ("laset", "A"), ("getrf", "ipiv"),
    ("gesv", "ipiv"), ("geqrf", "tau"), ("gelqf", "tau"), ("larfg", "tau"), ("larft", "t"),
    ("sytrd", "d"), ("sytrd", "e"), ("sytrd", "tau"), ("hetrd", "d"), ("hetrd", "e"),
    ("hetrd", "tau"), ("gehrd", "tau"), ("gebrd", "d"), ("gebrd", "e"), ("gebrd", "tauq"),
    ("gebrd", "taup"), ("rotg", "c"), ("rotg", "s"), ("rotmg", "param"), ("sparse_get", "start"),
    ("sparse_get", "column"), ("sparse_get", "values"), ("gable_get_vector", "x"),
    ("gable_get_matrix", "A"), ("gable_set_vector", "dx"), ("gable_set_matrix", "dA"),
    ("gable_copy_bytes", "destination"), ("gable_fill_bytes", "address"),
}

# Where operands of device routines lie that are not in device memory: (stem or name, argument).
# Of routines with a twin that ends in _dev this holds for the one without.
ELSEWHERE = {
    ("rotg", "a"): "host", ("rotg", "b"): "host", ("rotg", "c"): "host", ("rotg", "s"): "host",
    ("rotm", "param"): "host", ("rotmg", "d1"): "host", ("rotmg", "d2"): "host",
    ("rotmg", "x1"): "host", ("rotmg", "param"): "host", ("maxpy", "a"): "host",
    ("sparse_csr", "start"): "any", ("sparse_csr", "column"): "any", ("sparse_csr", "values"): "any",
    ("sparse_coo", "row"): "any", ("sparse_coo", "column"): "any", ("sparse_coo", "values"): "any",
    ("sparse_get", "start"): "host", ("sparse_get", "column"): "host",
    ("sparse_get", "values"): "host", ("gable_set_vector", "x"): "host",
    ("gable_get_vector", "x"): "host", ("gable_set_matrix", "A"): "host",
    ("gable_get_matrix", "A"): "host", ("gable_host_pin", "address"): "host",
    ("gable_host_unpin", "address"): "host", ("gable_dlpack_delete", "tensor"): "host",
    ("gable_dlpack_capsule_drop", "capsule"): "host",
    ("gable_capsule_is_valid", "capsule"): "host", ("gable_capsule_get_pointer", "capsule"): "host",
    ("gable_dlpack_export", "shape"): "host", ("gable_dlpack_export", "strides"): "host",
}

# void * that is a stream, not memory.
STREAMS = {("gable_set_stream", "stream"), ("gable_get_stream", "stream")}

# NULL is legal for every call: (stem or name, argument).
OPTIONAL = {
    ("gable_open", "device"), ("gable_set_variant", "choice"), ("gable_free", "address"),
    ("gable_set_stream", "stream"), ("gable_record_end", "recording"),
    ("gable_recording_destroy", "recording"), ("gable_timer_destroy", "timer"),
    ("gable_close", "ctx"), ("gable_sparse_choose", "why"), ("gable_sparse_destroy", "A"),
    ("gable_solver_destroy", "solver"), ("gable_solver_monitor", "monitor"),
    ("gable_solver_precondition", "apply"), ("gable_solver_solve", "info"),
    ("gable_sparse_solve", "options"), ("gable_sparse_solve", "info"),
    ("gable_predict", "seconds"), ("gable_memory_adopt", "give_back"),
    ("gable_memory_retain", "memory"), ("gable_memory_release", "memory"),
    ("gable_memory_share", "memory"), ("gable_memory_address", "memory"),
    ("gable_dlpack_delete", "tensor"), ("gable_dlpack_capsule_drop", "capsule"), ("sparse_get", "start"), ("sparse_get", "column"),
    ("sparse_get", "values"),
}


class HeaderError(Exception):
    """Something in a header that this script does not understand."""


# ---- The preprocessor ----

def logical_lines(text):
    """Lines with continuations joined, comments kept, as (number, text)."""
    out, start, held = [], 1, ""
    for number, line in enumerate(text.split("\n"), 1):
        if not held:
            start = number
        if line.endswith("\\"):
            held += line[:-1] + " "
            continue
        out.append((start, held + line))
        held = ""
    return out


class Reader:
    """Reads the headers as a C compiler would, and keeps the comments."""

    def __init__(self, include):
        self.include = include
        self.macros = {"NULL": (None, "0")}
        self.numbers = []  # names of #define with a number, in order
        self.headers = {}  # name of a header: its logical lines
        self.tokens = []   # (header, "comment" or "code", text)
        self.made = {}     # name of a typed function: (macro, its argument, precision)

    def read(self, header):
        """Appends what a header holds, with what it includes, to self.tokens."""
        if header not in self.headers:
            path = os.path.join(self.include, header)
            with open(path, encoding="utf-8") as file:
                self.headers[header] = logical_lines(file.read())
        taken = [True]   # of each open #if: whether its lines count
        was_taken = [True]
        comment = None
        for number, line in self.headers[header]:
            where = "%s:%d" % (header, number)
            if comment is not None:
                end = line.find("*/")
                if end < 0:
                    comment += "\n" + line
                    continue
                if all(taken):
                    self.tokens.append((header, "comment", comment + "\n" + line[:end]))
                comment, line = None, line[end + 2:]
            directive = re.match(r"\s*#\s*(\w+)\s*(.*)$", line)
            if directive:
                word, rest = directive.group(1), re.sub(r"/\*.*?\*/", " ", directive.group(2))
                self.directive(header, where, word, rest.strip(), taken, was_taken)
                continue
            while True:
                begin = line.find("/*")
                code = line if begin < 0 else line[:begin]
                if all(taken) and code.strip():
                    self.tokens.append((header, "code", self.expand(code.strip())))
                if begin < 0:
                    break
                end = line.find("*/", begin)
                if end < 0:
                    comment = line[begin + 2:]
                    break
                if all(taken):
                    self.tokens.append((header, "comment", line[begin + 2:end]))
                line = line[end + 2:]
        if len(taken) != 1:
            raise HeaderError("%s: an #if without its #endif" % header)

    def directive(self, header, where, word, rest, taken, was_taken):
        if word in ("ifdef", "ifndef"):
            truth = (rest in self.macros) == (word == "ifdef")
            taken.append(truth)
            was_taken.append(truth)
        elif word == "if":
            truth = self.truth(rest, where) if all(taken) else False
            taken.append(truth)
            was_taken.append(truth)
        elif word == "else":
            taken[-1] = not was_taken[-1]
        elif word == "endif":
            taken.pop()
            was_taken.pop()
        elif not all(taken):
            return
        elif word == "include":
            name = re.match(r'"(gable/\w+\.h)"$', rest)
            if name:
                self.read(name.group(1))
            elif not re.match(r"<std(def|int)\.h>$", rest):
                raise HeaderError("%s: #include %s" % (where, rest))
        elif word == "undef":
            self.macros.pop(rest, None)
        elif word == "define":
            match = re.match(r"(\w+)(?:\((\w+)\))?(?:\s+(.*))?$", rest)
            if not match or re.match(r"\w+\([^)]*,", rest):
                name = re.match(r"(\w+)\(", rest)
                if name and name.group(1) == "GABLE_STATUS_ENUM":
                    return
                raise HeaderError("%s: #define %s" % (where, rest))
            name, parameter, body = match.group(1), match.group(2), (match.group(3) or "").strip()
            self.macros[name] = (parameter, body)
            if parameter is None and re.match(r"[(\d]", body):
                if name not in [entry[1] for entry in self.numbers] and name != "GABLE_COMPLEX":
                    self.numbers.append((header, name, body))
        else:
            raise HeaderError("%s: #%s" % (where, word))

    def truth(self, text, where):
        if re.match(r"defined\(", text):
            return False  # compilers' own macros: the plain branch
        match = re.match(r"(!?)(\w+)$", text)
        if not match or match.group(2) not in self.macros:
            raise HeaderError("%s: #if %s" % (where, text))
        return (self.macros[match.group(2)][1] != "0") != (match.group(1) == "!")

    def expand(self, text):
        """Code with the macros of typed functions and types replaced."""
        def call(match):
            macro, rest = match.groups()
            parameter, body = self.macros[macro]
            name = body.replace("##" + parameter, rest)
            self.made[name] = (macro, rest, self.macros["GABLE_FN"][1][len("gable_")])
            return name
        text = re.sub(r"\b(GABLE_FN(?:_[A-Z]+)?)\((\w+)\)", call, text)
        for name in ("GABLE_T", "GABLE_R", "GABLE_API"):
            if name in self.macros:
                text = re.sub(r"\b%s\b" % name, self.macros[name][1], text)
        return text


# ---- Declarations ----

def statements(tokens):
    """(header, comment, text) of each declaration. A comment belongs to the declarations that
    follow it without another comment between; those inside of braces are left out."""
    comment, held, depth = "", "", 0
    at = None
    for header, kind, text in tokens:
        if kind == "comment":
            if not held:
                comment = text
            continue
        for part in re.split(r"([{};])", text):
            if not part:
                continue
            if not held.strip():
                at = header
            held += " " + part
            if part == "{":
                if re.match(r'\s*extern "C" \{$', held):
                    held = ""
                else:
                    depth += 1
            elif part == "}":
                depth -= 1
            elif part == ";" and depth == 0:
                yield at, comment, re.sub(r"\s+", " ", held[:-1]).strip()
                held = ""
    if held.strip():
        raise HeaderError("a declaration without its end: %s" % held.strip())


def plain_comment(text):
    lines = [re.sub(r"^\s*\*? ?", "", line).rstrip() for line in text.split("\n")]
    return "\n".join(line for line in lines).strip()


def typed(text):
    """The parts of a C type such as 'const double *const *'."""
    base = re.sub(r"\bconst\b|\*", " ", text).split()
    if base == ["unsigned", "char"]:
        base = ["unsigned char"]
    if len(base) != 1:
        raise HeaderError("type '%s'" % text)
    return base[0], text.count("*"), text.lstrip().startswith("const ")


def declarator(text):
    """('const double *', 'x') of 'const double *x'."""
    match = re.match(r"(.*?[\s*])(\w+)$", text.strip())
    if not match:
        raise HeaderError("declaration '%s'" % text)
    kind = re.sub(r"\s+", " ", match.group(1)).strip()
    return re.sub(r"\s*\*", " *", kind).replace("* *", "**"), match.group(2)


class Interface:
    def __init__(self, include):
        reader = Reader(include)
        reader.read("gable/gable.h")
        reader.read("gable/prediction.h")
        reader.read("gable/dlpack.h")
        expected = {"gable/" + n for n in os.listdir(os.path.join(include, "gable"))
                    if n.endswith(".h")}
        if expected != set(reader.headers):
            raise HeaderError("headers that nothing includes: %s"
                              % " ".join(sorted(expected - set(reader.headers))))
        self.reader = reader
        self.enums, self.structs, self.callbacks, self.functions = [], [], [], []
        self.used = set()  # entries of the tables above that an argument has asked for
        for header, comment, text in statements(reader.tokens):
            self.declaration(header, comment, text)
        stale = (WRITTEN | set(ELSEWHERE) | STREAMS | OPTIONAL) - self.used
        if stale:
            raise HeaderError("tables of interface.py name arguments that no function has: %s"
                              % ", ".join("%s of %s" % (a, f) for f, a in sorted(stale)))
        self.constants = [self.constant(*entry) for entry in reader.numbers]

    def constant(self, header, name, body):
        pointer = re.match(r"\(\(void \*\)(\d+)\)$", body)
        number = re.match(r"(\d+)(u?)$", body)
        if pointer:
            kind, value = "pointer", int(pointer.group(1))
        elif number:
            kind, value = ("unsigned" if number.group(2) else "int"), int(number.group(1))
        else:
            raise HeaderError("%s: #define %s %s" % (header, name, body))
        return {"name": name, "value": value, "type": kind, "header": header}

    def declaration(self, header, comment, text):
        if text.startswith("typedef enum "):
            self.enumeration(header, text)
        elif text.startswith("typedef struct "):
            self.structure(header, text)
        elif text.startswith("typedef "):
            match = re.match(r"typedef (.*?)\(\*(\w+)\)\((.*)\)$", text)
            if not match:
                raise HeaderError("%s: %s" % (header, text))
            self.callbacks.append({"name": match.group(2), "header": header,
                                   "returns": match.group(1).strip(),
                                   "arguments": self.arguments(match.group(3), match.group(2), {})})
        elif text == "}":
            pass
        else:
            self.function(header, comment, text)

    def enumeration(self, header, text):
        match = re.match(r"typedef enum (\w+) \{(.*)\} (\w+)$", text)
        if not match or match.group(1) != match.group(3):
            raise HeaderError("%s: %s" % (header, text))
        entries = []
        if match.group(2).strip() == "GABLE_STATUS_LIST(GABLE_STATUS_ENUM)":
            body = self.reader.macros["GABLE_STATUS_LIST"][1]
            for name, value, words in re.findall(r'X\((\w+), (\d+), "([^"]*)"\)', body):
                entries.append({"name": name, "value": int(value), "text": words})
            if len(entries) != body.count("X("):
                raise HeaderError("%s: GABLE_STATUS_LIST" % header)
        else:
            for part in match.group(2).split(","):
                pair = re.match(r"\s*(\w+) = (\d+)\s*$", part)
                if not pair:
                    raise HeaderError("%s: '%s' in enum %s" % (header, part, match.group(1)))
                entries.append({"name": pair.group(1), "value": int(pair.group(2)), "text": None})
        self.enums.append({"name": match.group(1), "header": header, "constants": entries})

    def structure(self, header, text):
        opaque = re.match(r"typedef struct (\w+) (\w+)$", text)
        if opaque:
            self.structs.append({"name": opaque.group(1), "header": header, "opaque": True,
                                 "fields": []})
            return
        match = re.match(r"typedef struct (\w+) \{(.*)\} (\w+)$", text)
        if not match or match.group(1) != match.group(3):
            raise HeaderError("%s: %s" % (header, text))
        fields = []
        for line in match.group(2).split(";"):
            if not line.strip():
                continue
            words = re.match(r"\s*((?:const )?(?:unsigned )?\w+(?: \*)?)\s*(.*)$", line)
            for name in words.group(2).split(","):
                array = re.match(r"\s*(\w+)(?:\s*\[(\d+)\])?\s*$", name)
                if not array:
                    raise HeaderError("%s: '%s' in struct %s" % (header, line, match.group(1)))
                fields.append({"name": array.group(1), "type": words.group(1),
                               "base": typed(words.group(1))[0],
                               "count": int(array.group(2)) if array.group(2) else None})
        self.structs.append({"name": match.group(1), "header": header, "opaque": False,
                             "fields": fields})

    def function(self, header, comment, text):
        match = re.match(r"(.*?[\s*])(gable_\w+)\s*\((.*)\)$", text)
        if not match:
            raise HeaderError("%s: %s" % (header, text))
        returns = re.sub(r"\s*\*", " *", match.group(1).strip())
        if returns not in ("gable_status", "void", "int", "const char *", "void *"):
            raise HeaderError("%s: %s returns '%s'" % (header, match.group(2), returns))
        entry = {"name": match.group(2), "header": header, "returns": returns}
        entry.update(self.family(match.group(2)))
        entry["arguments"] = self.arguments(match.group(3), match.group(2), entry)
        entry["contract"] = plain_comment(comment)
        self.functions.append(entry)

    def family(self, name):
        """What the name of a function says, as the macro that made it knows."""
        found = dict.fromkeys(("generic", "stem", "precision", "door", "scalars"))
        device_scalars = name.endswith("_dev")
        if name in ("gable_dsdot", "gable_sdsdot", "gable_sdsdot_dev"):
            found["door"] = "device"
            return found
        if name not in self.reader.made:
            return found
        macro, rest, precision = self.reader.made[name]
        prefix = {"GABLE_FN_HOST": "host_", "GABLE_FN_SPARSE": "sparse_", "GABLE_FN_I": "i"}
        found["generic"] = "gable_" + prefix.get(macro, "") + rest
        stem = re.sub(r"_dev$", "", rest)
        found["stem"] = "sparse_" + stem if macro == "GABLE_FN_SPARSE" else stem
        found["precision"] = precision
        found["door"] = "host" if macro == "GABLE_FN_HOST" else "device"
        found["scalars"] = (("real_device" if device_scalars else "real") if macro == "GABLE_FN_M"
                            else "device" if device_scalars else "value")
        return found

    def arguments(self, text, name, entry):
        out = []
        if text.strip() == "void":
            return out
        for part in text.split(","):
            kind, argument = declarator(part)
            base, pointers, const = typed(kind)
            out.append({"name": argument, "type": kind, "base": base, "pointers": pointers,
                        "const": const, "kind": None, "intent": "in", "memory": None,
                        "optional": (name, argument) in OPTIONAL
                        or (entry.get("stem"), argument) in OPTIONAL})
        for i, argument in enumerate(out):
            self.classify(out, i, name, entry)
            if argument["kind"] is None:
                raise HeaderError("%s: argument %s, %s" % (name, argument["name"],
                                                           argument["type"]))
        return out

    def classify(self, arguments, i, name, entry):
        """Sets kind, intent and memory of one argument."""
        argument = arguments[i]
        base, pointers, const = argument["base"], argument["pointers"], argument["const"]
        what = argument["name"]
        stem = entry.get("stem") or name
        opaque = [s["name"] for s in self.structs if s["opaque"]]
        enums = [e["name"] for e in self.enums]
        plain = [s["name"] for s in self.structs if not s["opaque"]]
        self.used |= {(name, what), (stem, what)}
        lapack_host = entry.get("header") == "gable/typed_host_lapack.h"

        def put(kind, intent="in", memory=None):
            argument.update(kind=kind, intent=intent, memory=memory)

        def elements():
            memory = "device"
            if entry.get("door") == "host":
                memory = "host" if lapack_host else "any"
            elif not name.endswith("_dev"):
                memory = ELSEWHERE.get((stem, what), memory)
            intent = "in" if const else "out" if (stem, what) in WRITTEN else "inout"
            return intent, memory

        if pointers == 0:
            kinds = {"int64_t": "size", "size_t": "bytes", "unsigned": "bits", "int": "int",
                     "unsigned char": "bits", "uint64_t": "bits", "char": "char"}
            if base in REALS and base not in plain:
                put("scalar")
            elif base in ("gable_cfloat", "gable_cdouble"):
                put("scalar")
            elif base in kinds:
                put(kinds[base])
            elif base in enums:
                put("enum")
            elif base in [c["name"] for c in self.callbacks]:
                put("callback")
        elif base == "gable_context":
            put("context" if pointers == 1 else "object_out", "in" if pointers == 1 else "out")
        elif base in opaque:
            put("object" if pointers == 1 else "object_out", "in" if pointers == 1 else "out")
        elif base == "char":
            if const and pointers == 1:
                put("string")
            elif pointers == 1 and arguments[i + 1]["base"] == "size_t":
                put("text_out", "out", "host")
        elif base == "void":
            if what == "user":
                put("user")
            elif pointers == 2:
                put("address_out", "out", "host")
            elif (name, what) in STREAMS:
                put("address")
            else:
                put("address", *elements())
        elif argument["type"].endswith(" *const *") and base in REALS:
            # an array of addresses: `const` is that of what they point to
            put("addresses", "in" if const else "inout", "device")
        elif pointers == 1 and entry.get("door"):
            if what in ("result", "info") or (base == "int64_t" and not const and what == "m"):
                put("result", "out", "host" if lapack_host else "any")
            elif base in REALS or base == "int64_t":
                put("array", *elements())
        elif pointers == 1 and base in plain and not const:
            put("struct_out", "out", "host")
        elif pointers == 1 and const and base == "int64_t":
            put("array", *elements())
        elif pointers == 1 and not const and (base in enums or base == "double"):
            put("value_out", "out", "host")


def load(include=None):
    """The list as dictionaries. include: the folder that holds gable/gable.h."""
    found = Interface(include or os.path.join(os.path.dirname(HERE), "include"))
    numbers = {c["name"]: c["value"] for c in found.constants}
    version = ".".join(str(numbers["GABLE_VERSION_" + part]) for part in ("MAJOR", "MINOR", "PATCH"))
    return {"schema": 1, "version": version, "constants": found.constants, "enums": found.enums,
            "structs": found.structs, "callbacks": found.callbacks, "functions": found.functions}


def not_bound(path=None):
    """Functions that a binding leaves out: {(binding, name): reason}."""
    out = {}
    with open(path or os.path.join(HERE, "not_bound.txt"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                words = line.split(None, 2)
                if len(words) != 3 or words[0] not in ("fortran", "python"):
                    raise HeaderError("not_bound.txt: %s" % line.strip())
                out[(words[0], words[1])] = words[2].strip()
    return out


def bound_errors(binding, names, functions, listed):
    """Sentences about functions that a binding lacks, or has though not_bound.txt says otherwise."""
    left_out = {name for which, name in listed if which == binding}
    errors = ["%s lacks %s, and not_bound.txt gives no reason" % (binding, name)
              for name in functions if name not in names and name not in left_out]
    errors += ["%s has %s, which is no public function" % (binding, name)
               for name in names if name not in functions]
    errors += ["not_bound.txt: %s, which is no public function" % name
               for name in sorted(left_out) if name not in functions]
    errors += ["not_bound.txt: %s, which %s has" % (name, binding)
               for name in sorted(left_out) if name in names]
    return errors


def main(arguments):
    if len(arguments) not in (1, 2) or arguments[0] not in ("--json", "--names", "--bound") or (
            arguments[0] == "--bound" and len(arguments) != 2):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    try:
        include = arguments[1] if len(arguments) == 2 and arguments[0] != "--bound" else None
        found = load(include)
    except (HeaderError, OSError) as error:
        print("interface.py: %s" % error, file=sys.stderr)
        return 1
    if arguments[0] == "--bound":
        errors = bound_errors(arguments[1], set(sys.stdin.read().split()),
                              [f["name"] for f in found["functions"]], not_bound())
        for error in errors:
            print("interface.py: %s" % error, file=sys.stderr)
        return 1 if errors else 0
    if arguments[0] == "--json":
        json.dump(found, sys.stdout, indent=1)
        print()
    else:
        for function in found["functions"]:
            print(function["name"])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
