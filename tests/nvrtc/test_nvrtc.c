/* test_nvrtc.c: every kernel compiles for NVIDIA's GPUs, without spilling registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs libnvrtc, no GPU. Each kernel is compiled in the four precisions for sm_80 and sm_90a, with
 * the tunables that the built-in table and the fallbacks give, in the forms that the host asks for:
 * aligned, misaligned and strided vectors, in one launch and in two, plain and conjugated. A kernel
 * file that this test does not know is a failure: add it to the table in kernel_uses.h.
 * Built-in lines are tried in d and z, whose registers are the most, and sm_80 in a kernel's widest precision
 * untuned; with $GABLE_TEST_ALL everything is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/band_plan.h"
#include "blas/columns.h"
#include "blas/gemv_batched_plan.h"
#include "blas/gemv_blocks_variants.h"
#include "blas/level2.h"
#include "blas/symv_twice.h"
#include "blas/triangular.h"
#include "core/kernel_table.h"
#include "device/nvrtc.h"
#include "harness/check.h"
#include "nvrtc/compile_jobs.h"
#include "nvrtc/kernel_uses.h"
#include "nvrtc/plane_specs.h"
#include "nvrtc/roof_specs.h"
#include "tune/builtin.h"

static const char *const archs[] = {"sm_80", "sm_90a"};

/* The programs, and the kernels that are wanted of them: all are compiled at the end. */
#define MAX_FILES 1024
static char *sources[MAX_FILES];
static int source_count;
static compile_job *jobs;
static int job_count, job_room;

/* Asks for a kernel unless it was asked for before, for this architecture. */
static void compile_once(const char *source, const gbl_kernel_spec *spec, const char *arch)
{
    for (int i = job_count - 1; i >= 0 && jobs[i].source == source; i--)
        if (jobs[i].arch == arch && memcmp(&jobs[i].spec, spec, sizeof *spec) == 0)
            return;
    if (job_count == job_room) {
        job_room = job_room > 0 ? 2 * job_room : 1024;
        compile_job *more = realloc(jobs, (size_t)job_room * sizeof *jobs);
        if (more == NULL) {
            CHECK(false, "no memory for %d kernels", job_room);
            exit(1);
        }
        jobs = more;
    }
    jobs[job_count++] = (compile_job){.spec = *spec, .source = source, .arch = arch};
}

/* A kernel with its last macros: the one that is 0 or 1, and BATCH. The largest batch that the tunables
 * allow takes the most registers; smaller ones only where `all_batches`. Coefficients by value come in
 * any number. */
static void finish_spec(const char *source, const kernel_use *use, const gbl_kernel_spec *spec,
                        const gbl_params *params, bool all_batches, const char *arch)
{
    for (int value = 0; value < (use->macro != NULL ? 2 : 1); value++) {
        gbl_kernel_spec full = *spec;
        const bool conjugated = use->macro != NULL && strcmp(use->macro, "CONJ") == 0 && value == 1;
        if ((conjugated || (use->only_complex && value == 1)) && !gbl_dtype_complex(spec->dtype))
            continue;
        if (use->macro != NULL && !(use->only_complex && value == 0))
            gbl_kernel_add_macro(&full, use->macro, value);
        if (!use->batch) {
            compile_once(source, &full, arch);
            continue;
        }
        const bool by_value = strcmp(use->file, "maxpy.cl") == 0 && value == 0;
        const int32_t most = by_value ? GBL_VECTOR_VALUES : params->value[COLUMNS_BATCH];
        const int32_t batches[] = {most, most < 3 ? most : 3, 1};
        for (int i = 0; i < (all_batches && !conjugated ? 3 : 1); i++) {
            gbl_kernel_spec batched = full;
            gbl_kernel_add_macro(&batched, "BATCH", batches[i]);
            compile_once(source, &batched, arch);
        }
    }
}

