/* test_nvrtc.c: every kernel compiles for NVIDIA's GPUs, without spilling registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs libnvrtc, no GPU. Each kernel is compiled in the four precisions for sm_80 and sm_90a, with
 * the tunables that the built-in table and the fallbacks give, in the forms that the host asks for:
 * aligned, misaligned and strided vectors, in one launch and in two, plain and conjugated. A kernel
 * file that this test does not know is a failure: add it to the table below.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/stream_plan.h"
#include "core/kernel_table.h"
#include "device/nvrtc.h"
#include "harness/check.h"
#include "tune/choose.h"

static const char *const archs[] = {"sm_80", "sm_90a"};

/* How a kernel file is launched. */
typedef struct kernel_use {
    const char *file;
    const char *stem, *variant; /* whose tunables it takes */
    int vectors;                /* 0: a finishing kernel, which only knows its group size */
    int one_pass;               /* the macro's value, or -1: it has none */
    bool conj;                  /* has the macro CONJ */
    bool only_double;
} kernel_use;

static const kernel_use uses[] = {
    {"copy.cl", "copy", "stream", 2, -1, false, false},
    {"axpy.cl", "axpy", "stream", 2, -1, false, false},
    {"dot.cl", "dot", "one_pass", 2, 1, true, false},
    {"dot.cl", "dot", "two_pass", 2, 0, true, false},
    {"dot_finish.cl", "dot", "two_pass", 0, -1, false, false},
    {"nrm2.cl", "nrm2", "one_pass", 1, 1, false, false},
    {"nrm2.cl", "nrm2", "two_pass", 1, 0, false, false},
    {"nrm2_finish.cl", "nrm2", "two_pass", 0, -1, false, false},
    {"read.cl", "copy", "stream", 1, -1, false, true},
};

static long compiled;

static void add_macro(gbl_kernel_spec *spec, const char *name, int32_t value)
{
    spec->macros[spec->macro_count].name = name;
    spec->macros[spec->macro_count].value = value;
    spec->macro_count++;
}

static void start_spec(gbl_kernel_spec *spec, const char *file, gbl_dtype dtype, int32_t local)
{
    memset(spec, 0, sizeof *spec);
    spec->file = file;
    spec->dtype = dtype;
    add_macro(spec, "WX", local);
}

