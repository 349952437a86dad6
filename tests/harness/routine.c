/* routine.c: runs the six parts of a routine's test over precisions, variants and tunables.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/level3/level3.h"
#include "device/cpu_blas.h"
#include "device/cpu_features.h"
#include "gemm_ladder.h"
#include "harness/data.h"
#include "harness/routine.h"
#include "harness/side_by_side.h"

static const char *const part_names[PART_COUNT] = {"exact",  "residual",  "edges",
                                                   "guards", "arguments", "repeat"};

/* With GABLE_TEST_ALL so many sets of tunables a variant; PoCL takes a second for each kernel. */
#define MOST_DRAWS  2000 /* of tunables that go together */
#define SPREADS_GPU 12
#define SPREADS_CPU 6

/* ---- Shapes ---- */

#define MAX_SHAPES 512
/* Many groups, an uneven rest. GPUs have more groups; mutants run on the emulated device, with as
 * many as on GPUs. 10^7 only with GABLE_TEST_ALL. */
#define LARGE_GPU 1000003
#define LARGE     200003

static void add_shape(shape *list, int *count, shape s)
{
    if (*count < MAX_SHAPES)
        list[(*count)++] = s;
}

static int all_shapes(const routine *r, shape *list)
{
    static const int64_t tiles[] = {1, 2, 4, 8, 16, 32, 64, 256, 1024, 4096};
    static const int64_t strides[][2] = {{2, 1}, {1, 3},  {-1, 1},  {1, -1}, {-1, -1}, {-2, 3},
                                         {7, 2}, {3, -2}, {-2, -2}, {0, 1},  {0, -3}};
    static const int64_t strided[] = {1, 2, 5, 33, 257, 1025};
    static const int64_t shifted[] = {1, 3, 17, 37, 259, 4099};
    const int64_t large = r->all || routine_compiles_fast(r) ? LARGE_GPU : LARGE;
    int count = 0;
    int64_t last = 0;
    for (size_t t = 0; t < sizeof tiles / sizeof tiles[0]; t++) {
        for (int64_t n = tiles[t] - 1; n <= tiles[t] + 1; n++) {
            if (n > last) {
                add_shape(list, &count, (shape){n, 1, 1, 0, 0});
                last = n;
            }
        }
    }
    for (size_t i = 0; i < sizeof strides / sizeof strides[0]; i++)
        for (size_t k = 0; k < sizeof strided / sizeof strided[0]; k++)
            add_shape(list, &count, (shape){strided[k], strides[i][0], strides[i][1], 0, 0});
    for (int offx = 0; offx < 4; offx++)
        for (int offy = 0; offy < 4; offy++)
            for (size_t k = 0; k < sizeof shifted / sizeof shifted[0]; k++)
                add_shape(list, &count, (shape){shifted[k], 1, 1, offx, offy});
    add_shape(list, &count, (shape){513, 2, 3, 1, 3});
    add_shape(list, &count, (shape){513, -3, 7, 3, 2});
    add_shape(list, &count, (shape){large, 1, 1, 0, 0});
    add_shape(list, &count, (shape){large, 1, 1, 1, 3});
    add_shape(list, &count, (shape){large, -1, 2, 0, 0});
    if (test_all())
        add_shape(list, &count, (shape){10000000, 1, 1, 0, 1});
    return count;
}

/* Shapes whose y is plain: with one vector the others would be the same again. */
static int only_x(shape *list, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (list[i].offy == 0 || list[i].n >= LARGE)
            list[kept++] = list[i];
    return kept;
}

bool routine_slow_compiler(const routine *r)
{
    return !r->all && strcmp(r->device->table->kind, "opencl") == 0;
}

bool routine_compiles_fast(const routine *r)
{
    return r->device->props.is_gpu || strcmp(r->device->table->kind, "emulated") == 0;
}