/* All forms of a stream kernel in one precision with one set of tunables. */
static void stream_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                         const gbl_params *params, const char *arch)
{
    const gbl_device device = {.props = {.is_gpu = true, .units = 132}};
    const uintptr_t real = gbl_dtype_real_bytes(dtype);
    /* Aligned, strided, off differently, off alike. Only addresses: nothing is read. */
    const struct {
        uintptr_t x, y;
        int64_t inc;
    } cases[] = {
        {4096, 8192, 1}, {4096, 8192, 2}, {4096, 8192 + real, 1}, {4096 + real, 8192 + real, 1}};
    /* One form is enough where no other is asked for, and where groups always hand over on these GPUs. */
    const bool one_form = strcmp(use->file, "read.cl") == 0 || (use->batch && use->one_pass == 0);
    for (int form = 0; form < (one_form ? 1 : 4); form++) {
        const gbl_vector_call call = {.dtype = dtype,
                                      .n = 1000000,
                                      .x = (void *)cases[form].x,
                                      .incx = cases[form].inc,
                                      .y = use->vectors > 1 ? (void *)cases[form].y : NULL,
                                      .incy = 1};
        gbl_stream plan;
        gbl_kernel_spec spec;
        gbl_stream_plan(&call, params, &device, 0, &plan);
        gbl_stream_kernel(use->file, dtype, &plan, params, &spec);
        if (use->one_pass >= 0)
            gbl_kernel_add_macro(&spec, "ONE_PASS", use->one_pass);
        finish_spec(source, use, &spec, params, form == 0 && !one_form, arch);
    }
}

static int32_t tunable(const kernel_use *use, const gbl_params *params, const char *name)
{
    for (int i = 0; i < use->op->variant_count; i++)
        if (strcmp(use->op->variants[i].name, use->variant) == 0)
            return params->value[gbl_param_index(&use->op->variants[i], name)];
    CHECK(false, "%s has no variant %s", use->op->stem, use->variant);
    return 0;
}

/* A gemv kernel as gemv.c plans it: columns that start alike, with x contiguous and conjugated, then
 * strided; and columns that do not, whose loads are of single elements, 16 at most in flight. */
static void matrix_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                         const gbl_params *params, const char *arch)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(dtype);
    const int32_t items = tunable(use, params, "items"), wx = tunable(use, params, "wx"),
                  vec = tunable(use, params, "vec"), unroll = tunable(use, params, "unroll"),
                  batch = tunable(use, params, "batch");
    const bool transposed = strcmp(use->file, "gemv_t.cl") == 0;
    const int32_t wide = vec * elem < 16 ? vec * elem : 16, align = wide > elem ? wide : elem;
    enum { ALIKE, LARGE, APART }; /* LARGE: compiled for one way that x can stand */
    for (int form = ALIKE; form <= APART; form++) {
        const bool single = form == APART && transposed, spread = form == APART && !transposed;
        int32_t loads = unroll;
        if (form == LARGE && (!transposed || vec == 1))
            continue;
        if (single && unroll * vec * batch <= 16)
            loads = unroll * vec;
        if (spread && unroll * vec > 16)
            loads = vec < 16 ? 16 / vec : 1;
        gbl_kernel_spec spec;
        memset(&spec, 0, sizeof spec);
        spec.file = use->file;
        spec.dtype = dtype;
        gbl_kernel_add_macro(&spec, "ITEMS", items);
        gbl_kernel_add_macro(&spec, "WX", wx < items ? wx : items);
        gbl_kernel_add_macro(&spec, "VEC", single ? 1 : vec);
        gbl_kernel_add_macro(&spec, "UNROLL", loads);
        gbl_kernel_add_macro(&spec, "ALIGN", form == APART ? elem : align);
        if (transposed) {
            gbl_kernel_add_macro(&spec, "BATCH", batch);
            gbl_kernel_add_macro(&spec, "CONJ", form == ALIKE && gbl_dtype_complex(dtype));
            gbl_kernel_add_macro(&spec, "X_ALIGN", form == APART ? elem : align);
            gbl_kernel_add_macro(&spec, "X_FORM", form != ALIKE || vec == 1 ? 1 : 0);
        } else {
            gbl_kernel_add_macro(&spec, "SPREAD", spread);
        }
        compile_once(source, &spec, arch);
    }
}

