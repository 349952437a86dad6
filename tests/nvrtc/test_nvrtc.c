/* test_nvrtc.c: every kernel compiles for NVIDIA's GPUs, without spilling registers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Needs libnvrtc, no GPU. Nothing here names a routine. Every variant of every op is asked which
 * kernels it would run calls with (gbl_variant.specs): calls in all forms of the op's description
 * (call_forms.h), in the four precisions, with the tunables that the fallbacks and the built-in
 * lines give. Of the kernels that come of one set of tunables those are compiled that take the most
 * registers (spec_cover.h), and untuned in d and z also as many as show every value of every macro.
 * Kernels that belong to no op are in roof_specs.h and in the list of src/sparse. A kernel file
 * that nothing asks for is a failure.
 * Built-in lines are tried in d and z, whose registers are the most, and sm_80 in an op's widest
 * precision untuned;
 * with $GABLE_TEST_ALL everything is.
 * `make check` compiles of each file and architecture the one kernel with the largest macros; with
 * the argument "forms" (`make check-deep`) those above for sm_90a that no other one is as large as,
 * and of each file each precision and each value of each macro. Of files that known.txt lists both
 * compile a sample (known_kernels.h); with the argument "list" everything that both would compile
 * is compiled and becomes the list:
 *
 *     build/test_nvrtc list tests/nvrtc/known.txt
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/kernel_table.h"
#include "device/nvrtc.h"
#include "gable/inspect/call_forms.h"
#include "gemm_ladder.h"
#include "harness/check.h"
#include "nvrtc/compile_jobs.h"
#include "nvrtc/known_kernels.h"
#include "nvrtc/roof_specs.h"
#include "nvrtc/spec_cover.h"
#include "sparse/matrix/sparse_specs.h"
#include "tune/builtin.h"

#define MAX_FILES 1024
#define MAX_LINES 64 /* of a variant */

#define HOPPER "sm_90a"
static const char *const archs[] = {"sm_80", HOPPER};
#define WIDEST_ONLY 0 /* of archs: only the widest precision, untuned */

/* The argument "forms": all forms for sm_90a. */
static bool forms;

#define KNOWN_BYTES 200000 /* of the list */

/* ---- What is compiled, at the end ---- */

static struct {
    const char *file;
    char *source;
} programs[MAX_FILES];
static int program_count;
static compile_job *jobs;
static int job_count, job_room;

/* The program of a file; NULL: there is none. */
static const char *program_of(const char *file)
{
    gbl_message message = {NULL, ""};
    for (int i = 0; i < program_count; i++)
        if (strcmp(programs[i].file, file) == 0)
            return programs[i].source;
    char *source = NULL;
    const gable_status status = gbl_kernel_source(file, &source, &message);
    CHECK(status == GABLE_OK, "%s has no source: %s", file, message.text);
    CHECK(program_count < MAX_FILES, "more than %d kernel files", MAX_FILES);
    if (status != GABLE_OK || program_count == MAX_FILES)
        return NULL;
    programs[program_count].file = file;
    return programs[program_count++].source = source;
}

static void no_memory(void)
{
    CHECK(false, "no memory");
    exit(1);
}

/* Asks for a kernel unless it was asked for before, for this architecture. */
static void compile_once(const gbl_kernel_spec *spec, const char *arch)
{
    const char *source = program_of(spec->file);
    for (int i = 0; i < job_count; i++)
        if (jobs[i].arch == arch && spec_same(&jobs[i].spec, spec))
            return;
    if (source == NULL)
        return;
    if (job_count == job_room) {
        job_room = job_room > 0 ? 2 * job_room : 1024;
        jobs = realloc(jobs, (size_t)job_room * sizeof *jobs);
        if (jobs == NULL)
            no_memory();
    }
    jobs[job_count++] = (compile_job){.spec = *spec, .source = source, .arch = arch};
}

/* ---- What variants ask for ---- */

/* Only the properties of devices are looked at. The first is a GPU. A variant that fits nowhere on
 * it is for one whose groups cannot hand over, or for CPUs; its kernels compile for GPUs all the
 * same. The last has tensor maps. */
#define GPU                                                                                        \
    .is_gpu = true, .units = 132, .simd = 32, .max_group = 1024, .max_local_bytes = 48 << 10,      \
    .max_dynamic_local_bytes = 163 << 10, /* the less of the two architectures */                  \
        .cache_bytes = 50 << 20
#define HOPPER_GPU                                                                                 \
    .is_gpu = true, .fence_device = true, .units = 132, .simd = 32, .max_group = 1024,             \
    .max_local_bytes = 48 << 10, .max_dynamic_local_bytes = 227 << 10, .cache_bytes = 50 << 20,    \
    .max_cluster = 16, .max_tensor_maps = GBL_MAX_MAPS