bool routine_short_gpu(const routine *r)
{
    return !r->all && r->device->props.is_gpu && !routine_slow_compiler(r);
}

shape routine_shape(const routine *r, int vectors, shape s)
{
    const int reals = gbl_dtype_complex(r->dtype) ? 2 : 1;
    const bool forced = r->variant != NULL;
    if (!routine_slow_compiler(r) || (r->dtype == GBL_S && !forced))
        return s;
    if (vectors == 1) {
        s.incy = 1;
        s.offy = s.offx;
    }
    const bool strided = s.incx != 1 || s.incy != 1;
    const bool shifted = s.offx != s.offy || s.offx % reals != 0;
    if (forced) {
        s.incx = s.incy = 1;
        s.offx = s.offy = 0;
    } else if (strided && r->dtype != GBL_C) {
        s.offx -= s.offx % reals;
        s.offy -= s.offy % reals;
    } else if (strided) {
        s.incx = s.incy = 1;
        s.offx = s.offy = 0;
    } else if (shifted && r->dtype == GBL_C) { /* all in the same way */
        s.offx = 1;
        s.offy = vectors == 1 ? 1 : 0;
    } else {
        s.offx -= s.offx % reals;
        s.offy = s.offx;
    }
    return s;
}

/* The list as the run takes it, each shape once. */
static int of_run(const routine *r, int vectors, const shape *all, int count, shape *list)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        const shape s = routine_shape(r, vectors, all[i]);
        bool known = false;
        for (int k = 0; routine_slow_compiler(r) && k < kept && !known; k++)
            known = list[k].n == s.n && list[k].incx == s.incx && list[k].incy == s.incy &&
                    list[k].offx == s.offx && list[k].offy == s.offy;
        if (!known)
            list[kept++] = s;
    }
    return kept;
}

const shape *routine_shapes(const routine *r, int vectors, int *count)
{
    static shape all[MAX_SHAPES], list[MAX_SHAPES];
    int made = all_shapes(r, all);
    if (vectors == 1)
        made = only_x(all, made);
    *count = of_run(r, vectors, all, made, list);
    return list;
}

const shape *routine_few_shapes(const routine *r, int vectors, int *count)
{
    static const shape few[] = {
        {1, 1, 1, 0, 0},    {5, 2, 1, 0, 0},    {17, 1, 1, 1, 3},   {33, -1, 1, 0, 0},
        {37, 1, 1, 3, 1},   {64, 1, 1, 0, 0},   {255, 3, -2, 0, 0}, {257, -2, -2, 1, 0},
        {1025, 1, 1, 2, 2}, {4097, 1, 1, 0, 0}, {65, 7, 2, 0, 0},   {40000, 1, 1, 1, 1},
    };
    static shape list[sizeof few / sizeof few[0]];
    *count = of_run(r, vectors, few, (int)(sizeof few / sizeof few[0]), list);
    return list;
}

/* ---- Cases ---- */

void routine_case(routine *r, const shape *s, uint64_t seed, const char *more)
{
    r->cases++;
    test_case(
        "%s %c %s variant=%s part=%s n=%lld incx=%lld incy=%lld offx=%d offy=%d seed=%llu%s%s",
        r->op->stem, r->letter, test_device(), r->choice, r->part, (long long)s->n,
        (long long)s->incx, (long long)s->incy, s->offx, s->offy, (unsigned long long)seed,
        more[0] ? " " : "", more);
}

bool routine_fits(const routine *r, const void *call)
{
    if (r->variant == NULL || call == NULL)
        return true;
    const bool idle = r->op->idle != NULL && r->op->idle(call); /* no variant is asked then */
    if (r->math) { /* what the library is permitted is not in the test's call */
        gbl_product_call permitted = *(const gbl_product_call *)call;
        permitted.math = GABLE_MATH_TF32X3;
        return idle || r->variant->fits(r->variant, &permitted, r->device);
    }
    return idle || r->variant->fits(r->variant, call, r->device);
}