/* The kernel of an update as update_variants.c plans it: columns that start alike, and others. */
static void update_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                         const gbl_params *params, const char *arch)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(dtype);
    const int32_t items = tunable(use, params, "items"), wx = tunable(use, params, "wx"),
                  vec = tunable(use, params, "vec"), unroll = tunable(use, params, "unroll");
    const int32_t wide = vec * elem < 16 ? vec * elem : 16, align = wide > elem ? wide : elem;
    for (int spread = 0; spread < (align > elem ? 2 : 1); spread++) {
        gbl_kernel_spec spec;
        memset(&spec, 0, sizeof spec);
        spec.file = use->file;
        spec.dtype = dtype;
        gbl_kernel_add_macro(&spec, "ITEMS", items);
        gbl_kernel_add_macro(&spec, "WX", wx < items ? wx : items);
        gbl_kernel_add_macro(&spec, "VEC", vec);
        gbl_kernel_add_macro(&spec, "UNROLL", spread && unroll * vec > 16 ? 16 / vec : unroll);
        gbl_kernel_add_macro(&spec, "ALIGN", spread ? elem : align);
        gbl_kernel_add_macro(&spec, "SPREAD", spread);
        compile_once(source, &spec, arch);
    }
}

/* The two launches of square blocks. */
static void block_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                        const gbl_params *params, const char *arch)
{
    const bool plain = strcmp(use->file, "gemv_blocks_n.cl") == 0;
    const gbl_matrix_call call = {.dtype = dtype,
                                  .trans = plain ? GABLE_NO_TRANS : GABLE_CONJ_TRANS,
                                  .m = 1000,
                                  .n = 1000,
                                  .A = (void *)(uintptr_t)4096,
                                  .lda = 1000,
                                  .incx = 1,
                                  .incy = 1};
    for (int edge = 0; edge < 2; edge++) {
        gbl_kernel_spec spec;
        gbl_gemv_blocks_kernel(&call, params, edge, &spec);
        compile_once(source, &spec, arch);
    }
}

/* Many products as gemv_batched.c plans them: small ones, odd ones and addresses in arrays; large ones. */
static void batched_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                          const gbl_params *params, const char *arch)
{
    const gbl_device device = {.props = {.is_gpu = true, .units = 132, .simd = 32}};
    static const struct {
        int64_t size, lda, incx;
        bool pointers;
    } many[] = {{8, 8, 1, false}, {31, 31, 2, false}, {32, 32, 1, true}},
      one[] = {{1000, 1000, 1, false}, {1000, 1001, 1, true}};
    const bool small = strncmp(use->variant, "many", 4) == 0,
               plain = strcmp(use->file, "gemv_batched_n.cl") == 0;
    for (int form = 0; form < (small ? 3 : 2); form++) {
        const int64_t size = small ? many[form].size : one[form].size;
        const gbl_matrix_call call = {.dtype = dtype,
                                      .trans = plain ? GABLE_NO_TRANS : GABLE_CONJ_TRANS,
                                      .m = size,
                                      .n = size,
                                      .A = (void *)(uintptr_t)4096,
                                      .lda = small ? many[form].lda : one[form].lda,
                                      .x = (void *)(uintptr_t)4096,
                                      .incx = small ? many[form].incx : one[form].incx,
                                      .incy = 1,
                                      .batch = 100000,
                                      .stride_a = size * size,
                                      .stride_x = 2 * size,
                                      .stride_y = size,
                                      .pointers = small ? many[form].pointers : one[form].pointers};
        gbl_kernel_spec spec;
        gbl_gemv_batched_kernel(&call, params, &device, &spec);
        compile_once(source, &spec, arch);
    }
}

/* The kernels of symv as symv.c plans them: a lower triangle whose columns start alike, Hermitian where it can
 * be, and an upper one whose columns do not, also packed. */
