#!/usr/bin/env python3
# fortran_module.py: makes gable.f90, the Fortran module, from the list of the interface.
# SPDX-License-Identifier: BSD-3-Clause
"""Makes gable.f90 from the headers and what is written by hand beside this script.

    bindings/fortran/fortran_module.py OUTPUT     writes the module
    bindings/fortran/fortran_module.py --bound    the C functions that it has, one per line

The file holds three modules. gable_base is gable_base.f90. gable_c has an interface for every C
function: c_gable_dgemm for gable_dgemm, with addresses as type(c_ptr). gable is what programs use:
subroutines with an optional status, in up to three forms for each typed routine:

  _p   all operands are addresses, type(c_ptr)
  _h   operands in device memory are addresses; numbers that the routine returns, or takes from host
       memory, are variables
  _a   operands are arrays, of their natural rank: vectors 1, matrices 2, batches of matrices 3. A
       list of addresses is an address here, too: gfortran takes an element of an array of type(c_ptr)
       for such an array, and a generic name could not tell them apart

gable_dgemm is the generic name of its forms; gable_gemm is that of all forms of all precisions whose
arguments tell them apart. gable_host_dgemm is the form _a itself, so that a block may be passed by
its first element. gable_more.f90 has the procedures that are written by hand (MADE_BY_HAND below).
"""
import os
import re
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
import interface  # noqa: E402

COLUMNS = 110  # of a line that is made here; Fortran ends at 132

# Wrapped in gable_more.f90.
MADE_BY_HAND = {
    "gable_solver_create_operator", "gable_solver_monitor", "gable_solver_precondition",
    "gable_fill_bytes",
}
# Names that gable_more.f90 adds to a generic name that is made here.
MORE_FORMS = {
    "gable_alloc": ["alloc_%s%d" % (p, r) for p in "sdczi" for r in (0, 1, 2)],
    "gable_free": ["free_%s%d" % (p, r) for p in "sdczi" for r in (0, 1, 2)],
    "gable_set_vector": ["set_vector_%s%s" % (p, f) for p in "sdczi" for f in "pa"],
    "gable_get_vector": ["get_vector_%s%s" % (p, f) for p in "sdczi" for f in "pa"],
    "gable_set_matrix": ["set_matrix_%s%s" % (p, f) for p in "sdczi" for f in "pa"],
    "gable_get_matrix": ["get_matrix_%s%s" % (p, f) for p in "sdczi" for f in "pa"],
    "gable_solver_solve": ["solver_solve_%s" % p for p in "sdcz"],
    "gable_sparse_solve": ["sparse_solve_%s" % p for p in "sdcz"],
}
# New generic names of gable_more.f90.
MORE_NAMES = {
    "gable_view": ["view_%s%d" % (p, r) for p in "sdczi" for r in (0, 1, 2)],
}
for letter in "sdcz":
    for routine in ("csr", "coo"):
        MORE_FORMS["gable_sparse_%s%s" % (letter, routine)] = [
            "%s_%s%d" % (routine, letter, bits) for bits in (32, 64)]

TYPES = {
    "float": "real(c_float)", "double": "real(c_double)",
    "gable_cfloat": "complex(c_float_complex)", "gable_cdouble": "complex(c_double_complex)",
    "int64_t": "integer(c_int64_t)", "size_t": "integer(c_size_t)", "int": "integer(c_int)",
    "unsigned": "integer(c_int)", "uint64_t": "integer(c_int64_t)",
    "unsigned char": "integer(c_signed_char)", "char": "character(kind=c_char)",
}
# The four precisions and the numbers of pivots, for the templates of gable_more.f90.
ELEMENTS = {"s": "real(c_float)", "d": "real(c_double)", "c": "complex(c_float_complex)",
            "z": "complex(c_double_complex)", "i": "integer(c_int64_t)"}
BYTES = {"s": 4, "d": 8, "c": 8, "z": 16, "i": 8}


# ---- Lines ----

def folded(text, indent):
    """A statement as lines, continued behind commas or blanks."""
    lines, first = [], True
    while True:
        room = COLUMNS - indent - (0 if first else 4)
        pad = " " * (indent + (0 if first else 4))
        if len(text) <= room:
            lines.append(pad + text)
            return lines
        cut = max(text.rfind(", ", 0, room - 2) + 1, 0) or text.rfind(" ", 0, room - 2)
        if cut <= 0:
            raise ValueError("cannot fold: %s" % text)
        lines.append(pad + text[:cut].rstrip() + " &")
        text, first = text[cut:].lstrip(), False


