/* inspect.c: `gable inspect`: what the compiler made of a kernel. Needs NVRTC, but no GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The macros are those that the choice for a long, aligned vector, or for a large matrix with aligned
 * columns, gives on the architecture; --set changes them. A kernel that belongs to no op by its name (read)
 * gets the copy's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "args.h"
#include "blas/level2.h"
#include "blas/stream_plan.h"
#include "command.h"
#include "core/context.h"
#include "core/kernel_table.h"
#include "disassemble.h"
#include "inspection.h"
#include "names.h"

#define LONG_VECTOR  100000000
#define MANY_VECTORS 50 /* for the ops that take several */
#define LARGE_MATRIX 10240
#define FILE_BYTES   INSPECTION_FILE_BYTES

static const char *asked_arch, *asked_precision = "d", *asked_macros;
static bool asked_json, asked_ptx;

static const args_option options[] = {
    {"--arch", "A",
     "the architecture, such as sm_80 or sm_90a (default: that of the first\n"
     "CUDA device, else sm_90a)",
     &asked_arch, NULL},
    {"--prec", "P", "the precision: s, d, c or z (default d)", &asked_precision, NULL},
    {"--set", "LIST",
     "macros such as WX=256,VEC=2 (default: as tuned for the architecture);\n"
     "the listing shows all of them",
     &asked_macros, NULL},
    {"--ptx", NULL, "prints the PTX instead", NULL, &asked_ptx},
    {"--json", NULL, "one JSON object on one line", NULL, &asked_json},
};
const args_command inspect_args = {
    "inspect",
    "registers, occupancy and instruction mix of a kernel; needs no GPU",
    "KERNEL [options]",
    "Compiles a kernel as it would run and shows registers, shared memory, spills, the\n"
    "occupancy that follows from them, and its instructions by what they do. KERNEL is a\n"
    "file of kernels/ without its ending: dot, copy. Needs NVRTC, but no GPU.",
    options,
    sizeof options / sizeof options[0],
    "  gable inspect dot\n"
    "  gable inspect nrm2 --arch sm_80 --prec z --set WX=512,UNROLL=2\n",
};

/* ---- What to compile ---- */

void inspect_kernels(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        const char *dot = strrchr(entry->file, '.');
        const size_t used = strlen(text);
        if (dot != NULL && strcmp(dot, ".h") != 0)
            snprintf(text + used, text_bytes - used, "%s%.*s", used > 0 ? ", " : "",
                     (int)(dot - entry->file), entry->file);
    }
}

static bool find_kernel(const char *stem, char file[FILE_BYTES])
{
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        const char *dot = strrchr(entry->file, '.');
        if (dot == NULL || strcmp(dot, ".h") == 0 || strlen(stem) != (size_t)(dot - entry->file) ||
            strncmp(entry->file, stem, strlen(stem)) != 0)
            continue;
        snprintf(file, FILE_BYTES, "%s", entry->file);
        return true;
    }
    return false;
}

static int refuse_kernel(const char *word, const char *names)
{
    char hint[64];
    nearest best = {.text = ""};
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        char stem[FILE_BYTES];
        snprintf(stem, sizeof stem, "%.*s", (int)strcspn(entry->file, "."), entry->file);
        if (strcmp(entry->file + strcspn(entry->file, "."), ".h") != 0)
            nearest_try(&best, word, stem);
    }
    nearest_sentence(&best, hint, sizeof hint);
    return args_refuse(&inspect_args, "there is no kernel \"%s\"; %skernels are %s", word, hint,
                       names);
}

static void find_arch(char arch[GBL_NVRTC_ARCH_BYTES])
{
    snprintf(arch, GBL_NVRTC_ARCH_BYTES, "%s", asked_arch != NULL ? asked_arch : "sm_90a");
    for (int i = 0; asked_arch == NULL && i < gable_device_count(); i++) {
        gable_device_info info;
        if (gable_device_describe(i, &info) == GABLE_OK && info.usable && info.arch[0] != '\0') {
            snprintf(arch, GBL_NVRTC_ARCH_BYTES, "%.*s", GBL_NVRTC_ARCH_BYTES - 1, info.arch);
            return;
        }
    }
}