static void symmetric_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                            const gbl_params *params, const char *arch)
{
    const int32_t elem = (int32_t)gbl_dtype_bytes(dtype), most = 16 / elem,
                  vec = tunable(use, params, "vec");
    const bool finish = strcmp(use->file, "symv_finish.cl") == 0;
    for (int upper = 0; upper < 2; upper++) {
        gbl_kernel_spec spec;
        memset(&spec, 0, sizeof spec);
        spec.file = use->file;
        spec.dtype = dtype;
        gbl_kernel_add_macro(&spec, "ITEMS",
                             finish ? 32 * tunable(use, params, "helpers")
                                    : tunable(use, params, "items"));
        gbl_kernel_add_macro(&spec, "WX", finish ? 32 : tunable(use, params, "wx"));
        gbl_kernel_add_macro(&spec, "UPPER", upper);
        if (!finish) {
            const int32_t lanes = vec < most ? vec : most;
            gbl_kernel_add_macro(&spec, "VEC", lanes);
            gbl_kernel_add_macro(&spec, "DEEP", tunable(use, params, "deep"));
            gbl_kernel_add_macro(&spec, "COLUMNS", tunable(use, params, "columns"));
            gbl_kernel_add_macro(&spec, "ALIGN", upper ? elem : lanes * elem);
            gbl_kernel_add_macro(&spec, "SPREAD", upper && lanes > 1);
            gbl_kernel_add_macro(&spec, "HERMITIAN", !upper && gbl_dtype_complex(dtype));
        }
        compile_once(source, &spec, arch);
        if (upper && !finish) {
            gbl_kernel_add_macro(&spec, "STORAGE", GBL_PACKED);
            compile_once(source, &spec, arch);
        }
    }
}

/* symv_twice.cl: a lower triangle, Hermitian where it can be, and an upper one. */
static void twice_forms(const char *source, gbl_dtype dtype, const gbl_params *params,
                        const char *arch)
{
    const gbl_device device = {.props = {.is_gpu = true,
                                         .units = 132,
                                         .simd = 32,
                                         .max_local_bytes = 48 << 10,
                                         .max_dynamic_local_bytes = 163 << 10}};
    for (int upper = 0; upper < 2; upper++) {
        const gbl_matrix_call call = {.dtype = dtype,
                                      .uplo = upper ? GABLE_UPPER : GABLE_LOWER,
                                      .conj = !upper && gbl_dtype_complex(dtype),
                                      .m = 1024,
                                      .n = 1024,
                                      .A = (void *)(uintptr_t)4096,
                                      .lda = 1024,
                                      .incx = 1,
                                      .incy = 1};
        gbl_kernel_spec spec;
        gbl_symv_twice_kernel(&call, params, &device, &spec);
        compile_once(source, &spec, arch);
    }
}

/* Products and solves with triangles: columns that start alike, and others, and packed ones; of trsv a band too,
 * plain and transposed. */
static void triangle_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                           const gbl_params *params, const char *arch)
{
    const gbl_device device = {.props = {.is_gpu = true,
                                         .units = 132,
                                         .simd = 32,
                                         .max_local_bytes = 48 << 10,
                                         .max_dynamic_local_bytes = 163 << 10}};
    const bool product = strncmp(use->file, "trmv", 4) == 0;
    const bool blocks = strcmp(use->file, "trsv_block.cl") == 0; /* of plain and transposed ones */
    const bool is_n = strcmp(use->variant + strlen(use->variant) - 2, "_n") == 0;
    for (int form = 0; form < (product ? 3 : 4); form++) {
        const bool plain = blocks ? form < 2 : is_n;
        const gbl_storage stored = blocks || form < 2 ? GBL_FULL
                                   : form == 2        ? GBL_PACKED
                                                      : GBL_BAND;
        const gbl_matrix_call call = {.dtype = dtype,
                                      .storage = (uint8_t)stored,
                                      .uplo = GABLE_LOWER,
                                      .trans = plain ? GABLE_NO_TRANS : GABLE_CONJ_TRANS,
                                      .diag = GABLE_NON_UNIT,
                                      .m = 4096,
                                      .n = 4096,
                                      .A = (void *)(uintptr_t)4096,
                                      .kl = 64,
                                      .ku = 64,
                                      .lda = form % 2 ? 4097 : 4096,
                                      .x = (void *)(uintptr_t)4096,
                                      .incx = 1,
                                      .incy = 1};
        gbl_kernel_spec spec;
        if (product)
            gbl_trmv_kernel(&call, params, &device, &spec);
        else if (blocks)
            gbl_trsv_block_kernel(&call, params, &spec);
        else
            gbl_trsv_kernel(&call, params, &device, &spec);
        compile_once(source, &spec, arch);
    }
}