static const gbl_device devices[] = {
    {.table = &gbl_cuda_table, .props = {.fence_device = true, .cooperative = true, GPU}},
    {.table = &gbl_cuda_table, .props = {GPU}},
    {.table = &gbl_cuda_table,
     .props = {.units = 8, .simd = 1, .max_group = 1024, .max_local_bytes = 48 << 10}},
    {.table = &gbl_cuda_table, .info.arch = HOPPER, .props = {HOPPER_GPU}},
};

/* A GPU of HOPPER with cooperative launches: variants that need them may have kernels of their own
 * for it. And the same without. */
static const gbl_device cooperative = {.table = &gbl_cuda_table,
                                       .info.arch = HOPPER,
                                       .props = {.cooperative = true, HOPPER_GPU}},
                        alone = {
                            .table = &gbl_cuda_table, .info.arch = HOPPER, .props = {HOPPER_GPU}};

/* Kernels for tensor maps are asked for, and compiled, for the architecture that has them only. */
static bool device_has(const gbl_device *device, const char *arch)
{
    return device->props.max_tensor_maps == 0 || strcmp(arch, HOPPER) == 0;
}

static bool one_architecture(const gbl_variant *variant)
{
    return strstr(variant->kernels, ".cu") != NULL;
}

/* Whether the model would consider tunables for a call: those that kernels for one architecture
 * start with do not serve all calls. */
static bool may_start(const gbl_variant *variant, const void *call, const gbl_params *params,
                      const gbl_device *device)
{
    uint64_t plan;
    return !one_architecture(variant) || variant->legal == NULL ||
           variant->legal(variant, call, params, device, &plan);
}

/* The kernels of all calls that fit, with one set of tunables; not those that also fit `other`,
 * unless it is NULL. */
static void ask(const gbl_op *op, const gbl_variant *variant, gbl_dtype dtype,
                const gbl_params *params, const gbl_device *device, const gbl_device *other,
                spec_list *list)
{
    const int form_total = form_count(op, dtype);
    for (int number = 0; number < form_total; number++) {
        form_call call;
        gbl_kernel_spec specs[GBL_MAX_SPECS];
        form_make(op, dtype, number, &call);
        if (!variant->fits(variant, &call, device) || !may_start(variant, &call, params, device) ||
            (other != NULL && variant->fits(variant, &call, other)))
            continue;
        const int count = variant->specs(variant, &call, params, device, specs);
        CHECK(count > 0 && count <= GBL_MAX_SPECS, "%s of %s gives %d kernels", variant->name,
              op->stem, count);
        for (int i = 0; i < count; i++) {
            CHECK(strstr(variant->kernels, specs[i].file) != NULL,
                  "%s of %s asks for %s, which its `kernels` do not name", variant->name, op->stem,
                  specs[i].file);
            if (!spec_add(list, &specs[i]))
                no_memory();
        }
    }
}

/* Returns how many there are: some variants do not exist in all precisions. */
static int compile_for(const gbl_op *op, const gbl_variant *variant, gbl_dtype dtype,
                       const gbl_params *params, bool values, const char *arch)
{
    spec_list list = {.count = 0};
    for (size_t i = 0; list.count == 0 && i < sizeof devices / sizeof devices[0]; i++)
        if (device_has(&devices[i], arch))
            ask(op, variant, dtype, params, &devices[i], NULL, &list);
    if (device_has(&cooperative, arch))
        ask(op, variant, dtype, params, &cooperative, &alone, &list);
    spec_cover(&list, values);
    for (int i = 0; i < list.count; i++)
        compile_once(&list.specs[i], arch);
    free(list.specs);
    return list.count;
}

/* C through local memory, also as only users and measurements choose it. */
static const gbl_params kept[] = {
    {{128, 128, 1, 1, 0, 1, 0, 1}}, {{128, 64, 1, 1, 0, 1, 2, 2}},  {{128, 128, 1, 1, 0, 1, 0, 2}},
    {{128, 256, 1, 1, 0, 1, 0, 1}}, {{256, 128, 1, 1, 0, 1, 0, 1}},
};

/* The sets of tunables a GPU may be given: the fallbacks, of kernels for one architecture those
 * that the model chooses between and some that it does not, and the built-in lines of its family
 * ("sm_90" for sm_90a) and of all GPUs. */