bool routine_ran(routine *r, gable_status status, const void *call)
{
    if (routine_fits(r, call))
        return CHECK_OK(r->ctx, status);
    r->unfit++;
    CHECK_STATUS(r->ctx, status, GABLE_NOT_SUPPORTED);
    return false;
}

int routine_argument(const char *names, const char *name)
{
    for (int position = 2; *names != '\0'; position++) {
        const size_t length = strcspn(names, " ");
        if (length == strlen(name) && strncmp(names, name, length) == 0)
            return position;
        names += length + (names[length] == ' ');
    }
    return 0;
}

void routine_error(routine *r, double error, double bound, double limit)
{
    if (bound == 0) {
        CHECK(error == 0, "error %g where the result is exact", error);
        return;
    }
    const double ratio = error / bound;
    CHECK(ratio <= limit, "error %g is %g times the bound %g; %g is allowed", error, ratio, bound,
          limit);
    if (ratio > r->worst)
        r->worst = ratio;
}

bool routine_far(const routine *r, size_t bytes)
{
    if (r->device->props.is_host)
        return true;
    if (r->all && r->device->props.is_gpu && r->device->props.memory_bytes / 2 > bytes)
        return true;
    if (r->all)
        test_leave_out(NULL, "strides past 2^31 need %zu bytes on %s", bytes, r->device->info.name);
    return false;
}

bool far_take(const routine *r, int count, size_t bytes, far_memory *memory)
{
    *memory = (far_memory){.bytes = bytes};
    if (!routine_far(r, (size_t)count * bytes))
        return false;
    for (int i = 0; i < count; i++) {
        memory->at[i] = far_reserve(r->ctx, r->device->props.is_host, bytes);
        if (memory->at[i] == NULL) {
            test_leave_out(NULL, "no %d times %zu bytes for offsets past 2^31", count, bytes);
            far_give(r, memory);
            return false;
        }
    }
    return true;
}

void far_give(const routine *r, const far_memory *memory)
{
    for (int i = 0; i < 2; i++)
        if (memory->at[i] != NULL)
            far_release(r->ctx, r->device->props.is_host, memory->at[i], memory->bytes);
}

/* ---- Variants ---- */

/* A call that every routine of vectors could get: contiguous, 16 elements, scalars by value. */
static const void *plain_call(const routine *r, int i)
{
    static double x[32], y[32], w[32], result[8];
    static gbl_vector_call call;
    call = (gbl_vector_call){.dtype = r->dtype,
                             .n = 16,
                             .alpha = {NULL, 2, 0},
                             .beta = {NULL, 3, 0},
                             .x = x,
                             .incx = 1,
                             .y = y,
                             .incy = 1,
                             .w = w,
                             .incw = 1,
                             .result = result,
                             .count = 1,
                             .ldx = 16};
    return i == 0 ? &call : NULL;
}

bool routine_variant_fits(const routine *r, const gbl_variant *variant)
{
    const void *call;
    for (int i = 0; (call = r->probe(r, i)) != NULL; i++)
        if (variant->fits(variant, call, r->device))
            return true;
    return false;
}

bool routine_force(routine *r, const gbl_variant *variant, const char *tunables)
{
    static char choice[200];
    snprintf(choice, sizeof choice, "%s=%s%s", r->op->stem, variant->name, tunables);
    r->variant = variant;
    r->choice = choice;
    return CHECK_OK(r->ctx, gable_set_variant(r->ctx, choice));
}

void routine_unforce(routine *r)
{
    r->variant = NULL;
    r->choice = "default";
    CHECK_OK(r->ctx, gable_set_variant(r->ctx, NULL));
}

bool routine_next_variant(routine *r, int *next)
{
    if (*next > 0)
        routine_unforce(r);
    else if (r->variant != NULL)
        return false;
    while (*next < r->op->variant_count) {
        const gbl_variant *variant = &r->op->variants[(*next)++];
        if (routine_variant_fits(r, variant) && routine_force(r, variant, ""))
            return true;
    }
    return false;
}