static void compile(const char *source, const gbl_kernel_spec *spec, const char *arch)
{
    gbl_macro_list macros;
    gbl_nvrtc_product product = {NULL, 0, false, NULL, NULL};
    gbl_nvrtc_resources resources = {-1, -1, -1, -1};
    gbl_message message = {NULL, ""};
    char entry[GBL_ENTRY_BYTES], text[320] = "";
    gbl_kernel_macros(spec, &macros);
    gbl_kernel_entry(spec, entry);
    for (int i = 0; macros.list[i] != NULL; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %s", macros.list[i]);
    test_case("%s %s%s", spec->file, arch, text);
    const gable_status status =
        gbl_nvrtc_compile(source, macros.list, arch, true, &product, &message);
    CHECK(status == GABLE_OK, "%s: %.900s", gable_status_name(status), message.text);
    if (status == GABLE_OK) {
        compiled++;
        CHECK(product.image_bytes > 0 && !product.is_ptx, "no machine code");
        const bool told = gbl_nvrtc_read_resources(product.log, entry, &resources);
        CHECK(told, "the compiler's report does not name %s: %.900s", entry, product.log);
        CHECK(!told || resources.registers > 0, "%d registers", resources.registers);
        CHECK(!told || resources.spill_bytes == 0, "%d bytes are spilled, %d registers",
              resources.spill_bytes, resources.registers);
        CHECK(!told || resources.local_bytes <= 48 << 10, "%d bytes of shared memory",
              resources.local_bytes);
    }
    gbl_nvrtc_product_free(&product);
}

/* All forms of a kernel in one precision with one set of tunables. */
static void forms(const char *source, const kernel_use *use, gbl_dtype dtype,
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
    gbl_kernel_spec done[8];
    int done_count = 0;
    for (int form = 0; form < (use->only_double ? 1 : 4); form++) {
        const gbl_vector_call call = {.dtype = dtype,
                                      .n = 1000000,
                                      .x = (const void *)cases[form].x,
                                      .incx = cases[form].inc,
                                      .y = use->vectors > 1 ? (void *)cases[form].y : NULL,
                                      .incy = 1};
        gbl_stream plan;
        gbl_kernel_spec spec;
        gbl_stream_plan(&call, params, &device, 0, &plan);
        start_spec(&spec, use->file, dtype, plan.local);
        add_macro(&spec, "VEC", plan.vec);
        add_macro(&spec, "UNROLL", plan.unroll);
        add_macro(&spec, "RANGE", params->value[STREAM_RANGE]);
        add_macro(&spec, "STRIDED", plan.strided);
        add_macro(&spec, "ALIGN", plan.align);
        if (use->one_pass >= 0)
            add_macro(&spec, "ONE_PASS", use->one_pass);
        bool seen = false;
        for (int i = 0; i < done_count; i++)
            seen = seen || memcmp(&done[i], &spec, sizeof spec) == 0;
        if (seen)
            continue;
        done[done_count++] = spec;
        for (int conj = 0; conj < (use->conj && gbl_dtype_complex(dtype) ? 2 : 1); conj++) {
            gbl_kernel_spec full = spec;
            if (use->conj)
                add_macro(&full, "CONJ", conj);
            compile(source, &full, arch);
        }
    }
}

static void finishing(const char *source, const kernel_use *use, gbl_dtype dtype,
                      const gbl_params *params, const char *arch)
{
    gbl_kernel_spec spec;
    start_spec(&spec, use->file, dtype, params->value[STREAM_LOCAL]);
    compile(source, &spec, arch);
}

/* The sets of tunables a GPU may be given: the fallbacks, and the built-in rows of its family
 * ("sm_90" for sm_90a) and of all GPUs. */
static int tunables(const kernel_use *use, gbl_dtype dtype, const char *arch, gbl_params *list,
                    int most)
{
    int count = 1;
    memset(list, 0, sizeof *list);
    for (int i = 0; i < STREAM_PARAMS; i++)
        list[0].value[i] = gbl_stream_space[i].fallback;
    for (int row = 0; row < gbl_builtin_count; row++) {
        const gbl_builtin *builtin = &gbl_builtins[row];
        const bool gpu = strcmp(builtin->family, "gpu") == 0 ||
                         strncmp(builtin->family, arch, strlen(builtin->family)) == 0;
        if (!gpu || !(builtin->dtypes >> dtype & 1) || strcmp(builtin->stem, use->stem) != 0 ||
            strcmp(builtin->variant, use->variant) != 0)
            continue;
        bool seen = false;
        for (int i = 0; i < count; i++)
            seen = seen || memcmp(list[i].value, builtin->values, sizeof builtin->values) == 0;
        if (!seen && count < most)
            memcpy(list[count++].value, builtin->values, sizeof builtin->values);
    }
    return count;
}

static void all_uses(const char *file)
{
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
            if (use->only_double && dtype != GBL_D)
                continue;
            for (size_t a = 0; a < sizeof archs / sizeof archs[0]; a++) {
                const int count = tunables(use, (gbl_dtype)dtype, archs[a], list, 16);
                for (int i = 0; i < count; i++) {
                    if (use->vectors == 0)
                        finishing(source, use, (gbl_dtype)dtype, &list[i], archs[a]);
                    else
                        forms(source, use, (gbl_dtype)dtype, &list[i], archs[a]);
                }
            }
        }
    }
    CHECK(known, "%s is in no row of this test's table", file);
    free(source);
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
    printf("%ld kernels compiled\n", compiled);
    return test_finish();
}
