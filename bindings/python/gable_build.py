#!/usr/bin/env python3
# gable_build.py: builds the wheel of gable-linalg, and installs the package.
# SPDX-License-Identifier: BSD-3-Clause
"""The build backend (PEP 517) of gable-linalg, and the same by hand. Nothing but Python is needed.

    gable_build.py wheel FOLDER [LIBRARY [OPENMP]]   a wheel with libgable, and a libgomp, inside
    gable_build.py install FOLDER                    the package without the library into FOLDER

pip takes the library of the checkout's build folder, or the one that GABLE_LIBRARY names; where
neither is there, the wheel holds none, and the package looks for an installed one.
"""
import base64
import hashlib
import importlib.util
import json
import os
import platform
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NAME, VERSION = "gable_linalg", "0.1.0"

METADATA = """Metadata-Version: 2.1
Name: gable-linalg
Version: %s
Summary: Linear algebra for GPUs and CPUs that knows how fast it should be
License: BSD-3-Clause
Requires-Python: >=3.9
Provides-Extra: numpy
Requires-Dist: numpy>=1.22; extra == "numpy"
Classifier: License :: OSI Approved :: BSD License
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering :: Mathematics
Classifier: Typing :: Typed

Gable from Python: arrays on GPUs and CPUs, BLAS, LAPACK, sparse matrices and solvers.
""" % VERSION

OPENMP_NOTICE = """libgomp.so.1 in this folder is GCC's OpenMP runtime, unchanged (GPL 3 with the GCC Runtime Library
Exception). It is loaded only where the machine has no libgomp.so.1 of its own.
"""


def script(name, *folder):
    """A script of this checkout as a module."""
    spec = importlib.util.spec_from_file_location("gable_" + name,
                                                  os.path.join(*folder, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def interface(listed):
    """interface.json: the list of bindings/interface.py, with each contract stored once."""
    contracts = {}
    for function in listed["functions"]:
        function["contract"] = contracts.setdefault(function["contract"], len(contracts))
    listed["contracts"] = list(contracts)
    return json.dumps(listed, separators=(",", ":"))


def package_files():
    """{path inside of the package's parent: bytes}."""
    folder = os.path.join(HERE, NAME)
    files = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(folder, name), "rb") as file:
                files["%s/%s" % (NAME, name)] = file.read()
    listed = script("interface", ROOT, "bindings").load()
    files[NAME + "/blas.pyi"] = script("stubs", HERE).text(listed).encode()
    files[NAME + "/interface.json"] = interface(listed).encode()
    return files


def library():
    """The libgable that goes into a wheel; None where there is none."""
    for path in (os.environ.get("GABLE_LIBRARY"), os.path.join(ROOT, "build", "libgable.so.0")):
        if path and os.path.exists(path):
            return path
    return None


def glibc_of(data):
    """The newest version of glibc that a library asks for: (2, 35)."""
    found = re.findall(rb"GLIBC_(\d+)\.(\d+)", data)
    return max((int(major), int(minor)) for major, minor in found)


def wheel_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def write_wheel(folder, libgable, openmp):
    """Writes the wheel and gives its name."""
    files, tag, pure = package_files(), "py3-none-any", "true"
    if libgable is not None:
        data = wheel_bytes(libgable)
        files[NAME + "/_lib/libgable.so.0"] = data
        newest = glibc_of(data)
        if openmp is not None:
            data = wheel_bytes(openmp)
            files[NAME + "/_lib/libgomp.so.1"] = data
            files[NAME + "/_lib/NOTICE"] = OPENMP_NOTICE.encode()
            newest = max(newest, glibc_of(data))
        tag, pure = "py3-none-manylinux_%d_%d_%s" % (*newest, platform.machine()), "false"
    info = "%s-%s.dist-info" % (NAME, VERSION)
    files[info + "/METADATA"] = METADATA.encode()
    files[info + "/WHEEL"] = ("Wheel-Version: 1.0\nGenerator: gable_build\nRoot-Is-Purelib: %s\n"
                              "Tag: %s\n" % (pure, tag)).encode()
    with open(os.path.join(ROOT, "LICENSE"), "rb") as file:
        files[info + "/LICENSE"] = file.read()
    record = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append("%s,sha256=%s,%d" % (path, digest, len(data)))
    record.append(info + "/RECORD,,")
    files[info + "/RECORD"] = ("\n".join(record) + "\n").encode()
    name = "%s-%s-%s.whl" % (NAME, VERSION, tag)
    os.makedirs(folder, exist_ok=True)
    with zipfile.ZipFile(os.path.join(folder, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            # A fixed date: the same sources make the same bytes.
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            wheel.writestr(entry, data)
    return name


# ---- PEP 517 ----

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, library(), None)


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError("gable-linalg is built from a checkout of Gable: pip install ./bindings/python, "
                       "or make wheel")


def main(words):
    if len(words) in (2, 3, 4) and words[0] == "wheel":
        given = words[2] if len(words) > 2 else library()
        print(os.path.join(words[1], write_wheel(words[1], given,
                                                 words[3] if len(words) > 3 else None)))
        return 0
    if len(words) == 2 and words[0] == "install":
        for path, data in package_files().items():
            target = os.path.join(words[1], path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(data)
        return 0
    print(__doc__.split("\n\n")[1], file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