class Procedure:
    """A function or subroutine that is put together argument by argument."""

    def __init__(self, kind, name):
        self.kind, self.name = kind, name
        self.dummies = []       # names, in order
        self.declarations = []  # (order, type with attributes, name with shape)
        self.locals = []        # lines
        self.before, self.after, self.call = [], [], []
        self.result = None      # (name, type)
        self.signature = []     # (type, rank) of the arguments that are not optional
        self.bind = None

    def dummy(self, name, kind, attributes="", shape="", order=1, optional=False, rank=None):
        self.dummies.append(name)
        if optional:
            attributes += ", optional"
        self.declarations.append((order, kind + attributes, name + shape))
        if not optional:
            self.signature.append((kind, shape.count(",") + 1 if shape and rank is None else
                                   rank or 0))

    def text(self, indent, body):
        head = "%s %s(%s)" % (self.kind, self.name, ", ".join(self.dummies))
        if self.bind:
            head += ' bind(C, name="%s")' % self.bind
        if self.result:
            head += " result(%s)" % self.result[0]
        out = folded(head, indent)
        if self.bind:
            out.append(" " * (indent + 4) + "import")
        grouped = {}
        for order, kind, name in self.declarations:
            grouped.setdefault((order, kind), []).append(name)
        for (_, kind), names in sorted(grouped.items(), key=lambda item: item[0][0]):
            out += folded("%s :: %s" % (kind, ", ".join(names)), indent + 4)
        if self.result:
            out += folded("%s :: %s" % (self.result[1], self.result[0]), indent + 4)
        for line in self.locals + body:
            out += folded(line, indent + 4)
        out.append(" " * indent + "end %s %s" % (self.kind, self.name))
        return out