/* The op that a kernel works for: dot_finish for dot. */
static const gbl_op *op_of(const char *stem)
{
    for (const gbl_op *const *op = gbl_op_list(); *op != NULL; op++) {
        const size_t length = strlen((*op)->stem);
        if (strncmp((*op)->stem, stem, length) == 0 &&
            (stem[length] == '\0' || stem[length] == '_'))
            return *op;
    }
    return gbl_op_find("copy");
}

static int set_macro(gbl_kernel_spec *spec, gbl_params *params, const char *name, int32_t value)
{
    static const struct {
        const char *macro;
        int param;
    } tunables[] = {{"WX", STREAM_LOCAL},
                    {"VEC", STREAM_VEC},
                    {"UNROLL", STREAM_UNROLL},
                    {"RANGE", STREAM_RANGE}};
    for (size_t i = 0; i < sizeof tunables / sizeof tunables[0]; i++)
        if (strcmp(tunables[i].macro, name) == 0)
            params->value[tunables[i].param] = value;
    for (int i = 0; i < spec->macro_count; i++) {
        if (strcmp(spec->macros[i].name, name) == 0) {
            spec->macros[i].value = value;
            return EXIT_DONE;
        }
    }
    char known[256] = "";
    for (int i = 0; i < spec->macro_count; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "",
                 spec->macros[i].name);
    }
    return args_refuse(&inspect_args, "--set names \"%s\"; macros are %s", name, known);
}

/* Reads --set into the spec and, for tunables, into the parameters. */
static int read_macros(gbl_kernel_spec *spec, gbl_params *params)
{
    for (const char *at = asked_macros; at != NULL && *at != '\0';) {
        char name[32], *end = NULL;
        const size_t length = strcspn(at, "=,");
        const long value = at[length] == '=' ? strtol(at + length + 1, &end, 10) : 0;
        if (length == 0 || length >= sizeof name || end == NULL || end == at + length + 1 ||
            (*end != ',' && *end != '\0') || value < 0 || value > 65536)
            return args_refuse(&inspect_args,
                               "--set has \"%s\"; it takes a list such as WX=256,VEC=2",
                               asked_macros);
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const int code = set_macro(spec, params, name, (int32_t)value);
        if (code != EXIT_DONE)
            return code;
        at = end + (*end == ',');
    }
    return EXIT_DONE;
}

/* A device with no more than what the choice and the plan of a kernel look at. */
static void pretend_device(const char *arch, gbl_device *device)
{
    memset(device, 0, sizeof *device);
    device->table = &gbl_cuda_table;
    device->props.is_gpu = true;
    device->props.fence_device = true;
    device->props.units = 132; /* the number of groups does not change the code */
    device->props.simd = 32;
    device->props.max_group = 1024;
    const char *number = strchr(arch, '_');
    snprintf(device->props.family, sizeof device->props.family, "sm_%d",
             number != NULL ? atoi(number + 1) : 0);
}

/* The batch of ops that take several vectors; 0 for others. */
static int32_t batch_of(const gbl_choice *choice)
{
    const int index = gbl_param_index(choice->variant, "batch");
    return index >= 0 ? choice->params.value[index] : 0;
}

static int32_t tunable(const gbl_choice *choice, const char *name)
{
    const int index = gbl_param_index(choice->variant, name);
    return index >= 0 ? choice->params.value[index] : 1;
}

