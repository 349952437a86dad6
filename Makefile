# Makefile: the commands of a checkout; CMake does the building.
# SPDX-License-Identifier: BSD-3-Clause
#
#   make             builds build/gable, build/libgable.so and build/libgable.a, no tests; installs nothing
#   make demo        installs what is missing, builds, shows the devices and a one-minute benchmark, and
#                    writes build/report.html
#   make check       installs what is missing, builds, runs the tests and checks that a change needs
#   make check-deep  clang, address and UB sanitizers, mutants, emulated kernels, all forms of kernels through NVRTC
#   make check-all   both, the long tests and the thread sanitizer
#   make check-gpu   the suite, compute-sanitizer and the benchmarks on every GPU; installs nothing
#                    ONLY="tests opencl sanitizer bench" picks parts, OUT=folder takes the results
#   make peers       installs ViennaCL, Eigen and PETSc where they are missing, and builds the programs that time
#                    them for `gable bench`
#   make install     into PREFIX (default /usr/local), below DESTDIR if set
#   make uninstall   removes what `make install` put there, by the list it left; PREFIX and DESTDIR
#                    as for install
#   make wheel       builds the Python package with libgable inside into build/wheel/
#   make install-python  installs the Python package into PYTHONDIR (default: where PREFIX's Python looks), below DESTDIR
#                    if set; libgable comes with `make install`
#   make deb         installs what is missing, builds the Debian packages into build-deb/, runs lintian
#   make format      formats the sources with clang-format 14
#   make clean       removes build/ and build-*/

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= /usr/local

.PHONY: all demo check check-deep check-all check-gpu peers install install-python wheel uninstall deb format clean

all:
	@command -v cmake >/dev/null 2>&1 || { echo 'gable: cmake is missing: run `make demo`,' \
	    'or `scripts/bootstrap.sh build` to install what the build needs' >&2; exit 1; }
	@cmake --preset release
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build build --parallel $(JOBS)

demo:
	@scripts/demo.sh

check:
	@scripts/check.sh

check-deep:
	@scripts/check.sh --deep

check-all:
	@scripts/check.sh --all

check-gpu:
	@ONLY='$(ONLY)' OUT='$(OUT)' scripts/check_gpu.sh

peers:
	@scripts/bootstrap.sh peers
	@cmake --preset release
	@env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL cmake --build build --parallel $(JOBS) --target peers

install: all
	@cmake --install build --prefix '$(PREFIX)'

wheel: all
	@scripts/make_wheel.sh build/wheel

# Where the Python of PREFIX looks for packages.
PYTHONDIR ?= $(shell python3 scripts/python_folder.py '$(PREFIX)')
install-python:
	@python3 bindings/python/gable_build.py install '$(DESTDIR)$(PYTHONDIR)'
	@echo 'gable: the Python package is in $(DESTDIR)$(PYTHONDIR)/gable_linalg; remove that folder to uninstall it'

uninstall:
	@DESTDIR='$(DESTDIR)' scripts/uninstall.sh '$(PREFIX)'

deb:
	@scripts/make_deb.sh

format:
	@scripts/check_format.sh --write

clean:
	@rm -rf build build-*/