/* Whether a probe gets the variant without being told to. */
static bool is_default(routine *r, const gbl_variant *variant)
{
    const void *call;
    bool found = false;
    for (int i = 0; !found && (call = r->probe(r, i)) != NULL; i++) {
        gbl_choice choice = {.variant = NULL, .params = {{0}}};
        CHECK_OK(r->ctx, gbl_op_choose(r->ctx, r->op, call, &choice));
        found = choice.variant == variant;
    }
    return found;
}

/* A work-group must fill the lanes that run together and fit the device. */
static bool fills_group(const gbl_device *device, const gbl_param *param, int32_t value)
{
    if (strcmp(param->name, "local") != 0 && strcmp(param->name, "items") != 0)
        return true;
    return value <= device->props.max_group &&
           (device->props.simd <= 1 || value % device->props.simd == 0);
}

/* Whether tunables go together, for every probe that the variant fits. */
static bool go_together(const routine *r, const gbl_variant *variant, const gbl_params *params)
{
    const void *call;
    uint64_t plan;
    for (int i = 0; variant->legal != NULL && (call = r->probe(r, i)) != NULL; i++)
        if (variant->fits(variant, call, r->device) &&
            !variant->legal(variant, call, params, r->device, &plan))
            return false;
    return true;
}

/* ":local=64:vec=4..." Set 0 is the middle of each range, the others are drawn; so is 0 where the
 * middles do not go together. */
static void tunables_text(const routine *r, const gbl_variant *variant, int set, char *text,
                          size_t bytes)
{
    gbl_params params = {{0}};
    for (uint64_t draw = 0; draw < MOST_DRAWS; draw++) {
        for (int p = 0; p < variant->space_count; p++) {
            const gbl_param *param = &variant->space[p];
            int32_t value = param->values[param->count / 2];
            for (uint64_t again = 0;
                 set + draw > 0 && (again == 0 || !fills_group(r->device, param, value)); again++)
                value =
                    param->values[data_bits((uint64_t)set + 4096 * draw, 64 * again + (uint64_t)p) %
                                  (uint64_t)param->count];
            params.value[p] = value;
        }
        if (go_together(r, variant, &params))
            break;
    }
    text[0] = '\0';
    for (int p = 0; p < variant->space_count; p++) {
        const size_t used = strlen(text);
        snprintf(text + used, bytes - used, ":%s=%d", variant->space[p].name, (int)params.value[p]);
    }
}

/* ---- The run ---- */

static void run_part(routine *r, const routine_parts *parts, int part)
{
    r->part = part_names[part];
    r->cases = r->unfit = 0;
    r->worst = 0;
    const long before = test_failures();
    test_case("%s %c %s variant=%s part=%s", r->op->stem, r->letter, test_device(), r->choice,
              r->part);
    parts->run[part](r);
    printf("%s%-6s %c %-9s %6ld cases, error/bound %.3f", test_failures() > before ? "FAILED " : "",
           r->op->stem, r->letter, r->part, r->cases, r->worst);
    if (r->unfit > 0)
        printf(", %ld refused as unfit", r->unfit);
    printf("  (%s)\n", r->choice);
}

static void run_parts(routine *r, const routine_parts *parts, const char *only, bool whole)
{
    for (int part = 0; part < PART_COUNT; part++) {
        if (only != NULL && strcmp(only, part_names[part]) != 0)
            continue;
        /* A vendor's library is held to its numbers, not to Gable's rules at the edges: cuBLAS 13.1
         * flushes denormals in snrm2 and gives Inf for Inf beside NaN. */
        if (r->variant != NULL && r->variant->vendor) {
            if (part == PART_EXACT || part == PART_RESIDUAL || part == PART_GUARDS)
                run_part(r, parts, part);
        } else if (whole || part == PART_EXACT || part == PART_EDGES) {
            run_part(r, parts, part);
        }
    }
}