/* The macros of gemv_n and gemv_t for columns that all start on aligned addresses. */
static int make_matrix_spec(inspection *seen, gbl_dtype dtype, gable_context *pretended,
                            const gbl_op *op, bool transposed)
{
    static _Alignas(64) double A[1]; /* its alignment is looked at, not its contents */
    const gbl_matrix_call call = {.dtype = dtype,
                                  .trans = transposed ? GABLE_TRANS : GABLE_NO_TRANS,
                                  .m = LARGE_MATRIX,
                                  .n = LARGE_MATRIX,
                                  .A = A,
                                  .lda = LARGE_MATRIX,
                                  .x = A,
                                  .incx = 1,
                                  .y = A,
                                  .incy = 1};
    gbl_choice choice = {NULL, {{0}}};
    if (gbl_op_choose(pretended, op, &call, &choice) != GABLE_OK)
        return args_fail(&inspect_args, "%s", gable_message(pretended));
    const int32_t elem = (int32_t)gbl_dtype_bytes(dtype), items = tunable(&choice, "items"),
                  wx = tunable(&choice, "wx"), vec = tunable(&choice, "vec");
    const int32_t align = vec * elem < 16 ? vec * elem : 16;
    memset(&seen->spec, 0, sizeof seen->spec);
    seen->spec.file = seen->file;
    seen->spec.dtype = dtype;
    gbl_kernel_add_macro(&seen->spec, "ITEMS", items);
    gbl_kernel_add_macro(&seen->spec, "WX", wx < items ? wx : items);
    gbl_kernel_add_macro(&seen->spec, "VEC", vec);
    gbl_kernel_add_macro(&seen->spec, "UNROLL", tunable(&choice, "unroll"));
    gbl_kernel_add_macro(&seen->spec, "ALIGN", align);
    if (transposed) {
        gbl_kernel_add_macro(&seen->spec, "BATCH", tunable(&choice, "batch"));
        gbl_kernel_add_macro(&seen->spec, "CONJ", 0);
        gbl_kernel_add_macro(&seen->spec, "X_STRIDED", 0);
        gbl_kernel_add_macro(&seen->spec, "X_ALIGN", align);
    } else {
        gbl_kernel_add_macro(&seen->spec, "SPREAD", 0);
    }
    const int code = read_macros(&seen->spec, &choice.params);
    gbl_kernel_entry(&seen->spec, seen->entry);
    return code;
}

static int make_spec(inspection *seen, gbl_dtype dtype)
{
    gable_context *hooks = NULL;
    gbl_device device;
    gbl_choice choice = {NULL, {{0}}};
    gbl_stream plan;
    /* Opening any device puts the ops and the choice into place; a context on the pretended one
     * does not exist, so only its choice is asked. */
    if (gable_open(&hooks, "cpu") != GABLE_OK) {
        const int code = args_fail(&inspect_args, "%s", gable_message(hooks));
        gable_close(hooks);
        return code;
    }
    gable_close(hooks);
    gable_context *pretended = calloc(1, sizeof *pretended);
    if (pretended == NULL)
        return args_fail(&inspect_args, "no host memory");
    pretend_device(seen->arch, &device);
    pretended->device = &device;
    static _Alignas(64) double x[1], y[1]; /* their alignment is looked at, not their contents */
    char stem[FILE_BYTES];
    snprintf(stem, sizeof stem, "%.*s", (int)strcspn(seen->file, "."), seen->file);
    const gbl_op *op = op_of(stem);
    if (strcmp(op->stem, "gemv") == 0) {
        const int made = make_matrix_spec(seen, dtype, pretended, op, strcmp(stem, "gemv_t") == 0);
        free(pretended);
        return made;
    }
    const bool one_vector = strncmp(stem, "nrm2", 4) == 0 || strcmp(stem, "read") == 0;
    const gbl_vector_call call = {.dtype = dtype,
                                  .n = LONG_VECTOR,
                                  .x = x,
                                  .incx = 1,
                                  .count = MANY_VECTORS,
                                  .ldx = LONG_VECTOR,
                                  .y = one_vector ? NULL : y,
                                  .incy = one_vector ? 0 : 1};
    int code = EXIT_DONE;
    if (gbl_op_choose(pretended, op, &call, &choice) != GABLE_OK)
        code = args_fail(&inspect_args, "%s", gable_message(pretended));
    free(pretended);
    if (code != EXIT_DONE)
        return code;

    /* Twice: the list of macros is needed to read --set, and what it says changes the plan. */
    for (int pass = 0; code == EXIT_DONE && pass < 2; pass++) {
        gbl_stream_plan(&call, &choice.params, &device, 0, &plan);
        gbl_stream_kernel(seen->file, dtype, &plan, &choice.params, &seen->spec);
        gbl_kernel_add_macro(&seen->spec, "ONE_PASS", 1);
        gbl_kernel_add_macro(&seen->spec, "CONJ", 0);
        if (batch_of(&choice) > 0) {
            gbl_kernel_add_macro(&seen->spec, "BATCH", batch_of(&choice));
            gbl_kernel_add_macro(&seen->spec, "ON_DEVICE", 1);
        }
        code = read_macros(&seen->spec, &choice.params);
    }
    gbl_kernel_entry(&seen->spec, seen->entry);
    return code;
}

