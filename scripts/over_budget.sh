#!/bin/sh
# over_budget.sh: names the tests of a CTest run that took longer than docs/testing.md allows.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/over_budget.sh LOG BUDGETS
#
# LOG is what ctest printed. BUDGETS has a line "NAME SECONDS" for each test that has a budget of its own and
# "* SECONDS" for the others; CMake writes it (test-budgets.txt in the build folder). The slowest test comes first.
# This is information: the status is 0 unless a file is missing. Times are those of a run beside others, on a
# machine whose kernel caches may be cold.
set -eu
if [ $# -ne 2 ] || [ ! -r "$1" ] || [ ! -r "$2" ]; then
    echo "over_budget: use: scripts/over_budget.sh LOG BUDGETS" >&2
    exit 2
fi
awk '
    NR == FNR { budget[$1] = $2; next }
    /^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / && / sec *$/ {
        line = $0
        sub(/^[^#]*#[0-9]+: /, "", line)
        name = line; sub(/ .*/, "", name)
        seconds = $(NF - 1)
        most = name in budget ? budget[name] : budget["*"]
        if (most != "" && seconds + 0 > most + 0)
            printf "%s took %s s; its budget is %s s\n", name, seconds, most
    }
' "$2" "$1" | sort -k3,3nr