static int tunables(const gbl_op *op, const gbl_variant *variant, gbl_dtype dtype, const char *arch,
                    gbl_params list[MAX_LINES])
{
    int count = 1, lines;
    gbl_params_fallback(variant, &list[0]);
    if (one_architecture(variant))
        for (int i = 0; i < variant->start_count && count < MAX_LINES; i++)
            list[count++] = variant->starts[i];
    if (strcmp(variant->name, "pipeline") == 0)
        for (size_t i = 0; i < sizeof kept / sizeof kept[0] && count < MAX_LINES; i++)
            list[count++] = kept[i];
    const gbl_builtin *builtin = gbl_builtins(op, &lines);
    for (int i = 0; i < lines; i++) {
        const char *family = builtin[i].family;
        const bool gpu = strcmp(family, "gpu") == 0 || strncmp(family, arch, strlen(family)) == 0;
        bool there = !gpu || builtin[i].dtype != dtype || builtin[i].variant != variant;
        for (int j = 0; j < count && !there; j++) /* lines for many sizes share tunables */
            there = memcmp(&list[j], &builtin[i].params, sizeof list[j]) == 0;
        if (there)
            continue;
        CHECK(count < MAX_LINES, "%s of %s has more than %d lines", variant->name, op->stem,
              MAX_LINES);
        if (count < MAX_LINES)
            list[count++] = builtin[i].params;
    }
    return count;
}

static void all_of(const gbl_op *op, const gbl_variant *variant)
{
    const bool all = test_all();
    int found = 0;
    test_case("%s=%s", op->stem, variant->name);
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        const bool widest = dtype == GBL_Z || !gbl_op_has(op, (gbl_dtype)(dtype + 1)),
                   narrow = dtype % 2 == 0 && !widest; /* s and c, where there are d and z */
        if (!gbl_op_has(op, (gbl_dtype)dtype))
            continue;
        for (int a = all || (widest && !forms) ? 0 : 1; a < (int)(sizeof archs / sizeof archs[0]);
             a++) {
            gbl_params list[MAX_LINES];
            const int count = tunables(op, variant, (gbl_dtype)dtype, archs[a], list);
            const bool untuned = !all && (narrow || a == WIDEST_ONLY);
            for (int i = 0; i < (untuned ? 1 : count); i++) {
                /* Of shapes that exist for one architecture d and z take turns, but for the
                 * first. */
                if (!all && i > 0 && one_architecture(variant) && i % 2 != (dtype == GBL_Z))
                    continue;
                found += compile_for(op, variant, (gbl_dtype)dtype, &list[i],
                                     all || (i == 0 && !untuned), archs[a]);
            }
        }
    }
    CHECK(found > 0, "no call fits the variant %s of %s", variant->name, op->stem);
}

/* ---- All of them ---- */

/* Kernels that measure a device. */
static void measuring_kernels(void)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        gbl_kernel_spec list[ROOF_SPECS];
        const int count = roof_specs((gbl_dtype)dtype, list);
        for (int i = 0; i < count; i++)
            for (size_t a = 0; a < sizeof archs / sizeof archs[0]; a++)
                if (strcmp(list[i].file, "tf32.cu") != 0 || strcmp(archs[a], "sm_90a") == 0)
                    compile_once(&list[i], archs[a]);
    }
}

/* Kernels that make sparse matrices and solve with them. */
static void sparse_kernels(void)
{
    for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
        const int count = gbl_sparse_specs((gbl_dtype)dtype, NULL);
        gbl_kernel_spec *list = calloc((size_t)count, sizeof *list);
        if (list == NULL)
            no_memory();
        gbl_sparse_specs((gbl_dtype)dtype, list);
        for (int i = 0; i < count; i++)
            for (int a = test_all() || (dtype == GBL_Z && !forms) ? 0 : 1;
                 a < (int)(sizeof archs / sizeof archs[0]); a++)
                compile_once(&list[i], archs[a]);
        free(list);
    }
}

static void check_files(void)
{
    for (const gbl_kernel_text *text = gbl_kernel_texts; text->file != NULL; text++) {
        const char *dot = strrchr(text->file, '.');
        bool asked = dot == NULL || (strcmp(dot, ".cl") != 0 && strcmp(dot, ".cu") != 0);
        for (int i = 0; !asked && i < program_count; i++)
            asked = strcmp(programs[i].file, text->file) == 0;
        test_case("%s", text->file);
        CHECK(asked, "no variant and no roof asks for %s", text->file);
    }
}

/* How much a kernel's macros ask for: the widest precision first, then their product. */
static double weight(const gbl_kernel_spec *spec)
{
    double product = 1;
    for (int i = 0; i < spec->macro_count; i++)
        product *= spec->macros[i].value > 0 ? 1.0 + spec->macros[i].value : 1.0;
    return 1e60 * (double)spec->dtype + product;
}

