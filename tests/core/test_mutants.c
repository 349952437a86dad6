/* test_mutants.c: the checks of the routines must catch small wrong kernels.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Each mutant is kernels/ with one text replaced in one file, in a folder that GABLE_KERNEL_DIR
 * names, compiled and run by PoCL. The true kernels must pass every check, and each mutant must
 * fail one: a check that lets a mutant pass is broken. A text that is not found exactly once fails
 * too: then the kernel has changed and the mutant must follow.
 */
#include <stdlib.h>
#include "core/context.h"
#include "core/kernel.h"
#include "expect.h"
#include "level1_check.h"
#include "scratch_folder.h"

/* Routines, as bits: the first four are checked in two passes, the others in a plan of their own. */
#define COPY        (UINT64_C(1) << 0)
#define AXPY        (UINT64_C(1) << 1)
#define DOT         (UINT64_C(1) << 2)
#define NRM2        (UINT64_C(1) << 3)
#define FOUR        (COPY | AXPY | DOT | NRM2)
#define SWAP        (UINT64_C(1) << 4)
#define SCAL        (UINT64_C(1) << 5)
#define FILL        (UINT64_C(1) << 6)
#define AXPBY       (UINT64_C(1) << 7)
#define WAXPBY      (UINT64_C(1) << 8)
#define ROT         (UINT64_C(1) << 9)
#define ROTM        (UINT64_C(1) << 10)
#define ASUM        (UINT64_C(1) << 11)
#define AMAX        (UINT64_C(1) << 12)
#define DSDOT       (UINT64_C(1) << 13)
#define MDOT        (UINT64_C(1) << 14)
#define MDOTC       (UINT64_C(1) << 15)
#define MAXPY       (UINT64_C(1) << 16)
#define RANDOM      (UINT64_C(1) << 17)
#define ROTG        (UINT64_C(1) << 18)
#define ROTMG       (UINT64_C(1) << 19)
#define GEMV_N      (UINT64_C(1) << 20)
#define GEMV_C      (UINT64_C(1) << 21)
#define GERC        (UINT64_C(1) << 22)
#define HER2        (UINT64_C(1) << 23)
#define SYMV        (UINT64_C(1) << 24)
#define HEMV        (UINT64_C(1) << 25)
#define STRIDED_N   (UINT64_C(1) << 26)
#define BATCHED_C   (UINT64_C(1) << 27)
#define BLOCKS_N    (UINT64_C(1) << 28)
#define TRMV_N      (UINT64_C(1) << 29)
#define TRMV_C      (UINT64_C(1) << 30)
#define TRSV_C      (UINT64_C(1) << 31)
#define TRANSPOSE_T (UINT64_C(1) << 32)
#define TRANSPOSE_N (UINT64_C(1) << 33)
#define IN_PLACE    (UINT64_C(1) << 34)
#define GEAM_T      (UINT64_C(1) << 35)
#define BANDS       (UINT64_C(1) << 36) /* gbmv, tbmv and hbmv */
#define ALL         (~UINT64_C(0))

