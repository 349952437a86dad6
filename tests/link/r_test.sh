#!/bin/sh
# r_test.sh: linear algebra in R through libgable_link.
# SPDX-License-Identifier: BSD-3-Clause
#
#   r_test.sh LIBRARY
#
# Twenty expressions with GABLE_LINK=off and auto, whose results must be the same bytes as R's alone, and with GABLE_LINK=device on $GABLE_DEVICE,
# whose results may differ by 1e-10 (matrices of 80 rows whose condition is below 1000). Signs of vectors are
# left out, as LAPACK may choose them. A wrong argument becomes an error of R, which leaves xerbla by longjmp.
. "$(dirname "$0")/foreign_test.sh"
library=$1
command -v Rscript >/dev/null || skip "R is not installed" r-base-core
cat >"$work/script.R" <<'END'
arguments <- commandArgs(TRUE)
set.seed(7)
n <- 80
a <- matrix(rnorm(n * n), n) + diag(n) * 20
b <- matrix(rnorm(n * 30), n)
s <- crossprod(a)
z <- matrix(complex(real = rnorm(n * n), imaginary = rnorm(n * n)), n) + diag(n) * 20
results <- list(
    a %*% b, crossprod(a, b), tcrossprod(b), z %*% z, crossprod(z),
    solve(a), solve(a, b), solve(z), det(a), chol(s),
    chol2inv(chol(s)), backsolve(chol(s), b), svd(a)$d, abs(svd(b)$u), eigen(s)$values,
    abs(eigen(s)$vectors), sort(Mod(eigen(a)$values)), abs(qr.R(qr(a, LAPACK = TRUE))), prcomp(b)$sdev, kappa(a, exact = TRUE))
stopifnot(length(results) == 20)
saveRDS(results, arguments[1])
# R finds the entry in the library, which passes the call on to R's BLAS, which reports to R's own xerbla.
if (length(arguments) > 1) {
    dyn.load(arguments[2])
    bad <- function() .Fortran("dgemm", "N", "N", 2L, 2L, 2L, 1, diag(2), 1L, diag(2), 2L, 0, diag(2), 2L)
    for (i in 1:1000) {
        said <- tryCatch({ bad(); "nothing" }, error = function(e) conditionMessage(e))
        if (!grepl("DGEMM", said)) stop("a wrong argument: ", said)
    }
    stopifnot(identical(a %*% b, results[[1]]))
}
END
Rscript --vanilla "$work/script.R" "$work/alone.rds" || fail "R alone"
for mode in off auto device; do
    GABLE_LINK=$mode GABLE_LINK_LOG=$work/$mode.log LD_PRELOAD=$library Rscript --vanilla "$work/script.R" "$work/$mode.rds" "$library" ||
        fail "$mode: R ends with $?"
done
cat >"$work/compare.R" <<'END'
f <- commandArgs(TRUE)
r <- lapply(f, readRDS)
stopifnot(identical(r[[1]], r[[2]]), identical(r[[1]], r[[3]]))
for (i in seq_along(r[[1]])) {
    x <- r[[1]][[i]]
    y <- r[[4]][[i]]
    worst <- max(Mod(x - y)) / max(Mod(x))
    if (!(worst <= 1e-10)) stop("result ", i, " differs by ", worst)
}
END
Rscript --vanilla "$work/compare.R" "$work/alone.rds" "$work/off.rds" "$work/auto.rds" "$work/device.rds" || fail "results differ"
sent=$(grep -c ' device ' "$work/device.log")
echo "$sent calls on the device"
[ "$sent" -ge 20 ] || fail "only $sent calls went to the device"
[ $failures -eq 0 ]
