# parts.sh: runs the parts of a check one after the other and counts what they say.
# SPDX-License-Identifier: BSD-3-Clause
#
# Sourced by check.sh and check_gpu.sh, from the root of the tree, with $folder set to the build
# folder that takes logs and caches. A part is one command: exit 0 is passed, 77 skipped (its last
# line says why), anything else failed, and the end of its output is shown. A suite is one run of
# CTest, where each test counts. `summary` prints the totals, alone on the last line, and its status
# is that of the whole check.
#
# shellcheck shell=sh disable=SC2154,SC2034 # folder comes from the caller, jobs goes to it

passed=0 failed=0 skipped=0
logs=$folder/logs
started=$(date +%s)
mkdir -p "$logs"

# A parent make's job server and options are not for the builds started here.
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
jobs=${JOBS:-$(nproc 2>/dev/null || echo 2)}

# Caches and the tuning database live in the build folder, and the settings of the user that would
# change what is tested are lifted: the user's own files stay as they are.
unset GABLE_DEVICE GABLE_VARIANT GABLE_MATH GABLE_DEBUG GABLE_HOST GABLE_HOST_MEMORY GABLE_KERNEL_DIR
XDG_CACHE_HOME=$PWD/$folder/cache
XDG_DATA_HOME=$PWD/$folder/data
POCL_CACHE_DIR=$PWD/$folder/cache/pocl
export XDG_CACHE_HOME XDG_DATA_HOME POCL_CACHE_DIR
mkdir -p "$POCL_CACHE_DIR" "$XDG_DATA_HOME"

# Two tests run at once. Threads that wait give their core to the other one: a test that spins takes five times as much.
: "${OMP_WAIT_POLICY:=passive}" "${OPENBLAS_THREAD_TIMEOUT:=4}"
export OMP_WAIT_POLICY OPENBLAS_THREAD_TIMEOUT

begin_part() {
    part_name=$1
    part_log=$logs/$(printf %s "$1" | tr -cs 'A-Za-z0-9' '_').log
    part_start=$(date +%s)
    printf '%-50s ' "$part_name"
}
end_part() { printf '%s (%s s)\n' "$1" $(($(date +%s) - part_start)); }

part() {
    begin_part "$1"
    shift
    part_status=0
    "$@" >"$part_log" 2>&1 </dev/null || part_status=$?
    case $part_status in
    0)
        passed=$((passed + 1))
        end_part passed
        ;;
    77)
        skipped=$((skipped + 1))
        end_part "skipped: $(tail -n 1 "$part_log")"
        ;;
    *)
        failed=$((failed + 1))
        end_part "FAILED, status $part_status; the end of $part_log:"
        tail -n 40 "$part_log" | sed 's/^/    /'
        return 1
        ;;
    esac
}

# Counts the tests of a CTest log written with --verbose: "passed failed skipped" on the first line,
# then one line per test that was skipped (with the last line it printed) or failed (with its output).
read_suite() {
    awk '
        /^[0-9]+: Test timeout computed to be/ { next }
        # The output of test 7 comes as "7: text", mixed with that of tests beside it.
        /^[0-9]+: / {
            id = $1; sub(":", "", id)
            text = substr($0, index($0, ":") + 2)
            last[id] = text
            slot = ++lines[id] % 30
            kept[id, slot] = text
            next
        }
        /^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / {
            line = $0
            sub(/^[^#]*#/, "", line)
            id = line; sub(/:.*/, "", id)
            name = line; sub(/^[0-9]+: /, "", name); sub(/ .*/, "", name)
            if (line ~ / Passed +[0-9.]+ sec/) {
                passed++
            } else if (line ~ /\*\*\*Skipped/ || line ~ /\(Disabled\)/) {
                skipped++
                report = report "    skipped " name ": " last[id] "\n"
            } else {
                failed++
                sub(/^[^*]*/, "", line)
                report = report "    FAILED " name " " line "; the end of its output:\n"
                first = lines[id] > 30 ? lines[id] - 29 : 1
                for (i = first; i <= lines[id]; i++)
                    report = report "        " kept[id, i % 30] "\n"
            }
        }
        END { printf "%d %d %d\n%s", passed, failed, skipped, report }
    ' "$1"
}

# suite NAME BUILD_FOLDER CTEST_OPTIONS...: each test counts. That none ran, or that CTest failed
# without naming a test, is a failure of its own.
suite() {
    begin_part "$1"
    suite_build=$2
    shift 2
    suite_status=0
    ${run_fixed:-} ctest --test-dir "$suite_build" --verbose --no-tests=error "$@" \
        >"$part_log" 2>&1 </dev/null || suite_status=$?
    suite_report=$(read_suite "$part_log")
    suite_counts=$(printf '%s\n' "$suite_report" | sed -n 1p)
    # shellcheck disable=SC2086 # three numbers
    set -- $suite_counts
    if [ $(($1 + $2)) -eq 0 ] || { [ "$suite_status" -ne 0 ] && [ "$2" -eq 0 ]; }; then
        failed=$((failed + 1))
        end_part "FAILED, ctest gave status $suite_status; the end of $part_log:"
        tail -n 20 "$part_log" | sed 's/^/    /'
    else
        end_part "$1 passed, $2 failed, $3 skipped"
    fi
    passed=$((passed + $1)) failed=$((failed + $2)) skipped=$((skipped + $3))
    printf '%s\n' "$suite_report" | sed 1d
}

# The sanitizers of older compilers cannot live with wide address randomisation.
sanitizers_need_fixed_addresses() {
    run_fixed=''
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        run_fixed="setarch $(uname -m) -R"
    fi
}

summary() {
    echo "took $(($(date +%s) - started)) s; logs are in $logs"
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ]
}
