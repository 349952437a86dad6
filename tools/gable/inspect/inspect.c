/* inspect.c: `gable inspect`: what the compiler made of a kernel. Needs NVRTC, but no GPU.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The macros are those of a call on a pretended GPU of the architecture: calls of the ops are tried
 * until one would run the kernel (dry_run.h). --set changes them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "gable/args.h"
#include "gable/command.h"
#include "core/kernel_table.h"
#include "disassemble.h"
#include "dry_run.h"
#include "inspection.h"
#include "gable/names.h"

#define FILE_BYTES   INSPECTION_FILE_BYTES
#define MOST_SETTING 65536

static const char *asked_arch, *asked_macros;
static int asked_precision = -1; /* a gbl_dtype; -1: not given */
static bool asked_json, asked_ptx;

static const args_option options[] = {
    {.name = "--arch",
     .value = "A",
     .help = "the architecture, such as sm_80 or sm_90a (default: that of the first\n"
             "CUDA device, else sm_90a)",
     .text = &asked_arch,
     .words = "sm_80, sm_86, sm_89, sm_90, sm_90a"},
    {.name = "--prec",
     .value = "P",
     .help = "the precision: s, d, c or z (default d, else the first it has)",
     .word = &asked_precision,
     .words = "s, d, c or z"},
    {.name = "--set",
     .value = "LIST",
     .help = "macros such as WX=256,VEC=2 (default: as tuned for the architecture);\n"
             "the listing shows all of them",
     .text = &asked_macros},
    {.name = "--ptx", .help = "prints the PTX instead", .flag = &asked_ptx},
    {.name = "--json", .help = "one JSON object on one line", .flag = &asked_json},
};
const args_command inspect_args = {
    .name = "inspect",
    .summary = "registers, occupancy and instruction mix of a kernel; needs no GPU",
    .usage = "KERNEL [options]",
    .about = "Compiles a kernel as it would run and shows registers, shared memory, spills, the\n"
             "occupancy that follows from them, and its instructions by what they do. KERNEL is a\n"
             "file of kernels/ without its ending: dot, copy. Needs NVRTC, but no GPU.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable inspect dot\n"
                "  gable inspect nrm2 --arch sm_80 --prec z --set WX=512,UNROLL=2\n",
};

/* ---- What to compile ---- */

/* Whether a file that ends so is a piece of kernels, not one. */
static bool is_piece(const char *end)
{
    return strcmp(end, ".h") == 0 || strcmp(end, ".cuh") == 0;
}

void inspect_kernels(char *text, size_t text_bytes)
{
    text[0] = '\0';
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        const char *dot = strrchr(entry->file, '.');
        const size_t used = strlen(text);
        if (dot != NULL && !is_piece(dot))
            snprintf(text + used, text_bytes - used, "%s%.*s", used > 0 ? ", " : "",
                     (int)(dot - entry->file), entry->file);
    }
}

static bool find_kernel(const char *stem, char file[FILE_BYTES])
{
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        const char *dot = strrchr(entry->file, '.');
        if (dot == NULL || is_piece(dot) || strlen(stem) != (size_t)(dot - entry->file) ||
            strncmp(entry->file, stem, strlen(stem)) != 0)
            continue;
        snprintf(file, FILE_BYTES, "%s", entry->file);
        return true;
    }
    return false;
}