/* ---- Compiling and reading ---- */

static int macro_value(const gbl_kernel_spec *spec, const char *name)
{
    for (int i = 0; i < spec->macro_count; i++)
        if (strcmp(spec->macros[i].name, name) == 0)
            return spec->macros[i].value;
    return 0;
}

static gable_status compile(inspection *seen, gbl_message *message)
{
    char *source = NULL;
    gbl_macro_list macros;
    TRY(gbl_kernel_source(seen->file, &source, message));
    gbl_kernel_macros(&seen->spec, &macros);
    const gable_status status =
        gbl_nvrtc_compile(source, macros.list, seen->arch, true, &seen->product, message);
    free(source);
    TRY(status);
    seen->has_resources =
        gbl_nvrtc_read_resources(seen->product.log, seen->entry, &seen->resources);
    const int items =
        macro_value(&seen->spec, "ITEMS"); /* of kernels whose WX is a part of a group */
    seen->has_occupancy =
        seen->has_resources &&
        occupancy_of(seen->arch, seen->resources.registers, seen->resources.local_bytes,
                     items > 0 ? items : macro_value(&seen->spec, "WX"), &seen->occupancy);
    seen->has_ptx_mix =
        seen->product.ptx != NULL && mix_of_ptx(seen->product.ptx, seen->entry, &seen->ptx_mix);
    seen->no_sass = "this architecture gives PTX only";
    if (seen->product.is_ptx)
        return GABLE_OK;
    char *listing = disassemble(seen->product.image, seen->product.image_bytes, &seen->no_sass);
    if (listing != NULL) {
        seen->has_sass_mix = mix_of_sass(listing, seen->entry, &seen->sass_mix);
        seen->no_sass = "the disassembler's listing does not show the kernel";
    }
    free(listing);
    return GABLE_OK;
}

int inspect_command(int argc, char **argv)
{
    static inspection seen;
    args_words words;
    char names[NAMES_BYTES];
    gbl_message message = {NULL, ""};
    int code = args_parse(&inspect_args, argc, argv, &words);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    inspect_kernels(names, sizeof names);
    if (words.count != 1)
        return args_refuse(&inspect_args, "needs one kernel: %s", names);
    if (!find_kernel(words.word[0], seen.file))
        return refuse_kernel(words.word[0], names);
    static const char letters[] = "sdcz";
    const char *letter = strchr(letters, asked_precision[0]);
    if (asked_precision[1] != '\0' || letter == NULL)
        return args_refuse(&inspect_args, "--prec is \"%s\"; it must be s, d, c or z",
                           asked_precision);
    find_arch(seen.arch);
    if (strncmp(seen.arch, "sm_", 3) != 0 && strncmp(seen.arch, "compute_", 8) != 0)
        return args_refuse(&inspect_args, "--arch is \"%s\"; it must look like sm_80 or sm_90a",
                           seen.arch);
    code = make_spec(&seen, (gbl_dtype)(letter - letters));
    if (code != EXIT_DONE)
        return code;
    if (compile(&seen, &message) != GABLE_OK)
        return args_fail(&inspect_args, "%s", message.text);
    if (asked_ptx)
        fputs(seen.product.ptx != NULL ? seen.product.ptx : "", stdout);
    else
        inspection_show(&seen, asked_json);
    gbl_nvrtc_product_free(&seen.product);
    return EXIT_DONE;
}
