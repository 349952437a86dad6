#!/bin/sh
# scipy_test.sh: tests of scipy.linalg through libgable_link.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scipy_test.sh LIBRARY
#
# With GABLE_LINK=auto and with GABLE_LINK=device on $GABLE_DEVICE, no test may fail that passes without the library.
# $GABLE_PYTHON names the Python whose scipy is tested; otherwise that of the distribution, then the first one in the path.
. "$(dirname "$0")/foreign_test.sh"
library=$1
find_python 'scipy.linalg.tests, pytest' 'python3-scipy python3-pytest'
cd "$work" || exit 1
subset='lu or qr or svd or eig or chol or solve or lstsq'

# run LOG VARIABLES... -- WORDS OF PYTEST...
run() {
    out=$1
    shift
    env "$@" -k "$subset" -q -rf -p no:cacheprovider --tb=line >"$out" 2>&1
}
for mode in auto device; do
    run "$work/$mode.txt" GABLE_LINK=$mode GABLE_LINK_LOG="$work/$mode.log" LD_PRELOAD="$library" "$python" -m pytest --pyargs scipy.linalg
    echo "$mode: $(tail -n 1 "$work/$mode.txt")"
    grep -qE '^[0-9]+ passed|, [0-9]+ passed| [0-9]+ passed' "$work/$mode.txt" || fail "$mode: $(tail -n 5 "$work/$mode.txt")"
    grep '^FAILED\|^ERROR' "$work/$mode.txt" | sed 's/ - .*//' >>"$work/failed"
done
sent=$(grep -c ' device ' "$work/device.log")
echo "$sent calls on the device"
[ "$sent" -ge 1000 ] || fail "only $sent calls went to the device"
# What fails with the library must fail without it, too.
if [ -s "$work/failed" ]; then
    run "$work/alone.txt" "$python" -m pytest --pyargs scipy.linalg
    echo "without: $(tail -n 1 "$work/alone.txt")"
    grep '^FAILED\|^ERROR' "$work/alone.txt" | sed 's/ - .*//' | sort -u >"$work/known"
    sort -u "$work/failed" | comm -23 - "$work/known" >"$work/new"
    [ ! -s "$work/new" ] || fail "these pass without the library: $(head -n 20 "$work/new")"
fi
[ $failures -eq 0 ]