static const struct mutant {
    const char *name;
    uint64_t routines; /* that are checked; they use the file */
    const char *file, *old, *new;
} mutants[] = {
    {"the last element is lost", FOUR, "stream.h", "a.n - a.vectors * VEC : 0",
     "a.n - a.vectors * VEC - 1 : 0"},
    {"the head is taken for the tail", FOUR, "stream.h", "e < a.head ? e : e + a.vectors * VEC",
     "e + a.vectors * VEC"},
    {"the head is done twice", FOUR, "stream.h", "e < a.head ? e : e + a.vectors * VEC",
     "e < a.head ? e : e + a.vectors * VEC - 1"},
    {"a range runs past its end", FOUR, "stream.h", "end < a.vectors ? end : a.vectors", "end"},
    {"a negative stride is taken for a positive", FOUR, "stream.h", "t.v[0] = x[i * inc]",
     "t.v[0] = x[i * (inc < 0 ? -inc : inc)]"},
    {"strides of the output are ignored", COPY | AXPY, "stream.h", "y[i * inc] = t.v[0]",
     "y[i] = t.v[0]"},
    {"a complex product has a wrong sign", AXPY | DOT, "prec.h", "R_fma(-a.im, b.im, c.re)",
     "R_fma(a.im, b.im, c.re)"},

    {"one element too many is stored", COPY, "map.h", "e < stream_edges(a)",
     "e <= stream_edges(a)"},
    {"the last vector is lost", COPY, "map.h", "for (; i < last; i += step)",
     "for (; i < last - 1; i += step)"},
    {"the second of the loads in flight is lost", COPY, "map.h", "i + u * step, tx[u], ty[u])",
     "i + u * step, tx[0], ty[u])"},
    {"alpha = 0 is not looked at", AXPY, "axpy.cl", "T_is_zero((s).alpha)", "0"},
    {"alpha on the device is not read", AXPY, "scalars.h", "if (!on_device)", "if (1)"},
    {"vectors are added twice", AXPY, "map.h", "i += UNROLL * step) {", "i += step) {"},
    {"x is taken for y at the edges", AXPY, "map.h", "ty = y[at]", "ty = x[at]"},
    {"x is not written", SWAP, "swap.cl", "*x = *y;", ";"},
    {"a real alpha multiplies as a complex one", SCAL, "scal.cl", "T_scale(T_real(s.alpha, 0), *x)",
     "T_mul(s.alpha, *x)"},
    {"only real parts are filled in", FILL, "fill.cl", "*x = s.alpha",
     "*x = T_make(T_real(s.alpha, 0), 0)"},
    {"y is read where beta = 0", AXPBY, "axpby.cl", "(T_is_zero((s).beta) ? 0 : 2)", "2"},
    {"x is read where alpha = 0", AXPBY, "axpby.cl", "(T_is_zero((s).alpha) ? 0 : 1)", "1"},
    {"y is written too", WAXPBY, "waxpby.cl", "MAP_WRITES       4", "MAP_WRITES 6"},
    {"beta is forgotten", WAXPBY, "waxpby.cl", "T_mul(s.beta, *y)", "*y"},
    {"the sign of s is forgotten", ROT, "rot.cl", "T_neg(T_conj(s.beta))", "T_conj(s.beta)"},
    {"the conjugate of s is forgotten", ROT, "rot.cl", "T_neg(T_conj(s.beta))", "T_neg(s.beta)"},
    {"the sign of a real s is forgotten", ROT, "rot.cl", "-T_real(s.beta, 0)", "T_real(s.beta, 0)"},
    {"flag 1 gives the wrong h21", ROTM, "map.h", "flag == 1 ? -1 : param[2]",
     "flag == 1 ? 1 : param[2]"},
    {"flag 0 takes h22 from param", ROTM, "map.h", "flag == 0 ? 1 : param[4]", "param[4]"},
    {"the identity multiplies", ROTM, "rotm.cl", "(s).identity", "0"},

    {"the conjugate is forgotten", DOT, "dot.cl", "T_fma(T_conj(x), y, sum)", "T_fma(x, y, sum)"},
    {"the edges are not summed", DOT, "fold.h", "sum[0] = fold_step(x[at], y[at], sum[0])",
     "(void)at"},
    {"the edges of one vector are not summed", ASUM, "fold.h",
     "sum[0] = fold_step(x[at], y[at], sum[0])", "(void)at"},
    {"one accumulator is dropped", DOT, "fold.h", "mine.v[part] += fold_part(sum[k], part)",
     "mine.v[part] = fold_part(sum[k], part)"},
    {"imaginary parts keep their sign", ASUM, "prec.h", "(a.im < 0 ? -a.im : a.im)", "a.im"},
    {"the sum is rounded to float", DSDOT, "dsdot.cl", "R_fma((f64)x, (f64)y, sum)",
     "(f64)(R)R_fma((f64)x, (f64)y, sum)"},
    {"alpha is not added", DSDOT, "wide_dot.h", "(R)(alpha + sum)", "(R)(sum + 0 * alpha)"},
    {"the counter is not set back", DOT | NRM2, "reduce.h", "counter[0] = 0;", ";"},
    {"the partial sum of the last group is lost", DOT | NRM2, "reduce.h",
     "i64 i = LANE_X; i < count; i += WX", "i64 i = LANE_X; i < count - 1; i += WX"},
    {"all groups store one partial sum", DOT, "reduce.h",
     "sum_store(partials + GROUP_X * SUM_N, *mine);\n    return 0;",
     "sum_store(partials, *mine);\n    return 0;"},
    {"a barrier is missing", DOT | NRM2, "reduce.h", "scratch[LANE_X + rest]);\n        BARRIER();",
     "scratch[LANE_X + rest]);"},
    {"half of the group is not summed", DOT | NRM2, "reduce.h", "i32 rest = WX / 2; rest > 0",
     "i32 rest = WX / 2; rest > 1"},
    {"the second launch misses a partial sum", DOT, "dot_finish.cl", "a.partials)",
     "a.partials - 1)"},
    {"big values are not scaled", NRM2, "norm.h",
     "R_fma(size * NORM_BIG_SCALE, size * NORM_BIG_SCALE, s.v[NORM_BIG])",
     "R_fma(size, size, s.v[NORM_BIG])"},
    {"NaN is ignored", NRM2, "norm.h", "else /* NaN comes here */", "else if (size == size)"},
    {"every chunk is taken for safe", NRM2, "nrm2.cl",
     "lanes[0] > NORM_SAFE_FROM && lanes[0] < NORM_SAFE_TO", "lanes[0] == lanes[0]"},
    {"the rare path ignores strides", NRM2, "nrm2.cl", "STRIDED ? (i + u * step) * inc :", ""},

    {"the last of equals counts", AMAX, "best.h", "b.at < a.at", "b.at > a.at"},
    {"the last of a work-item's equals counts", AMAX, "amax.cl", "if (s > *size)",
     "if (s >= *size)"},
    {"NaN that comes first does not win", AMAX, "amax.cl", "first != first", "0"},
    {"positions do not count the head", AMAX, "amax.cl", "a.range.head + (i + u * step) * VEC",
     "(i + u * step) * VEC"},
    {"the best of the last group is lost", AMAX, "best.h", "i < count; i += WX",
     "i < count - 1; i += WX"},
    {"the counter of amax is not set back", AMAX, "amax.cl", "counter[0] = 0;", ";"},

    {"a short batch stores too much", MDOT, "mdot.h", "if (k < columns * T_REALS)", "if (1)"},
    {"columns are too close", MDOT, "mdot.cl", "(j < columns ? j : columns - 1)) * a.ldx",
     "(j < columns ? j : columns - 1)) * (a.ldx - 1)"},
    {"batches share their partial sums", MDOT, "mdot.cl", "partials + GROUP_Y * GROUPS_X * SUM_N",
     "partials"},
    {"the conjugate of X is forgotten", MDOTC, "mdot.cl", "T_fma(T_conj(x), y, sum)",
     "T_fma(x, y, sum)"},
    {"the second launch adds up the first batch", MDOT, "mdot_finish.cl",
     "partials + GROUP_Y * a.partials * SUM_N", "partials"},
    {"alpha is forgotten", MAXPY, "maxpy.cl", "T_mul(alpha, T_make(at[0], at[T_REALS - 1]))",
     "T_make(at[0], at[T_REALS - 1])"},
    {"columns beyond whole batches are lost", MAXPY, "maxpy.cl", "for (; j < a.columns; j++)",
     "for (; 0; j++)"},
    {"coefficients by value lose a part", MAXPY, "maxpy.cl", "a.values[2 * b + 1]", "0"},

    {"words are exchanged", RANDOM, "random.cl",
     "(u64)words[2 * which] << 32 | words[2 * which + 1]",
     "(u64)words[2 * which + 1] << 32 | words[2 * which]"},
    {"numbers that were skipped are not", RANDOM, "random.cl", "(i64)at - (i64)skipped", "(i64)at"},
    {"the conjugate of b is forgotten", ROTG, "rotg.cl",
     "T_mul(pa.direction, T_conj(pb.direction))", "T_mul(pa.direction, pb.direction)"},
    {"numbers are not scaled", ROTG, "rotg.cl",
     "return at_least < ROTG_LARGEST ? at_least : ROTG_LARGEST;", "return 1;"},
    {"d1 is scaled by the root", ROTMG, "rotmg.cl", "s.d1 = s.d1 * up * up", "s.d1 = s.d1 * up"},
    {"what flag 0 implies is written", ROTMG, "rotmg.cl", "if (s.flag != 0) {", "if (1) {"},

    {"a unit diagonal is read", TRMV_N, "trmv.h", "if (row != column || !d.a.unit)", "if (1)"},
    {"the other triangle is read", TRMV_N, "trmv_n.cl", "(d.a.upper ? row <= j : row >= j)", "1"},
    {"a block of the snake is lost", TRMV_N, "trmv.h", "place < d.a.blocks; place",
     "place < d.a.blocks - 1; place"},
    {"rows behind the vectors are lost", TRMV_C, "trmv_t.cl", "top, some ? a.head + from * VEC",
     "top, some ? a.head + from * VEC - 1"},
    {"the conjugate of a diagonal block is forgotten", TRSV_C, "trsv_diagonal.h",
     "CONJ ? T_conj(a[b]) : a[b]", "a[b]"},
    {"a row is not taken out of the next", TRSV_C, "trsv_block.cl", "j + 1 + LANE_X",
     "j + 2 + LANE_X"},
    {"a solve goes the wrong way", TRSV_C, "trsv_diagonal.h", "d.backward ? NB - 1 - i : i", "i"},
    {"an edge row is lost", GEMV_N, "gemv.h", "return a.m - a.vectors * VEC;",
     "return a.m - a.vectors * VEC - 1;"},
    {"an edge row is not summed", GEMV_C, "gemv.h", "return a.m - a.vectors * VEC;",
     "return a.m - a.vectors * VEC - 1;"},
    {"the partial sum of a shared block is lost", GEMV_N, "gemv.h",
     "p = HELPER; p < pieces; p += HELPERS", "p = HELPER; p < pieces - 1; p += HELPERS"},
    {"the counter of a shared block is not set back", GEMV_C, "split.h", "counter[0] = 0;", ";"},
    {"the conjugate of A is forgotten", GEMV_C, "gemv_t.cl", "T_fma(T_conj(a), x, sum)",
     "T_fma(a, x, sum)"},
    {"y is read where gemv's beta = 0", GEMV_N, "scalars.h",
     "*y = T_is_zero(beta) ? T_mul(alpha, sum) :", "*y ="},
    {"A is read where gemv's alpha = 0", GEMV_N, "gemv.h", "if (!T_is_zero(d.alpha))", "if (1)"},

    {"the last row of a triangle is lost", SYMV, "symv.cl", "d.end = (i32)(a.skip + a.n);",
     "d.end = (i32)(a.skip + a.n) - 1;"},
    {"the other triangle is read", HEMV, "symv.cl", "span.from = UPPER ? d.skip : column;",
     "span.from = UPPER ? d.skip : column - 1;"},
    {"the column sums of the longest block row are lost", SYMV, "symv_finish.cl",
     "at.columns = blocks - at.block;", "at.columns = blocks - at.block - 1;"},
    {"the row sums of a group are lost", HEMV, "symv_finish.cl", "at.all = at.columns + 1 +",
     "at.all = at.columns +"},
    {"the conjugate of y is forgotten", GERC, "rank_update.h", "rank_conj(d.a, d.y[j * d.a.incy])",
     "d.y[j * d.a.incy]"},
    {"the last row is lost", GERC, "rank_update.h", "? j + 1 : a.m;", "? j + 1 : a.m - 1;"},
    {"the other triangle is changed", HER2, "rank_update.h", "? j + 1 : a.m;", "? j + 2 : a.m;"},
    {"A is changed where gerc's alpha = 0", GERC, "rank_update.h", "if (!T_is_zero(d.alpha))",
     "if (1)"},
    {"the diagonal is left out", HER2, "rank_update.h", "!a.upper ? j : 0;",
     "!a.upper ? j + 1 : 0;"},
    {"the diagonal stays complex", HER2, "rank_update.h", "TRIANGLE && d.a.conj ? column : -1",
     "-1"},
    {"the second strip of a pair is lost", HER2, "rank_update.h", "strip = shortest;", "return;"},

    {"the last products of a batch are lost", STRIDED_N, "gemv_batched.h",
     "set < a.sets; set += GROUPS_X", "set < a.sets - 1; set += GROUPS_X"},
    {"columns past whole rounds are lost", STRIDED_N, "gemv_batched_n.cl", "if (!WHOLE && j < a.n)",
     "if (0)"},
    {"a row past the last of a product is stored", STRIDED_N, "gemv_batched_n.cl",
     "WHOLE || row < a.m ? row : -1", "WHOLE || row <= a.m ? row : -1"},
    {"the edges of products are not summed", BATCHED_C, "gemv_batched_t.cl",
     "(!WHOLE || !p.wide) && e < edges", "e < 0"},
    {"the conjugate of products is forgotten", BATCHED_C, "gemv_batched_t.cl",
     "T_fma(T_conj(a), x, sum)", "T_fma(a, x, sum)"},
    {"a column past the last is multiplied", BLOCKS_N, "gemv_blocks_n.cl",
     "xs.v[e] = j + e * ACROSS < a.n ?", "xs.v[e] = j + e * ACROSS <= a.n ?"},
    {"the edge of blocks is as high as others", BLOCKS_N, "gemv_blocks_n.cl",
     "lower = EDGE ? a.m - row - HALF : 1", "lower = 1"},

    {"a row of a band ends too late", BANDS, "band_walk.cl", "band_least(i + d.a.ku + 1, d.a.n)",
     "band_least(i + d.a.ku + 2, d.a.n)"},
    {"a column of a band starts too early", BANDS, "band_walk.cl", "band_most(row, j - d.a.ku)",
     "band_most(row, j - d.a.ku - 1)"},
    {"the last element of a band's column is lost", BANDS, "band_walk.cl", "for (; i < end; i++)",
     "for (; i < end - 1; i++)"},
    {"a symmetric band's diagonal counts twice", BANDS, "band.h", "SIDES == 3 && a.ku == 0 ? 1 : 0",
     "0"},
    {"the conjugate of a band is forgotten", BANDS, "band.h",
     "CONJ && along_column ? T_conj(a) : a", "a"},
    {"a band's unit diagonal is read", BANDS, "band.h", "return T_make(1, 0);", "return stored;"},

    {"a tile's last row is not stored", TRANSPOSE_T, "turn.h", "if (row + v >= 0 && row + v < a.m)",
     "if (row + v >= 0 && row + v < a.m - 1)"},
    {"a column too many is stored", TRANSPOSE_T, "turn.h",
     "} else if (column >= 0 && column < a.n) {", "} else if (column >= 0 && column <= a.n) {"},
    {"the conjugate of a turned element is forgotten", IN_PLACE, "turn.h", "return T_conj(x);",
     "return x;"},
    {"the last tile is not loaded", TRANSPOSE_T, "transpose_t.cl", "if (next < tiles) {",
     "if (next < tiles - 1) {"},
    {"a mirror image is not stored", IN_PLACE, "transpose_in_place.cl", "if (low != high)",
     "if (low > high + 1)"},
    {"the head of columns is taken for the tail", TRANSPOSE_N, "plane.h", "e < p.head ? e - p.head",
     "e < 0 ? e - p.head"},
    {"geam's beta is taken for alpha", GEAM_T, "geam_t.cl", "T_fma(alpha, x, T_mul(beta, y))",
     "T_fma(beta, x, T_mul(beta, y))"},
};
#define MUTANTS ((int)(sizeof mutants / sizeof mutants[0]))