/* Products with bands: narrow ones, for which a width has a kernel of its own or not, and wide ones; plain and
 * conjugated, or lower and upper. */
static void band_forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                       const gbl_params *params, const char *arch)
{
    static const int64_t diagonals[] = {1, 2, 3, 4, 16, 400};
    const gbl_device device = {.props = {.is_gpu = true,
                                         .units = 132,
                                         .simd = 32,
                                         .max_local_bytes = 48 << 10,
                                         .max_dynamic_local_bytes = 163 << 10}};
    const gbl_variant *variant = use->op->variants;
    while (strcmp(variant->name, use->variant) != 0)
        variant++;
    const bool once = strcmp(use->variant, "once") == 0, tile = strcmp(use->variant, "tile") == 0;
    for (int form = 0; form < (tile ? 12 : 4); form++) {
        const int64_t k = tile ? diagonals[form / 2] : 400;
        const int64_t n = tile || form < 2 ? 100000 : 8000; /* with 8000, groups would be too few */
        /* Those along one side only. */
        if (strcmp(use->variant, form % 2 ? "wide_n" : "wide_t") == 0)
            continue;
        const gbl_matrix_call call = {.dtype = dtype,
                                      .uplo = form % 2 ? GABLE_UPPER : GABLE_LOWER,
                                      .trans = form % 2 ? GABLE_CONJ_TRANS : GABLE_NO_TRANS,
                                      .diag = GABLE_UNIT,
                                      .conj = gbl_dtype_complex(dtype),
                                      .storage = GBL_BAND,
                                      .m = n,
                                      .n = n,
                                      .kl = k,
                                      .ku = k,
                                      .lda = 2 * k + 1,
                                      .incx = 1,
                                      .incy = 1};
        gbl_kernel_spec spec, finish;
        if (strcmp(use->file, "band_save.cl") == 0)
            gbl_band_save_kernel(dtype, &spec);
        else if (once)
            gbl_sbmv_once_kernels(&call, params, &device, &spec, &finish);
        else
            gbl_band_kernel(variant, &call, params, &device, &spec);
        compile_once(source, strcmp(use->file, "sbmv_finish.cl") == 0 ? &finish : &spec, arch);
    }
}

static void forms(const char *source, const kernel_use *use, gbl_dtype dtype,
                  const gbl_params *params, const char *arch)
{
    if (use->kind == MIRRORED) {
        symmetric_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == TWICE) {
        twice_forms(source, dtype, params, arch);
        return;
    }
    if (use->kind == TRIANGLE) {
        triangle_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == BAND) {
        band_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == MATRIX) {
        matrix_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == UPDATE) {
        update_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == BLOCKS) {
        block_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == BATCHED) {
        batched_forms(source, use, dtype, params, arch);
        return;
    }
    if (use->kind == PLANE || use->kind == ROOF) {
        gbl_kernel_spec list[PLANE_SPECS + ROOF_SPECS];
        const int count = use->kind == PLANE ? plane_specs(use->file, dtype, params, list)
                                             : roof_specs(use->file, dtype, list);
        for (int i = 0; i < count; i++)
            compile_once(source, &list[i], arch);
        return;
    }
    if (use->kind == STREAM) {
        stream_forms(source, use, dtype, params, arch);
        return;
    }
    gbl_kernel_spec spec;
    memset(&spec, 0, sizeof spec);
    spec.file = use->file;
    spec.dtype = dtype;
    if (use->kind == GROUP)
        gbl_kernel_add_macro(&spec, "WX", params->value[STREAM_LOCAL]);
    finish_spec(source, use, &spec, params, true, arch);
}

