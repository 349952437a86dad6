#!/bin/sh
# numpy_test.sh: numpy's products and linear algebra through libgable_link, against numpy alone.
# SPDX-License-Identifier: BSD-3-Clause
#
#   numpy_test.sh LIBRARY [all]
#
# A script runs without the library, with GABLE_LINK=auto, whose results must be the same bytes, and with
# GABLE_LINK=device on $GABLE_DEVICE, whose results may differ by rounding. Workers of a pool, which leave by _exit, multiply before and
# after their parent does. With `all`, and where pytest is there, numpy's own tests of linalg run on the device, too.
# $GABLE_PYTHON names the Python whose numpy is tested, such as that of a wheel.
. "$(dirname "$0")/foreign_test.sh"
library=$1
find_python numpy python3-numpy
cat >"$work/script.py" <<'END'
import multiprocessing
import os
import sys
import numpy as np


def square(n):
    a = np.full((n, n), 2.0)
    return (a @ a)[0, 0]


def pool():
    with multiprocessing.get_context("fork").Pool(2) as workers:
        assert workers.map(square, [40, 50, 60, 70]) == [160, 200, 240, 280]


pool()
rng = np.random.default_rng(5)
results = []
for dtype in (np.float32, np.float64, np.complex64, np.complex128):
    def random(*shape):
        x = rng.standard_normal(shape)
        return (x + 1j * rng.standard_normal(shape) if np.issubdtype(dtype, np.complexfloating) else x).astype(dtype)
    a, b, s = random(90, 70), random(70, 110), random(60, 60) + 60 * np.eye(60, dtype=dtype)
    results += [a @ b, a.T @ a, a @ a.T, b.T @ a.T, a[::2] @ b[:, ::3], np.dot(a, b)]
    results += [np.linalg.inv(s), np.linalg.solve(s, random(60, 8)), np.linalg.cholesky(s @ s.conj().T)]
    results += [np.linalg.svd(a, compute_uv=False), np.linalg.eigvalsh(s @ s.conj().T)]
    # Signs of vectors may differ: products of them do not.
    u, values, v = np.linalg.svd(a, full_matrices=False)
    results += [values, (u * values) @ v]
    values, z = np.linalg.eigh(s + s.conj().T)
    results += [values, (z * values) @ z.conj().T]
    full = np.linalg.svd(b, full_matrices=True)
    assert full[0].shape == (70, 70) and full[2].shape == (110, 110)
    results += [full[1], full[0] @ full[0].conj().T, full[2] @ full[2].conj().T]
pool()
np.savez(sys.argv[1], *results)
sys.stdout.flush()
os._exit(0)
END
"$python" "$work/script.py" "$work/alone.npz" || exit 1
GABLE_LINK=auto LD_PRELOAD=$library "$python" "$work/script.py" "$work/auto.npz" || exit 1
GABLE_LINK=device GABLE_LINK_LOG=$work/log LD_PRELOAD=$library "$python" "$work/script.py" "$work/device.npz" || exit 1
"$python" - "$work" <<'END' || exit 1
import sys
import numpy as np

alone, auto, device = (np.load(sys.argv[1] + name) for name in ("/alone.npz", "/auto.npz", "/device.npz"))
for key in alone.files:
    x, y, z = alone[key], auto[key], device[key]
    assert x.tobytes() == y.tobytes(), key + ": auto changes bytes"
    # Sums of up to 110 terms, and systems of condition below 10: 1000 units in the last place of the largest element.
    worst = np.abs(x - z).max() / np.abs(x).max() / np.finfo(x.dtype).eps
    assert worst < 1000, "%s: %g units" % (key, worst)
print(len(alone.files), "results")
END
sent=$(grep -c ' device ' "$work/log")
echo "$sent calls on the device"
[ "$sent" -ge 20 ] || exit 1
# All of them: the lengths of work arrays are those that numpy asks LAPACK for.
for driver in 'gesdd 12' 'syevd\|heevd 8'; do
    made=$(grep -c "^[a-z_]*[sdcz]\(${driver% *}\)[64_]* .* device " "$work/log")
    [ "$made" -eq "${driver#* }" ] || {
        echo "$made calls went to the device, not $driver"
        exit 1
    }
done
if [ "${2-}" = all ] && "$python" -c 'import pytest, hypothesis' 2>/dev/null; then
    cd "$work" && GABLE_LINK=device LD_PRELOAD=$library "$python" -m pytest -q -p no:cacheprovider --pyargs numpy.linalg || exit 1
fi