/* How the checks of the four run: between them the two passes have both precisions of a kind, groups of
 * one and of many work-items, both walks, and both forms of the reductions. */
static const struct pass {
    const level1_checks *checks;
    int reals; /* of an element */
    const char *reduce, *tunables;
} passes[] = {
    {&level1_d, 1, "one_pass", ":local=1:vec=4:unroll=2:range=1:groups=2"},
    {&level1_c, 2, "two_pass", ":local=64:vec=2:unroll=2:range=0:groups=2"},
};

/* How the others run: one precision and variant each, which keeps the kernels to compile few. Walks and
 * strides are those of the four. */
static const struct plan {
    uint64_t routine;
    const char *name; /* of the check */
    const level1_checks *checks;
    int reals;
    const char *variant; /* NULL: there is nothing to choose */
} plans[] = {
    {SWAP, "swap", &level1_d, 1, "swap=stream:local=1:vec=4:unroll=2:range=1:groups=2"},
    {SCAL, "scal", &level1_c, 2, "scal=stream:local=1:vec=2:unroll=2:range=1:groups=2"},
    {FILL, "fill", &level1_z, 2, "fill=stream:local=1:vec=1:unroll=2:range=1:groups=2"},
    {AXPBY, "axpby", &level1_d, 1, "axpby=stream:local=1:vec=2:unroll=2:range=0:groups=2"},
    {WAXPBY, "waxpby", &level1_c, 2, "waxpby=stream:local=1:vec=2:unroll=2:range=1:groups=2"},
    {ROT, "rot", &level1_z, 2, "rot=stream:local=1:vec=2:unroll=1:range=1:groups=2"},
    {ROTM, "rotm", &level1_s, 1, "rotm=stream:local=1:vec=4:unroll=1:range=1:groups=2"},
    {ASUM, "asum", &level1_c, 2, "asum=two_pass:local=1:vec=2:unroll=2:range=1:groups=2"},
    {AMAX, "amax", &level1_d, 1, "amax=one_pass:local=32:vec=2:unroll=2:range=1:groups=2"},
    {DSDOT, "dsdot", &level1_s, 1, "dsdot=one_pass:local=1:vec=4:unroll=2:range=1:groups=2"},
    {MDOT, "mdot", &level1_d, 1, "mdot=two_pass:local=1:vec=2:unroll=2:range=1:groups=4:batch=3"},
    {MDOTC, "mdotc", &level1_c, 2, "mdot=one_pass:local=1:vec=2:unroll=1:range=1:groups=4:batch=3"},
    {MAXPY, "maxpy", &level1_c, 2, "maxpy=stream:local=1:vec=2:unroll=2:range=1:groups=2:batch=3"},
    {RANDOM, "random", &level1_d, 1, "random=counter:local=1:groups=4"},
    {ROTG, "rotg", &level1_c, 2, NULL},
    {ROTMG, "rotmg", &level1_d, 1, NULL},
    {GEMV_N, "gemv_n", &level1_d, 1,
     "gemv=split_n:items=1:wx=1:vec=2:unroll=2:batch=1:groups=2:split=1"},
    {GEMV_C, "gemv_c", &level1_c, 2,
     "gemv=split_t:items=1:wx=1:vec=2:unroll=2:batch=2:groups=2:split=1"},
    {SYMV, "symv", &level1_d, 1,
     "symv=two_pass:items=1:wx=1:vec=2:deep=2:columns=2:groups=4:helpers=1"},
    {HEMV, "hemv", &level1_c, 2,
     "symv=two_pass:items=1:wx=1:vec=2:deep=4:columns=4:groups=4:helpers=1"},
    {GERC, "gerc", &level1_c, 2, "ger=tile:items=1:wx=1:vec=2:unroll=2:columns=2"},
    {HER2, "her2", &level1_c, 2, "syr2=tile:items=1:wx=1:vec=2:unroll=2:columns=8"},
    {STRIDED_N, "gemv_strided_n", &level1_d, 1,
     "gemv_batched=one_n:items=1:lanes=1:wx=1:vec=2:unroll=2:columns=1:groups=2"},
    {BATCHED_C, "gemv_batched_c", &level1_c, 2,
     "gemv_batched=one_t:items=1:lanes=1:wx=1:vec=2:unroll=1:columns=2:groups=2"},
    {BLOCKS_N, "gemv_n", &level1_d, 1, "gemv=blocks_n:block=8:thread_y=1:elements_per_thread=2"},
    {TRMV_N, "trmv_n", &level1_d, 1, "trmv=blocks_n:items=1:wx=1:vec=2:unroll=2:batch=1:blocks=2"},
    {TRMV_C, "trmv_c", &level1_c, 2, "trmv=blocks_t:items=1:wx=1:vec=2:unroll=2:batch=2:blocks=1"},
    {TRSV_C, "trsv_c", &level1_c, 2, "trsv=steps:items=1:rows=64"},
    {TRANSPOSE_T, "transpose_t", &level1_d, 1,
     "transpose=tiles:items=1:tile=8:vec=2:groups=1:strip=4"},
    {TRANSPOSE_N, "transpose_n", &level1_c, 2,
     "transpose=stream:items=1:wx=1:vec=2:unroll=2:groups=2"},
    {IN_PLACE, "transpose_in_place", &level1_c, 2,
     "transpose=in_place:items=1:tile=16:vec=2:groups=0:strip=0"},
    {GEAM_T, "geam_tt", &level1_d, 1, "geam=tiles:items=1:tile=8:vec=2:groups=0:strip=4"},
    {BANDS, "bands", &level1_c, 2, "gbmv=walk:rows=16,tbmv=walk:rows=16,sbmv=walk:rows=16"},
};
#define PLANS ((int)(sizeof plans / sizeof plans[0]))