/* The sets of tunables a GPU may be given: the fallbacks, and the built-in lines of its family
 * ("sm_90" for sm_90a) and of all GPUs. */
static int tunables(const kernel_use *use, gbl_dtype dtype, const char *arch, gbl_params *list,
                    int most)
{
    int count = 1;
    memset(list, 0, sizeof *list);
    for (int i = 0; i < use->op->variant_count; i++)
        if (strcmp(use->op->variants[i].name, use->variant) == 0)
            gbl_params_fallback(&use->op->variants[i], &list[0]);
    int lines;
    const gbl_builtin *builtin = gbl_builtins(use->op, &lines);
    for (int i = 0; i < lines; i++) {
        const char *family = builtin[i].family;
        const bool gpu = strcmp(family, "gpu") == 0 || strncmp(family, arch, strlen(family)) == 0;
        if (gpu && builtin[i].dtype == dtype &&
            strcmp(builtin[i].variant->name, use->variant) == 0 && count < most)
            list[count++] = builtin[i].params;
    }
    return count;
}

static void all_uses(const char *file)
{
    const bool all = test_all();
    bool known = false;
    char *source = NULL;
    gbl_message message = {NULL, ""};
    test_case("%s", file);
    const gable_status status = gbl_kernel_source(file, &source, &message);
    CHECK(status == GABLE_OK, "no source: %s", message.text);
    for (size_t u = 0; status == GABLE_OK && u < sizeof uses / sizeof uses[0]; u++) {
        const kernel_use *use = &uses[u];
        if (strcmp(use->file, file) != 0)
            continue;
        known = true;
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            gbl_params list[16];
            const bool narrow = dtype == GBL_S || dtype == GBL_C;
            if (!(use->dtypes >> dtype & 1))
                continue;
            const bool widest = use->dtypes >> dtype == 1;
            for (size_t a = widest || all ? 0 : 1; a < sizeof archs / sizeof archs[0]; a++) {
                const int count = tunables(use, (gbl_dtype)dtype, archs[a], list, 16);
                for (int i = 0; i < ((narrow || a == 0) && !all ? 1 : count); i++)
                    forms(source, use, (gbl_dtype)dtype, &list[i], archs[a]);
            }
        }
    }
    CHECK(known, "%s is not in this test's table", file);
    CHECK(source_count < MAX_FILES, "more than %d kernel files", MAX_FILES);
    if (source_count < MAX_FILES)
        sources[source_count++] = source; /* the jobs read it */
}

static void check_jobs(void)
{
    int cached = 0;
    compile_all(jobs, job_count, NVRTC_REPORTS);
    for (int i = 0; i < job_count; i++) {
        gbl_macro_list macros;
        char text[320] = "";
        gbl_kernel_macros(&jobs[i].spec, &macros);
        for (int k = 0; macros.list[k] != NULL; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), " %s", macros.list[k]);
        test_case("%s %s%s", jobs[i].spec.file, jobs[i].arch, text);
        CHECK(jobs[i].good, "%s", jobs[i].why);
        cached += jobs[i].cached;
    }
    printf("%d kernels: %d compiled, %d as compiled before\n", job_count, job_count - cached,
           cached);
}

int main(void)
{
    int major = 0, minor = 0;
    gbl_message message = {NULL, ""};
    test_start("test_nvrtc");
    if (gbl_nvrtc_version(&major, &minor, &message) != GABLE_OK)
        test_skip("nvrtc", "NVRTC cannot be used: %s", message.text);
    printf("NVRTC %d.%d\n", major, minor);
    for (const gbl_kernel_text *text = gbl_kernel_texts; text->file != NULL; text++) {
        const char *dot = strrchr(text->file, '.');
        if (dot != NULL && (strcmp(dot, ".cl") == 0 || strcmp(dot, ".cu") == 0))
            all_uses(text->file);
    }
    check_jobs();
    for (int i = 0; i < source_count; i++)
        free(sources[i]);
    free(jobs);
    return test_finish();
}