bool routine_one_architecture(const gbl_variant *variant)
{
    return variant->kernels != NULL && strstr(variant->kernels, ".cu") != NULL;
}

/* Where kernels compile slowly, a variant of a vector routine that is not the default runs in one
 * precision, the next one in the next. Those of matrices choose by themselves (matrix_data.c,
 * level3_shapes.c). */
static bool another_precision_has(const routine *r, int variant)
{
    bool four = true;
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++)
        four = four && gbl_op_has(r->op, (gbl_dtype)dtype);
    return routine_slow_compiler(r) && r->op->layout == gbl_axpy_op.layout && four &&
           (int)r->dtype != variant % 4;
}

/* All six parts of the default variants, and of those for one architecture; exact and edges of the
 * others. */
static void run_variants(routine *r, const routine_parts *parts, const char *only)
{
    run_parts(r, parts, only, true);
    for (int i = 0; i < r->op->variant_count; i++) {
        const gbl_variant *variant = &r->op->variants[i];
        if (!routine_variant_fits(r, variant)) {
            if (r->device->props.is_host && gbl_cpu_blas_get() == NULL &&
                strcmp(variant->name, "blas") == 0)
                test_leave_out("blas", "there is no BLAS: %s", gbl_cpu_blas_reason());
            continue;
        }
        if (test_small() && strcmp(variant->name, "vendor") == 0) {
            test_leave_out(NULL, "%s of the vendor is not for sanitizers to judge", r->op->stem);
            continue;
        }
        const bool chosen = is_default(r, variant), own = routine_one_architecture(variant);
        if (!chosen && !own && another_precision_has(r, i)) {
            test_leave_out(NULL,
                           "%s %c of %s runs with GABLE_TEST_ALL=1 only: kernels compile slowly",
                           r->op->stem, r->letter, variant->name);
            continue;
        }
        if (!chosen) {
            routine_force(r, variant, "");
            run_parts(r, parts, only, r->all || own);
        }
        const int spreads = r->device->props.is_gpu ? SPREADS_GPU : SPREADS_CPU;
        int sets = variant->space_count == 0 ? 0 : r->all ? spreads : chosen || own;
        if (sets > 0 && routine_slow_compiler(r)) {
            test_leave_out(NULL,
                           "%s %c of %s with other tunables runs with GABLE_TEST_ALL=1 only: "
                           "kernels compile slowly",
                           r->op->stem, r->letter, variant->name);
            sets = 0;
        }
        for (int set = 0; set < sets; set++) {
            char tunables[128];
            tunables_text(r, variant, set, tunables, sizeof tunables);
            routine_force(r, variant, tunables);
            run_parts(r, parts, only, r->all || own);
        }
        routine_unforce(r);
    }
}

/* Products in single precision under GABLE_MATH_TF32X3, where the device has what it permits: all
 * parts as the library chooses; of gemm also the variant itself with sizes for which it is not
 * chosen. */
static void run_math(routine *r, const routine_parts *parts, const char *only)
{
    const gbl_variant *variant = gbl_gemm_op.variants;
    while (strcmp(variant->name, "tf32x3") != 0)
        variant++;
    if (r->dtype != GBL_S || r->op->layout != gbl_gemm_op.layout ||
        strcmp(r->device->info.arch, "sm_90a") != 0)
        return;
    CHECK_OK(r->ctx, gable_set_math(r->ctx, GABLE_MATH_TF32X3));
    r->math = true;
    r->choice = "math=tf32x3";
    run_parts(r, parts, only, true);
    for (int set = 0; r->op == &gbl_gemm_op && set < (r->all ? SPREADS_GPU : 2); set++) {
        char tunables[128];
        tunables_text(r, variant, set, tunables, sizeof tunables);
        routine_force(r, variant, tunables);
        for (int part = PART_EXACT; part <= PART_GUARDS; part++)
            if (part != PART_RESIDUAL && (only == NULL || strcmp(only, part_names[part]) == 0))
                run_part(r, parts, part);
        routine_unforce(r);
    }
    r->math = false;
    CHECK_OK(r->ctx, gable_set_math(r->ctx, GABLE_MATH_PLAIN));
}