/* Pads are longer than any vector: what a mutant reads or writes outside stays in its block. */
#define PAD 2000
static const int64_t sizes[] = {1, 62, 603}; /* vectors of 4 and 2: a head and a tail */

static bool run(gable_context *ctx, level1_function function, const level1_case *c,
                level1_report *report)
{
    return function == NULL || function(ctx, c, report);
}

static bool choose(gable_context *ctx, const char *choice, level1_report *report)
{
    if (choice == NULL || gable_set_variant(ctx, choice) == GABLE_OK)
        return true;
    report->check = "status";
    snprintf(report->why, sizeof report->why, "%.300s", gable_message(ctx));
    return false;
}

/* All checks of the four, or of some, in both passes; false at the first that fails. */
static bool check_four(gable_context *ctx, uint64_t routines, level1_report *report)
{
    bool good = true;
    for (int p = 0; p < 2 && good; p++) {
        const level1_checks *checks = passes[p].checks;
        char choice[512];
        snprintf(choice, sizeof choice, "copy=stream%s,axpy=stream%s,dot=%s%s,nrm2=%s%s",
                 passes[p].tunables, passes[p].tunables, passes[p].reduce, passes[p].tunables,
                 passes[p].reduce, passes[p].tunables);
        good = choose(ctx, choice, report);
        for (int i = 0; i < 3 * 2 && good; i++) {
            const bool strided = i >= 3;
            const level1_case c = {.n = sizes[i % 3],
                                   .incx = strided ? -2 : 1,
                                   .incy = strided ? 3 : 1,
                                   .shift_x = strided ? 0 : passes[p].reals,
                                   .shift_y = strided ? 0 : passes[p].reals,
                                   .pad = PAD,
                                   .on_device = i % 2,
                                   .repeats = 2};
            if (routines & COPY)
                good = good && run(ctx, checks->copy, &c, report);
            if (routines & AXPY)
                good = good && run(ctx, checks->axpy, &c, report) &&
                       run(ctx, checks->axpy_dev, &c, report) &&
                       run(ctx, checks->alpha_zero, &c, report);
            level1_case often = c;
            often.repeats = i == 1 ? 2 * GBL_COUNTERS + 2 : 2;
            if (routines & DOT)
                good = good && run(ctx, checks->dot, &often, report) &&
                       run(ctx, checks->dotc, &c, report);
            if (routines & NRM2)
                good = good && run(ctx, checks->nrm2, &often, report) &&
                       run(ctx, checks->norm_range, &c, report);
        }
    }
    return good;
}

