#!/bin/sh
# over_budget_test.sh: scripts/over_budget.sh names the slow tests of a planted log, and no others.
# SPDX-License-Identifier: BSD-3-Clause
set -eu
script=$(cd "$(dirname "$0")/.." && pwd)/scripts/over_budget.sh
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/log" <<'END'
test 7
      Start  7: test_dot@pocl
7: 1/2 Test #9: test_fake@cpu ....   Passed   99.00 sec
 1/5 Test   #7: test_dot@pocl ....................   Passed   10.01 sec
 2/5 Test  #12: test_dot@cpu .....................   Passed    3.00 sec
 3/5 Test #112: tool_bench@cpu ...................   Passed   61.50 sec
 4/5 Test #113: test_gemv@pocl ...................***Failed  118.20 sec
 5/5 Test #114: test_gone@cuda ...................***Skipped   0.01 sec
Total Test time (real) = 200.00 sec
END
printf '%s\n' '* 60' 'test_dot@pocl 10' 'test_dot@cpu 3' 'test_gemv@pocl 10' >"$folder/budgets"
cat >"$folder/wanted" <<'END'
test_gemv@pocl took 118.20 s; its budget is 10 s
tool_bench@cpu took 61.50 s; its budget is 60 s
test_dot@pocl took 10.01 s; its budget is 10 s
END
"$script" "$folder/log" "$folder/budgets" >"$folder/found"
if ! diff "$folder/wanted" "$folder/found"; then
    echo "over_budget_test: the lines differ"
    exit 1
fi
if "$script" "$folder/log" "$folder/nowhere" >/dev/null 2>&1; then
    echo "over_budget_test: a missing file is no error"
    exit 1
fi
if [ -n "${1:-}" ] && ! grep -q '^test_gemv@cpu 3$' "$1/test-budgets.txt"; then
    echo "over_budget_test: $1/test-budgets.txt lacks test_gemv@cpu"
    exit 1
fi
echo "over_budget_test: passed"