class Module:
    def __init__(self, include):
        self.list = interface.load(include)
        left_out = {name for which, name in interface.not_bound() if which == "fortran"}
        headers = {f["header"] for f in self.list["functions"] if f["name"] not in left_out}
        self.list["functions"] = [f for f in self.list["functions"] if f["name"] not in left_out]
        # Of a header of which nothing is bound its callbacks are not needed either.
        of_left_out = {f["header"] for f in interface.load(include)["functions"]} - headers
        self.list["callbacks"] = [c for c in self.list["callbacks"] if c["header"] not in of_left_out]
        self.enums = {e["name"] for e in self.list["enums"]}
        self.structs = [s for s in self.list["structs"]
                        if not s["opaque"] and s["name"] not in ("gable_cfloat", "gable_cdouble")]
        # Objects that some function takes without a context: they remember theirs.
        self.procedures, self.generics = [], {}
        for function in self.list["functions"]:
            self.check_names(function)

    @staticmethod
    def check_names(function):
        names = [a["name"].lower() for a in function["arguments"]]
        if function["returns"] == "gable_status":
            names += ["status", "code"]
        if len(set(names)) != len(names):
            raise ValueError("%s: names that Fortran takes as the same" % function["name"])

    def kind(self, base):
        return "integer(c_int)" if base in self.enums else TYPES[base]

    # ---- module gable_c ----

    def constants(self):
        out = []
        for constant in self.list["constants"]:
            if constant["type"] == "pointer":
                out.append("    type(c_ptr), parameter :: %s = transfer(%d_c_intptr_t, c_null_ptr)"
                           % (constant["name"], constant["value"]))
                continue
            out.append("    integer(c_int), parameter :: %s = %d_c_int"
                       % (constant["name"], constant["value"]))
        for enum in self.list["enums"]:
            out.append("    ! %s" % enum["name"])
            for entry in enum["constants"]:
                out.append("    integer(c_int), parameter :: %s = %d_c_int%s"
                           % (entry["name"], entry["value"],
                              " ! " + entry["text"] if entry["text"] else ""))
        return out

    def raw_structs(self):
        out = []
        for struct in self.structs:
            out.append("    type, bind(C) :: c_%s" % struct["name"])
            for field in struct["fields"]:
                out.append("        %s :: %s%s" % (self.kind(field["base"]), field["name"],
                                                 "(%d)" % field["count"] if field["count"] else ""))
            out.append("    end type c_%s" % struct["name"])
        return out

    def raw(self, function):
        """The interface of the C function itself."""
        returns = function["returns"]
        procedure = Procedure("subroutine" if returns == "void" else "function",
                              "c_" + function["name"])
        procedure.bind = function["name"]
        if returns != "void":
            procedure.result = ("code", "type(c_ptr)" if returns == "const char *"
                                else "integer(c_int)")
        for a in function["arguments"]:
            kind, optional = a["kind"], a["optional"]
            if kind == "callback":
                procedure.dummy(a["name"], "type(c_funptr)", ", value")
            elif kind in ("object_out", "address_out"):
                procedure.dummy(a["name"], "type(c_ptr)", ", intent(out)", optional=optional)
            elif kind == "value_out":
                procedure.dummy(a["name"], self.kind(a["base"]), ", intent(out)",
                                optional=optional)
            elif kind == "struct_out":
                procedure.dummy(a["name"], "type(c_%s)" % a["base"], ", intent(out)",
                                optional=optional)
            elif a["pointers"]:
                procedure.dummy(a["name"], "type(c_ptr)", ", value")
            elif kind == "char":
                # gfortran 12 passes a letter that is itself an argument wrongly by value.
                procedure.dummy(a["name"], "integer(c_signed_char)", ", value")
            else:
                procedure.dummy(a["name"], self.kind(a["base"]), ", value")
        return procedure.text(8, [])

    # ---- module gable ----

    def struct_types(self):
        out = []
        for struct in self.structs:
            out.append("    type :: %s" % struct["name"])
            for field in struct["fields"]:
                kind = self.kind(field["base"])
                if field["base"] == "char":
                    kind = "character(len=%d)" % (field["count"] or 1)
                out.append("        %s :: %s" % (kind, field["name"]))
            out.append("    end type %s" % struct["name"])
        return out

    def struct_conversions(self):
        """Subroutines that copy a struct of C into the type that programs see."""
        out = []
        for struct in self.structs:
            name = "take_" + struct["name"][len("gable_"):]
            out.append("    subroutine %s(from, to)" % name)
            out.append("        type(c_%s), intent(in) :: from" % struct["name"])
            out.append("        type(%s), intent(out) :: to" % struct["name"])
            for field in struct["fields"]:
                if field["base"] == "char" and field["count"]:
                    out.append("        call gable_from_letters(from%%%s, to%%%s)"
                               % (field["name"], field["name"]))
                else:
                    out.append("        to%%%s = from%%%s" % (field["name"], field["name"]))
            out.append("    end subroutine %s" % name)
            out.append("")
        return out

    def wrapper(self, function, name, form):
        """A procedure that calls a C function. form: p, h or a (above)."""
        returns = function["returns"]
        arguments = function["arguments"]
        procedure = Procedure("function" if returns in ("int", "const char *") else "subroutine",
                              name)
        context = "c_null_ptr"
        i = 0
        while i < len(arguments):
            a = arguments[i]
            what, kind, optional = a["name"], a["kind"], a["optional"]
            given = what
            if kind == "context":
                procedure.dummy(what, "type(gable_context)", ", intent(in)", order=0)
                given = what + "%address"
                if context == "c_null_ptr":
                    context = given
            elif kind == "object":
                procedure.dummy(what, "type(%s)" % a["base"], ", intent(in)", order=0)
                given = what + "%address"
                if i == 0:
                    context = what + "%context"
            elif kind == "object_out":
                procedure.dummy(what, "type(%s)" % a["base"], ", intent(out)", order=0,
                                optional=optional)
                if optional:
                    procedure.locals.append("type(c_ptr) :: made")
                    given = "made"
                    procedure.after += ["if (present(%s)) %s%%address = made" % (what, what)]
                else:
                    given = what + "%address"
                    if a["base"] in ("gable_timer", "gable_solver"):
                        procedure.after.append("%s%%context = ctx%%address" % what)
                    if a["base"] == "gable_context":
                        context = given
            elif kind in ("size", "bytes", "int", "scalar", "char", "enum", "bits"):
                procedure.dummy(what, self.kind(a["base"]), ", intent(in)", order=1,
                                optional=optional)
                if kind == "char":
                    given = "int(ichar(%s), c_signed_char)" % what
            elif kind == "string":
                procedure.dummy(what, "character(len=*)", ", intent(in)", order=2,
                                optional=optional)
                text = "c_%s" % what
                procedure.locals.append("character(kind=c_char, len=:), allocatable, target :: "
                                        + text)
                take = "%s = trim(%s) // c_null_char" % (text, what)
                if optional:
                    procedure.locals.append("type(c_ptr) :: at_%s" % what)
                    procedure.before += ["at_%s = c_null_ptr" % what,
                                         "if (present(%s)) then" % what, "    " + take,
                                         "    at_%s = c_loc(%s)" % (what, text), "end if"]
                    given = "at_%s" % what
                else:
                    procedure.before.append(take)
                    given = "c_loc(%s)" % text
            elif kind == "text_out":
                procedure.dummy(what, "character(len=*)", ", intent(out)", order=2,
                                optional=optional)
                procedure.locals.append("character(kind=c_char), target :: letters(1024)")
                procedure.before.append("letters = c_null_char")
                procedure.after.append("if (present(%s)) call gable_from_letters(letters, %s)"
                                       % (what, what))
                procedure.call += ["c_loc(letters)", "size(letters, kind=c_size_t)"]
                i += 2
                continue
            elif kind == "value_out":
                procedure.dummy(what, self.kind(a["base"]), ", intent(out)", order=2,
                                optional=optional)
            elif kind == "struct_out":
                procedure.dummy(what, "type(%s)" % a["base"], ", intent(out)", order=2,
                                optional=optional)
                given = "c_" + what
                procedure.locals.append("type(c_%s) :: %s" % (a["base"], given))
                take = "call take_%s(%s, %s)" % (a["base"][len("gable_"):], given, what)
                guard = "if (code == 0_c_int) "
                procedure.after.append("if (present(%s)) then" % what if optional
                                       else guard + take)
                if optional:
                    procedure.after += ["    " + guard + take, "end if"]
            elif kind == "address_out":
                procedure.dummy(what, "type(c_ptr)", ", intent(out)", order=2)
            elif kind in ("address", "addresses") or form == "p":
                procedure.dummy(what, "type(c_ptr)", ", intent(in)", order=2)
            elif kind in ("array", "result"):
                at_host = kind == "result" or a["memory"] == "host"
                if form == "h" and not at_host:
                    procedure.dummy(what, "type(c_ptr)", ", intent(in)", order=2)
                else:
                    given = self.variable(procedure, function, a)
            else:
                raise ValueError("%s: %s is of kind %s" % (function["name"], what, kind))
            procedure.call.append(given)
            i += 1
        call = "c_%s(%s)" % (function["name"], ", ".join(procedure.call))
        if returns == "const char *":
            procedure.result = ("text", "character(len=:), allocatable")
            body = ["text = gable_to_text(%s)" % call]
        elif returns == "int":
            procedure.result = ("number", "integer(c_int)")
            body = ["number = " + call]
        elif returns == "void":
            body = ["call " + call]
        else:
            procedure.dummy("status", "integer(c_int)", ", intent(out)", order=3, optional=True)
            procedure.locals.append("integer(c_int) :: code")
            body = ["code = " + call]
            procedure.after.append("call gable_report(%s, code, status)" % context)
        if function["name"] in ("gable_close", "gable_free", "gable_sparse_destroy",
                                "gable_solver_destroy", "gable_timer_destroy",
                                "gable_recording_destroy"):
            self.forget(procedure, function)
        return procedure, procedure.before + body + procedure.after

    @staticmethod
    def forget(procedure, function):
        """What a call gives back is null afterwards, so that it can be given back once more."""
        last = function["arguments"][-1]
        procedure.declarations = [
            (order, kind.replace("intent(in)", "intent(inout)") if name == last["name"] else kind,
             name) for order, kind, name in procedure.declarations]
        reset = "%s%s = c_null_ptr" % (last["name"], "%address" if last["kind"] != "address" else "")
        if function["returns"] == "void":
            procedure.after.append(reset)
        else:
            procedure.after.insert(0, "if (code == 0_c_int) " + reset)

    def variable(self, procedure, function, a):
        """An operand that is a Fortran variable or array; how it is given to C."""
        what = a["name"]
        names = [b["name"] for b in function["arguments"]]
        shape = ""
        if not self.is_scalar(function, a):
            ld = [n for n in names if n == "ld" + what.lower()]
            strided = "stride_" + what.lower() in names
            if ld and strided:
                # Nothing is indexed here: the extents only give the rank.
                shape = "(max(%s, 1_c_int64_t), 1, *)" % ld[0]
            elif ld:
                shape = "(max(%s, 1_c_int64_t), *)" % ld[0]
            elif strided:
                shape = "(1, *)"
            else:
                shape = "(*)"
        intent = "in" if a["intent"] == "in" else "inout"
        if not shape and a["intent"] == "out":
            intent = "inout"  # on failure it is untouched
        rank = 0 if not shape else {1: 1, 2: 2, 3: 3}[len(re.sub(r"\(max\([^)]*\)", "(1", shape)
                                                          .split(","))]
        procedure.dummy(what, self.kind(a["base"]), ", intent(%s), target" % intent, shape,
                        order=2, rank=rank)
        return "c_loc(%s)" % what

    @staticmethod
    def is_scalar(function, a):
        """Whether an operand is one number."""
        stem, what = function["stem"] or function["name"][6:].replace("_dev", ""), a["name"]
        if a["kind"] == "result":
            return stem not in ("mdot", "mdotu", "mdotc", "mnrm2")
        if what in ("alpha", "beta", "cfrom", "cto"):
            return True
        return (stem, what) in {
            ("rotg", "a"), ("rotg", "b"), ("rotg", "c"), ("rotg", "s"), ("rot", "c"), ("rot", "s"),
            ("rotmg", "d1"), ("rotmg", "d2"), ("rotmg", "x1"), ("rotmg", "y1"), ("larfg", "tau")}

    def forms(self, function):
        """The forms of a typed routine."""
        arguments = function["arguments"]
        if function["door"] == "host":
            return "a" if any(a["memory"] == "host" for a in arguments) else "pa"
        if not any(a["kind"] in ("array", "result") for a in arguments):
            return "p"
        at_host = [a for a in arguments if a["kind"] == "result"
                   or (a["kind"] == "array" and a["memory"] == "host")]
        on_device = [a for a in arguments if a["memory"] in ("device", "any") and a not in at_host]
        return "p" + ("h" if at_host and on_device else "") + "a"

    def build(self):
        for function in self.list["functions"]:
            name = function["name"]
            if name in MADE_BY_HAND:
                continue
            if not function["door"]:
                specific = name
                if name in MORE_FORMS:
                    specific = name[len("gable_"):] + "_p"
                    self.generics.setdefault(name, []).append((specific, None, None))
                    self.generics[name] += [(more, None, None) for more in MORE_FORMS[name]]
                procedure, body = self.wrapper(function, specific, "p")
                self.procedures.append((procedure, body, name == specific))
                continue
            short = name[len("gable_"):]
            if name in MORE_FORMS:
                wanted = "p"
            else:
                wanted = self.forms(function)
            for form in wanted:
                specific = short + "_" + form
                public = function["door"] == "host" and form == "a"
                if public:
                    specific = name
                procedure, body = self.wrapper(function, specific, form)
                self.procedures.append((procedure, body, public))
                entry = (specific, tuple(procedure.signature), function)
                if function["door"] != "host":
                    self.generics.setdefault(name, []).append(entry)
                if function["generic"]:
                    self.generics.setdefault(function["generic"], []).append(entry)
            if name in MORE_FORMS:
                for more in MORE_FORMS[name]:
                    self.generics[name].append((more, None, function))
                    self.generics[function["generic"]].append((more, None, function))
        for name, specifics in MORE_NAMES.items():
            self.generics[name] = [(specific, None, None) for specific in specifics]

    def told_apart(self, entries):
        """Specifics of a generic name whose arguments tell which one is meant. Where several have
        the same, a single one with scalars of its own precision stays, else none."""
        out = []
        for entry in entries:
            same = [e for e in entries if e[1] is not None and e[1] == entry[1]]
            if entry[1] is None or len(same) == 1:
                out.append(entry)
                continue
            plain = [e for e in same if e[2] and e[2]["scalars"] in ("value", "device")]
            if len(plain) == 1 and plain[0] is entry:
                out.append(entry)
        return out

    def text(self):
        self.build()
        with open(os.path.join(HERE, "gable_base.f90"), encoding="utf-8") as file:
            base = file.read()
        with open(os.path.join(HERE, "gable_more.f90"), encoding="utf-8") as file:
            more_head, more_body = expanded(file.read())
        out = ["! gable.f90: Gable, linear algebra for GPUs and CPUs, for Fortran.",
               "! SPDX-License-Identifier: BSD-3-Clause", "!",
               "! Version %s. Made from Gable's headers: do not edit. docs/fortran.md is its manual,"
               % self.list["version"],
               "! include/gable/*.h has the contract of each routine.", ""]
        out += base.rstrip().split("\n") + ["", "module gable_c",
                "    use, intrinsic :: iso_c_binding", "    implicit none", "    public", ""]
        out += self.constants() + [""] + self.raw_structs() + ["", "    interface"]
        for function in self.list["functions"]:
            out += self.raw(function)
        out += ["    end interface", "", "end module gable_c", "", "module gable",
                "    use, intrinsic :: iso_c_binding", "    use gable_base", "    use gable_c",
                "    implicit none", "    private", ""]
        public = ["gable_int", "gable_context", "gable_recording", "gable_sparse", "gable_timer",
                  "gable_solver", "gable_offset"]
        public += [c["name"] for c in self.list["constants"]]
        public += [c["name"] for e in self.list["enums"] for c in e["constants"]]
        public += [s["name"] for s in self.structs]
        public += [c["name"] for c in self.list["callbacks"]]
        public += [p.name for p, _, is_public in self.procedures if is_public]
        public += list(self.generics)
        public += [name for name in sorted(MADE_BY_HAND) if name not in self.generics]
        # What arguments are made with. Without c_associated: passed on by a module, it makes
        # gfortran 12 fail where its second argument is c_loc(x).
        public += ["c_ptr", "c_null_ptr", "c_loc", "c_sizeof", "c_f_pointer", "c_funptr",
                   "c_int", "c_int32_t", "c_int64_t", "c_size_t", "c_float", "c_double",
                   "c_float_complex", "c_double_complex", "c_char"]
        if len({name.lower() for name in public}) != len(public):
            twice = {n for n in public if [x.lower() for x in public].count(n.lower()) > 1}
            raise ValueError("public twice: %s" % twice)
        for name in public:
            out.append("    public :: " + name)
        out += [""] + self.struct_types() + [""] + more_head + [""]
        for name, entries in self.generics.items():
            entries = self.told_apart(entries)
            if not entries:
                raise ValueError("nothing left of %s" % name)
            out.append("    interface %s" % name)
            out += folded("module procedure " + ", ".join(e[0] for e in entries), 8)
            out.append("    end interface %s" % name)
        out += ["", "contains", ""] + self.struct_conversions()
        for procedure, body, _ in self.procedures:
            out += procedure.text(4, body) + [""]
        out += more_body + ["", "end module gable"]
        wide = [line for line in out if len(line) > 132]
        if wide:
            raise ValueError("lines over 132 columns: %s" % wide[0])
        return "\n".join(out) + "\n"


