#!/bin/sh
# no_petsc_test.sh: stands for the tests of the PETSc plugin where PETSc is not installed.
# SPDX-License-Identifier: BSD-3-Clause
echo "skipped: PETSc's headers were not found (Debian: libpetsc-real-dev openmpi-bin), so the plugin was not built"
case ",${GABLE_REQUIRE:-}," in
*,petsc,*) exit 1 ;;
esac
exit 77