/* Leaves one kernel of each file and architecture, the first of the heaviest. */
static void keep_heaviest(void)
{
    int kept_count = 0;
    for (int i = 0; i < job_count; i++) {
        bool heaviest = true;
        for (int j = 0; heaviest && j < job_count; j++) {
            const double difference = weight(&jobs[j].spec) - weight(&jobs[i].spec);
            heaviest = j == i || jobs[j].arch != jobs[i].arch ||
                       strcmp(jobs[j].spec.file, jobs[i].spec.file) != 0 || difference < 0 ||
                       (difference == 0 && j > i);
        }
        jobs[i].good = heaviest; /* until they are compiled */
    }
    for (int i = 0; i < job_count; i++)
        if (jobs[i].good)
            jobs[kept_count++] = jobs[i];
    job_count = kept_count;
}

/* Leaves of each file and architecture those that stand for all (spec_thin). */
static void keep_largest(void)
{
    compile_job *all = jobs;
    const int all_count = job_count;
    jobs = NULL;
    job_count = job_room = 0;
    for (int p = 0; p < program_count; p++)
        for (size_t a = 0; a < sizeof archs / sizeof archs[0]; a++) {
            spec_list list = {.count = 0};
            for (int i = 0; i < all_count; i++)
                if (all[i].arch == archs[a] && strcmp(all[i].spec.file, programs[p].file) == 0 &&
                    !spec_add(&list, &all[i].spec))
                    no_memory();
            spec_thin(&list);
            for (int i = 0; i < list.count; i++)
                compile_once(&list.specs[i], archs[a]);
            free(list.specs);
        }
    free(all);
    printf("%d kernels stand for %d\n", job_count, all_count);
}

/* Leaves what is not known to compile, and a sample. */
static void keep_unknown(void)
{
    static char list[KNOWN_BYTES];
    FILE *stream = fopen(NVRTC_KNOWN, "r");
    const size_t bytes = stream != NULL ? fread(list, 1, sizeof list - 1, stream) : 0;
    CHECK(bytes > 0 && bytes < sizeof list - 1, NVRTC_KNOWN " has %zu bytes", bytes);
    if (stream != NULL)
        fclose(stream);
    list[bytes] = '\0';
    const int all_count = job_count;
    job_count = known_leave_out(jobs, job_count, list);
    printf("%d of %d kernels: the others are known to compile\n", job_count, all_count);
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

/* The list of ops comes with the first context. */
static void list_ops(void)
{
    gable_context *ctx = NULL;
    CHECK_OK(ctx, gable_open(&ctx, "cpu"));
    gable_close(ctx);
}

/* The jobs of `make check` or, with `forms`, of `make check-deep`. */
static void collect(void)
{
    job_count = 0;
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++)
        for (int i = 0; i < (*op)->variant_count; i++) {
            const gbl_variant *variant = &(*op)->variants[i];
            CHECK((variant->kernels == NULL) == (variant->specs == NULL),
                  "%s=%s: `kernels` and `specs` belong together", (*op)->stem, variant->name);
            if (variant->specs != NULL)
                all_of(*op, variant);
        }
    measuring_kernels();
    sparse_kernels();
    check_files();
    if (!test_all() && !forms)
        keep_heaviest();
    else if (!test_all())
        keep_largest();
}

static void write_list(const char *path)
{
    FILE *stream = fopen(path, "w");
    CHECK(stream != NULL, "%s cannot be written", path);
    for (int with_forms = 0; stream != NULL && with_forms < 2; with_forms++) {
        forms = with_forms != 0;
        collect();
        check_jobs();
        known_write(jobs, job_count, stream);
    }
    CHECK(stream != NULL && fclose(stream) == 0, "%s is not written", path);
}

int main(int argc, char **argv)
{
    int major = 0, minor = 0;
    gbl_message message = {NULL, ""};
    test_start("test_nvrtc");
    CHECK(gemm_ladder_add(), "the rungs of gemm are not added");
    if (gbl_nvrtc_version(&major, &minor, &message) != GABLE_OK)
        test_skip("nvrtc", "NVRTC cannot be used: %s", message.text);
    printf("NVRTC %d.%d\n", major, minor);
    list_ops();
    if (argc > 2 && strcmp(argv[1], "list") == 0) {
        write_list(argv[2]);
    } else {
        forms = argc > 1 && strcmp(argv[1], "forms") == 0;
        collect();
        if (!test_all())
            keep_unknown();
        check_jobs();
    }
    for (int i = 0; i < program_count; i++)
        free(programs[i].source);
    free(jobs);
    return test_finish();
}