static level1_function find_check(const level1_checks *checks, const char *name)
{
    const level1_named *const lists[] = {checks->maps,     checks->folds,    checks->columns,
                                         checks->numbers,  checks->matrices, checks->updates,
                                         checks->mirrored, checks->batches,  checks->triangles,
                                         checks->planes,   checks->bands};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (const level1_named *check = lists[i]; check->name != NULL; check++)
            if (strcmp(check->name, name) == 0)
                return check->function;
    return NULL;
}

/* Aligned vectors with a head; five columns are a batch of three and one of two. */
static bool check_plan(gable_context *ctx, const struct plan *plan, level1_report *report)
{
    const level1_function function = find_check(plan->checks, plan->name);
    /* Nothing that an earlier plan forced stays in force. */
    bool good = function != NULL && gable_set_variant(ctx, NULL) == GABLE_OK &&
                choose(ctx, plan->variant, report);
    EXPECT(function != NULL, "there is no check named %s", plan->name);
    for (int i = 0; i < 3 && good; i++) {
        const level1_case c = {
            .n = sizes[i],
            .incx = 1,
            .incy = 1,
            .incw = 1,
            .columns = 5,
            .shift_x = plan->reals,
            .shift_y = plan->reals,
            .pad = PAD,
            .on_device = i % 2,
            .repeats = i == 2 && plan->routine & (AMAX | GEMV_C) ? GBL_COUNTERS + 2 : 2};
        good = function(ctx, &c, report);
    }
    return good;
}