def expanded(text):
    """gable_more.f90 with its templates written out: what goes before `contains`, and behind it.

    Between '!each PRECISIONS' and '!end' stands what each of these precisions gets, with <p> for its
    letter, <T> for its type and <bytes> for the bytes of an element."""
    text = re.sub(r"\A(!.*\n)+", "", text)

    def each(match):
        return "".join(match.group(2).replace("<p>", p).replace("<T>", ELEMENTS[p])
                       .replace("<bytes>", "%d_c_size_t" % BYTES[p]) for p in match.group(1))
    text = re.sub(r"^ *!each (\w+)\n(.*?)^ *!end\n", each, text, flags=re.M | re.S)
    head, body = text.split("\ncontains\n")
    return head.strip("\n").split("\n"), body.strip("\n").split("\n")


def main(arguments):
    if len(arguments) != 1:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    module = Module(None)
    text = module.text()
    if arguments[0] == "--bound":
        called = set(re.findall(r"\bc_(gable_\w+)\(", text.split("\nmodule gable\n")[1]))
        print("\n".join(f["name"] for f in module.list["functions"] if f["name"] in called))
        return 0
    os.makedirs(os.path.dirname(os.path.abspath(arguments[0])), exist_ok=True)
    with open(arguments[0], "w", encoding="utf-8") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