/* One variant given on the command line, as gable_set_variant takes it. */
static void run_given(routine *r, const routine_parts *parts, const char *only, const char *choice)
{
    const char *name = strchr(choice, '=');
    for (int i = 0; name != NULL && i < r->op->variant_count; i++) {
        const size_t length = strlen(r->op->variants[i].name);
        if (strncmp(name + 1, r->op->variants[i].name, length) == 0 &&
            strchr(":,", name[1 + length]) != NULL) {
            routine_force(r, &r->op->variants[i], name + 1 + length);
            run_parts(r, parts, only, true);
            routine_unforce(r);
            return;
        }
    }
    CHECK(false, "no variant is called \"%s\"; use STEM=VARIANT:NAME=VALUE", choice);
}

/* Those that the program has. */
static const routine_parts *const precisions[] = {&test_parts_s,
#if !defined(TEST_S_AND_Z)
                                                  &test_parts_d, &test_parts_c,
#endif
                                                  &test_parts_z};
#define PRECISIONS ((int)(sizeof precisions / sizeof precisions[0]))

/* One process for each precision that the routine exists in. */
static int split(const char *program, const char *letters)
{
    static char words[PRECISIONS][2];
    const char *list[PRECISIONS];
    int count = 0;
    for (int p = 0; p < PRECISIONS; p++) {
        if (strchr(letters, precisions[p]->letter) == NULL || precisions[p]->run[0] == NULL)
            continue;
        words[count][0] = precisions[p]->letter;
        list[count] = words[count];
        count++;
    }
    return side_by_side(program, list, count);
}

int main(int argc, char **argv)
{
    const char *some = getenv("GABLE_TEST_PRECISIONS");
    const char *letters = argc > 1 ? argv[1] : some != NULL ? some : "sdcz";
    const char *only = argc > 2 ? argv[2] : getenv("GABLE_TEST_PART"); /* NULL: all six */
    if (only != NULL && strcmp(only, "all") == 0)
        only = NULL;
    const char *bytes = getenv("GABLE_TEST_REGISTERS"); /* NULL: as wide as the CPU has them */
    if (argc == 1 && side_by_side_asked())
        return split(argv[0], letters);
    if (bytes != NULL)
        gbl_cpu_features_limit(atoi(bytes));
    test_start(test_parts_s.stem);
    CHECK(gemm_ladder_add(), "the rungs of gemm are not added");
    gable_context *ctx = test_open();
    for (int p = 0; p < PRECISIONS; p++) {
        if (strchr(letters, precisions[p]->letter) == NULL || precisions[p]->run[0] == NULL)
            continue;
        routine r = {.ctx = ctx,
                     .parts = precisions[p],
                     .device = ctx->device,
                     .op = gbl_op_find(precisions[p]->stem),
                     .letter = precisions[p]->letter,
                     .dtype = precisions[p]->dtype,
                     .choice = "default",
                     .part = "",
                     .all = test_all(),
                     .probe = precisions[p]->probe != NULL ? precisions[p]->probe : plain_call};
        if (r.op == NULL) {
            CHECK(false, "there is no op \"%s\"", precisions[p]->stem);
            break;
        }
        if (argc > 3) {
            run_given(&r, precisions[p], only, argv[3]);
        } else {
            run_variants(&r, precisions[p], only);
            run_math(&r, precisions[p], only);
        }
    }
    gable_close(ctx);
    return test_finish();
}