static bool check_all(gable_context *ctx, uint64_t routines, level1_report *report)
{
    bool good = (routines & FOUR) == 0 || check_four(ctx, routines, report);
    for (int i = 0; i < PLANS && good; i++)
        good = (routines & plans[i].routine) == 0 || check_plan(ctx, &plans[i], report);
    return good;
}

/* ---- Making mutants ------------------------------------------------------------------------- */

static char *slurp(const char *path)
{
    FILE *stream = fopen(path, "rb");
    if (stream == NULL)
        return NULL;
    char *text = calloc(1, 1 << 18);
    if (text != NULL && fread(text, 1, (1 << 18) - 1, stream) == 0)
        text[0] = '\0';
    fclose(stream);
    return text;
}

/* Copies the kernels to `folder`; with a mutant, changed. */
static bool make_folder(const char *folder, const struct mutant *mutant)
{
    char command[2 * SCRATCH_BYTES], path[2 * SCRATCH_BYTES];
    scratch_clear(folder, true);
    snprintf(command, sizeof command, "cp " GABLE_SOURCE_DIR "/kernels/*.* '%s'", folder);
    if (system(command) != 0)
        return EXPECT(false, "the kernels cannot be copied");
    if (mutant == NULL)
        return true;
    snprintf(path, sizeof path, "%s/%s", folder, mutant->file);
    char *text = slurp(path);
    char *at = text != NULL ? strstr(text, mutant->old) : NULL;
    const bool once = at != NULL && strstr(at + 1, mutant->old) == NULL;
    EXPECT(once, "\"%s\": %s does not hold this exactly once, let the mutant follow: %s",
           mutant->name, mutant->file, mutant->old);
    FILE *stream = once ? fopen(path, "wb") : NULL;
    if (stream != NULL) {
        fwrite(text, 1, (size_t)(at - text), stream);
        fputs(mutant->new, stream);
        fputs(at + strlen(mutant->old), stream);
        fclose(stream);
    }
    free(text);
    return stream != NULL;
}

