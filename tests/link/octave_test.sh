#!/bin/sh
# octave_test.sh: Octave's own tests of linear algebra through libgable_link.
# SPDX-License-Identifier: BSD-3-Clause
#
#   octave_test.sh LIBRARY
#
# As many tests of each file must pass with GABLE_LINK=auto and with GABLE_LINK=device on $GABLE_DEVICE as without the
# library. A wrong argument is an error of Octave's, which leaves the BLAS by an exception.
. "$(dirname "$0")/foreign_test.sh"
library=$1
command -v octave-cli >/dev/null || skip "Octave is not installed" octave
cat >"$work/script.m" <<'END'
warning ("off", "all");
files = {};
folder = fullfile (OCTAVE_HOME (), "share", "octave", OCTAVE_VERSION (), "etc", "tests", "libinterp", "corefcn");
for stem = {"chol", "qr", "lu", "svd", "eig", "schur", "hess", "inv", "det", "gsvd", "qz", "balance", "sqrtm", "sylvester", "pinv", "dot", "givens", "kron"}
  name = fullfile (folder, [stem{1} ".cc-tst"]);
  if (exist (name, "file"))
    files{end+1} = name;
  end
end
files = [files, glob(fullfile (OCTAVE_HOME (), "share", "octave", OCTAVE_VERSION (), "m", "linear-algebra", "*.m"))'];
log = fopen (getenv ("GABLE_OCTAVE_LOG"), "w");
for file = files
  [passed, all] = test (file{1}, "quiet", log);
  [~, stem] = fileparts (file{1});
  printf ("%s %d of %d\n", stem, passed, all);
end
a = reshape (mod (0:9999, 7), 100, 100);
printf ("product %d\n", sum (sum (a * a + a' * a)));
END
run() {
    name=$1
    shift
    env "$@" GABLE_OCTAVE_LOG="$work/$name.failed" octave-cli --no-gui --no-init-file --no-history --quiet "$work/script.m" >"$work/$name" 2>"$work/$name.err" ||
        fail "$name: Octave ends with $?: $(tail -n 5 "$work/$name.err")"
}
run alone GABLE_LINK=off
[ "$(grep -c ' of ' "$work/alone")" -ge 20 ] || fail "only $(grep -c ' of ' "$work/alone") files have tests"
awk '$3 == "of" { passed += $2; all += $4 } END { print passed " of " all " tests pass without the library" }' "$work/alone"
for mode in auto device; do
    run $mode GABLE_LINK=$mode GABLE_LINK_LOG="$work/$mode.log" LD_PRELOAD="$library"
    cmp -s "$work/alone" "$work/$mode" || {
        fail "$mode: $(diff "$work/alone" "$work/$mode")"
        tail -n 40 "$work/$mode.failed"
    }
done
sent=$(grep -c ' device ' "$work/device.log")
echo "$sent calls on the device"
[ "$sent" -ge 100 ] || fail "only $sent calls went to the device"
[ $failures -eq 0 ]