static int refuse_kernel(const char *word)
{
    char hint[64];
    nearest best = {.text = ""};
    for (const gbl_kernel_text *entry = gbl_kernel_texts; entry->file != NULL; entry++) {
        char stem[FILE_BYTES];
        snprintf(stem, sizeof stem, "%.*s", (int)strcspn(entry->file, "."), entry->file);
        if (!is_piece(entry->file + strcspn(entry->file, ".")))
            nearest_try(&best, word, stem);
    }
    nearest_sentence(&best, hint, sizeof hint);
    return args_refuse(&inspect_args,
                       "there is no kernel \"%s\"; %s`gable help --list kernels` lists them", word,
                       hint);
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

/* ---- --set ---- */

typedef struct setting {
    char name[DRY_NAME_BYTES];
    int32_t value;
} setting;

static int macro_index(const dry_kernel *kernel, const char *name)
{
    for (int i = 0; i < kernel->macro_count; i++)
        if (strcmp(kernel->names[i], name) == 0)
            return i;
    return -1;
}

static int refuse_macro(const dry_kernel *kernel, const char *name)
{
    char known[GBL_MAX_MACROS * DRY_NAME_BYTES] = "";
    for (int i = 0; i < kernel->macro_count; i++) {
        const size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", kernel->names[i]);
    }
    return kernel->macro_count == 0
               ? args_refuse(&inspect_args, "--set names \"%s\"; the kernel has no macros", name)
               : args_refuse(&inspect_args, "--set names \"%s\"; macros are %s", name, known);
}

/* Reads one "WX=256" and moves on behind it; false: it is none. */
static bool read_setting(const char **at, setting *one)
{
    const size_t length = strcspn(*at, "=,");
    if (length == 0 || length >= sizeof one->name || (*at)[length] != '=')
        return false;
    const char *number = *at + length + 1;
    char *end;
    const long value = strtol(number, &end, 10);
    if (end == number || (*end != ',' && *end != '\0') || value < 0 || value > MOST_SETTING)
        return false;
    snprintf(one->name, sizeof one->name, "%.*s", (int)length, *at);
    one->value = (int32_t)value;
    *at = end + (*end == ',');
    return true;
}

/* The tunable that a macro comes from, by its name in lower case, or -1. Kernels of vectors call
 * the group's size WX, which is their tunable `local`. */
static int tunable_of(const gbl_variant *variant, const char *macro)
{
    char name[DRY_NAME_BYTES];
    size_t i = 0;
    for (; macro[i] != '\0'; i++)
        name[i] = (char)tolower((unsigned char)macro[i]);
    name[i] = '\0';
    const int index = gbl_param_index(variant, name);
    return index < 0 && strcmp(name, "wx") == 0 ? gbl_param_index(variant, "local") : index;
}

/* A value that the tunable may have, so that the plan can be made with it. */
static bool legal(const gbl_param *tunable, int32_t value)
{
    for (int i = 0; i < tunable->count; i++)
        if (tunable->values[i] == value)
            return true;
    return false;
}

/* Applies --set: what is a tunable is planned with, as other macros may follow from it; then every
 * macro named has the value asked for. */
static int apply_settings(gable_context *ctx, dry_found *found)
{
    gbl_params params = found->choice.params;
    bool planned = false;
    setting one;
    for (const char *at = asked_macros; at != NULL && *at != '\0';) {
        if (!read_setting(&at, &one))
            return args_refuse(&inspect_args,
                               "--set has \"%s\"; it takes a list such as WX=256,VEC=2",
                               asked_macros);
        if (macro_index(&found->kernel, one.name) < 0)
            return refuse_macro(&found->kernel, one.name);
        const gbl_variant *variant = found->choice.variant;
        const int index = variant != NULL ? tunable_of(variant, one.name) : -1;
        if (index >= 0 && legal(&variant->space[index], one.value)) {
            params.value[index] = one.value;
            planned = true;
        }
    }
    if (planned)
        dry_run_again(ctx, &params, found);
    for (const char *at = asked_macros; at != NULL && read_setting(&at, &one);) {
        const int index = macro_index(&found->kernel, one.name);
        if (index >= 0)
            found->kernel.values[index] = one.value;
    }
    return EXIT_DONE;
}

/* ---- The dry run ---- */

static const char letters[] = "sdcz"; /* in the order of gbl_dtype */

/* The kernel in the precision asked for; without one in d, else in the first that it has. */
static int find_call(gable_context *ctx, const char *file, gbl_dtype *dtype, dry_found *found)
{
    char others[16] = "";
    *dtype = asked_precision >= 0 ? (gbl_dtype)asked_precision : GBL_D;
    if (dry_run_find(ctx, file, *dtype, found))
        return EXIT_DONE;
    for (int i = 0; letters[i] != '\0'; i++) {
        if ((gbl_dtype)i == *dtype || !dry_run_find(ctx, file, (gbl_dtype)i, found))
            continue;
        if (asked_precision < 0) {
            *dtype = (gbl_dtype)i;
            return EXIT_DONE;
        }
        const size_t used = strlen(others);
        snprintf(others + used, sizeof others - used, "%s%c", used > 0 ? ", " : "", letters[i]);
    }
    if (others[0] != '\0')
        return args_refuse(&inspect_args, "--prec is \"%c\"; the kernel %.*s exists only in %s",
                           letters[asked_precision], (int)strcspn(file, "."), file, others);
    return args_fail(
        &inspect_args,
        "none of the calls that are tried runs the kernel %s, so its macros are unknown; "
        "add such a form to tools/gable/inspect/call_forms.c",
        file);
}

static int make_spec(inspection *seen)
{
    static dry_found found;
    gable_context *ctx = NULL;
    gbl_dtype dtype;
    int code = dry_open(&ctx, seen->arch) == GABLE_OK
                   ? EXIT_DONE
                   : args_fail(&inspect_args, "%s", gable_message(ctx));
    if (code == EXIT_DONE)
        code = find_call(ctx, seen->file, &dtype, &found);
    if (code == EXIT_DONE)
        code = apply_settings(ctx, &found);
    dry_close(ctx);
    if (code != EXIT_DONE)
        return code;
    seen->kernel = found.kernel;
    memset(&seen->spec, 0, sizeof seen->spec);
    seen->spec.file = seen->file;
    seen->spec.dtype = dtype;
    seen->spec.macro_count = seen->kernel.macro_count;
    for (int i = 0; i < seen->kernel.macro_count; i++) {
        seen->spec.macros[i].name = seen->kernel.names[i];
        seen->spec.macros[i].value = seen->kernel.values[i];
    }
    gbl_kernel_entry(&seen->spec, seen->entry);
    return EXIT_DONE;
}

/* ---- Compiling and reading ---- */

/* Work-items per group as the kernel was compiled for, which --set may have changed; else as
 * launched. */
static int group_items(const inspection *seen)
{
    static const char word[] = ".maxntid ";
    const char *bound = seen->product.ptx != NULL ? strstr(seen->product.ptx, word) : NULL;
    if (bound == NULL)
        return seen->kernel.items;
    long items = 1;
    char *end;
    for (const char *at = bound + strlen(word);; at = end + 1) {
        items *= strtol(at, &end, 10);
        if (*end != ',')
            return (int)items;
    }
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
    seen->has_occupancy = seen->has_resources && occupancy_of(seen->arch, seen->resources.registers,
                                                              seen->resources.local_bytes,
                                                              group_items(seen), &seen->occupancy);
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
    gbl_message message = {NULL, ""};
    int code = args_parse(&inspect_args, argc, argv, &words);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    if (words.count != 1)
        return args_refuse(&inspect_args, "needs one kernel, as in `gable inspect gemv_n`; `gable "
                                          "help --list kernels` lists them");
    if (!find_kernel(words.word[0], seen.file))
        return refuse_kernel(words.word[0]);
    find_arch(seen.arch);
    if (strncmp(seen.arch, "sm_", 3) != 0 && strncmp(seen.arch, "compute_", 8) != 0)
        return args_refuse(&inspect_args, "--arch is \"%s\"; it must look like sm_80 or sm_90a",
                           seen.arch);
    code = make_spec(&seen);
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