static bool required(const char *part)
{
    const char *list = getenv("GABLE_REQUIRE");
    return list != NULL && strstr(list, part) != NULL;
}

int main(void)
{
    gable_context *ctx = NULL;
    char folder[SCRATCH_BYTES];
    level1_report report = {"", ""};
    unsetenv("GABLE_VARIANT");
    unsetenv("GABLE_KERNEL_DIR");
    setenv("POCL_EXTRA_BUILD_FLAGS", "-cl-opt-disable", 1); /* compiles in 40 % of the time */
    if (gable_open(&ctx, "opencl:pocl") != GABLE_OK) {
        printf("%s: %s\n", required("pocl") ? "PoCL is required" : "skipped", gable_message(ctx));
        gable_close(ctx);
        return required("pocl") ? 1 : EXPECT_SKIPPED;
    }
    if (!scratch_make(folder)) {
        perror("test_mutants: no scratch folder");
        return 1;
    }
    if (make_folder(folder, NULL)) {
        setenv("GABLE_KERNEL_DIR", folder, 1);
        EXPECT(check_all(ctx, ALL, &report), "the true kernels fail %s: %s", report.check,
               report.why);
    }
    for (int i = 0; i < MUTANTS; i++) {
        if (!make_folder(folder, &mutants[i]))
            continue;
        /* A context of its own: a mutant may leave counters and workspace spoilt. */
        gbl_kernels_forget(ctx->device);
        gable_close(ctx);
        EXPECT_STATUS(ctx, GABLE_OK, gable_open(&ctx, "opencl:pocl"));
        report.check = "no check";
        const bool caught = !check_all(ctx, mutants[i].routines, &report);
        EXPECT(caught, "no check catches \"%s\" (%s)", mutants[i].name, mutants[i].file);
        EXPECT(!caught || strcmp(report.check, "status") != 0, "\"%s\" does not run: %s",
               mutants[i].name, report.why);
        printf("%-44s %-14s caught by %s\n", mutants[i].name, mutants[i].file,
               caught ? report.check : "no check");
        fflush(stdout);
    }
    gbl_kernels_forget(ctx->device);
    gable_close(ctx);
    scratch_clear(folder, false);
    return expect_summary("test_mutants");
}
