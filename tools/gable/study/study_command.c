/* study_command.c: `gable study`: what to study, on what device, for how long.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdlib.h>
#include <string.h>
#include "core/context.h"
#include "core/data_folder.h"
#include "model/roofs.h"
#include "gable/command.h"
#include "gable/interrupt.h"
#include "gable/device_slug.h"
#include "gable/nearest.h"
#include "gable/roofs_wanted.h"
#include "study.h"
#include "study_latency.h"
#include "gable/terminal.h"
#include "gable/plural.h"

#define PORTABILITY_SECONDS 600.0
#define LATENCY_SECONDS     60.0
#define GPU_ELEMENTS        16000000 /* of a vector: far more than caches hold */
#define CPU_ELEMENTS        2000000
#define MOST_ELEMENTS       0x1p32
#define MOST_SECONDS        1e7

#define OF_PORTABILITY 1 /* a group of options */

static study asked;
static double asked_budget;
static int asked_prec = GBL_D;
static const char *asked_device, *asked_devices, *asked_out;
static bool asked_json;

static const args_option options[] = {
    {.name = "--device",
     .value = "D",
     .help = "cuda:0, opencl:0, opencl:pocl ... (default: the best)",
     .text = &asked_device},
    {.name = "--budget",
     .value = "TIME",
     .help = "how long to measure: 90, 90s, 10m or 1h (default 10m; latency 60s);\n"
             "says what was not reached; portability goes on there next time",
     .seconds = &asked_budget,
     .most = MOST_SECONDS},
    {.name = "--size",
     .value = "N",
     .help = "portability: elements of the vectors (default 2e6 on CPUs, 16e6 on GPUs)",
     .count = &asked.size,
     .least = 1,
     .most = MOST_ELEMENTS,
     .group = OF_PORTABILITY},
    {.name = "--prec",
     .value = "P",
     .help = "portability: s, d, c or z (default d)",
     .word = &asked_prec,
     .words = "s, d, c or z",
     .group = OF_PORTABILITY},
    {.name = "--devices",
     .value = "LIST",
     .help = "portability: A,B compares stored results of two devices, by the names\n"
             "of their files or the beginnings of them",
     .text = &asked_devices,
     .group = OF_PORTABILITY},
    {.name = "--out",
     .value = "FOLDER",
     .help = "where results and plots are kept (default: studies in the data folder)",
     .text = &asked_out},
    {.name = "--json", .help = "the results as one JSON object per line", .flag = &asked_json},
};
const args_command study_args = {
    .name = "study",
    .summary = "parameter and latency studies, with plots",
    .usage = "portability|latency [options]",
    .about = "portability: every configuration of the copy kernel, and the same ones for vector\n"
             "addition, inner product and matrix-vector product: does tuning the simplest kernel\n"
             "tune them all? latency: rate against occupancy with 1, 2, 4 and 8 independent\n"
             "operations per work-item, beside Little's law. Ctrl-C keeps what was measured.\n"
             "docs/studies.md explains both and the files.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable study portability --device opencl:pocl --budget 10m\n"
                "  gable study portability --devices cuda,opencl\n"
                "  gable study latency --json\n",
};

/* ---- The command line ---- */

static int refuse_study(const args_words *words)
{
    char hint[64];
    nearest best = {.text = ""};
    if (words->count == 0)
        return args_refuse(&study_args, "needs a study: portability or latency");
    if (words->count > 1)
        return args_refuse(&study_args, "takes one study, but got \"%s\" too", words->word[1]);
    nearest_try(&best, words->word[0], "portability");
    nearest_try(&best, words->word[0], "latency");
    nearest_sentence(&best, hint, sizeof hint);
    return args_refuse(&study_args, "there is no study \"%s\"; %sit is portability or latency",
                       words->word[0], hint);
}

/* ---- Portability ---- */

static int open_device(gable_context **ctx)
{
    if (gable_open(ctx, asked_device) != GABLE_OK)
        return args_fail(&study_args, "%s", gable_message(*ctx));
    if ((*ctx)->device->table->build == NULL)
        return args_fail(&study_args,
                         "%s has no kernels to study; take a device that has, cuda or opencl (also "
                         "opencl:pocl, which runs on any CPU), with --device",
                         (*ctx)->device->info.name);
    interrupt_watch(); /* a first Ctrl-C ends the study, a second the process */
    return EXIT_DONE;
}

/* The roofs that percentages are of: measured now unless they were before, undisturbed. */
static gable_status get_roofs(gable_context *ctx, study *s)
{
    gbl_roofs roofs;
    if (s->roof_copy > 0 && s->roof_read > 0)
        return GABLE_OK;
    TRY(roofs_wanted(ctx, &roofs, terminal_progress_now));
    s->roof_copy = 1e-9 * roofs.copy;
    s->roof_read = 1e-9 * roofs.read;
    return GABLE_OK;
}

static bool prepare(study *s, const gbl_device *device)
{
    char name[160];
    snprintf(s->device, sizeof s->device, "%.60s %.180s", device->info.name, device->info.title);
    device_slug(s->device, s->slug, sizeof s->slug);
    snprintf(name, sizeof name, "portability-%s.jsonl", s->slug);
    if (s->size == 0)
        s->size = device->props.is_gpu ? GPU_ELEMENTS : CPU_ELEMENTS;
    return study_path(asked_out, name, s->path);
}

/* Text, summaries in the file, plots. */
static int finish(study *s, const study_sweep *sweep)
{
    study_result result;
    char sentence[2 * STUDY_PATH_BYTES];
    if (!study_work_out(s, &result))
        return args_fail(&study_args, "no host memory");
    if (result.copys_best < 0)
        return interrupt_asked ? EXIT_STOPPED
                               : args_fail(&study_args,
                                           "no configuration of copy could be measured; %s "
                                           "has the reasons",
                                           s->path);
    char *lines = study_summary_lines(s, &result);
    const bool written = lines != NULL && gbl_data_append(s->path, lines);
    if (asked_json && lines != NULL)
        fputs(lines, stdout);
    free(lines);
    study_plot_portability(s, &result, sentence, sizeof sentence);
    if (!asked_json) {
        study_show(s, &result);
        printf("\nmeasurements are in %s\n%s\n", s->path, sentence);
    }
    if (s->bad_lines > 0)
        fprintf(stderr, "gable study: %d line%s of %s could not be read and %s skipped\n",
                s->bad_lines, PLURAL(s->bad_lines), s->path, s->bad_lines == 1 ? "was" : "were");
    if (!written)
        return args_fail(&study_args, "%s cannot be written; use --out", s->path);
    int wrong = 0;
    for (int op = 0; op < STUDY_OPS; op++)
        wrong += result.op[op].wrong;
    if (wrong > 0)
        return args_fail(&study_args, "%d configuration%s had wrong results%s%s", wrong,
                         PLURAL(wrong), sweep->wrong > 0 ? ", first " : "", sweep->wrong_text);
    return interrupt_asked ? EXIT_STOPPED : EXIT_DONE;
}

static int portability(double budget, study *s)
{
    gable_context *ctx = NULL;
    study_sweep sweep = {.s = s, .stop = &interrupt_asked};
    int code = open_device(&ctx);
    if (code == EXIT_DONE && !prepare(s, ctx->device))
        code = args_fail(&study_args, "neither XDG_DATA_HOME nor HOME says where to keep results; "
                                      "use --out");
    if (code == EXIT_DONE && !study_make(s))
        code = args_fail(&study_args, "no host memory");
    if (code == EXIT_DONE) {
        const bool found = study_load(s, false);
        if (found && s->commit[0] != '\0' && strcmp(s->commit, command_commit()) != 0)
            fprintf(stderr,
                    "gable study: goes on with what %s measured; delete %s to measure again\n",
                    s->commit, s->path);
        terminal_progress_start();
        sweep.ctx = ctx;
        sweep.start = terminal_now();
        sweep.deadline = sweep.start + budget;
        gable_status status = get_roofs(ctx, s);
        if (status == GABLE_OK && !found && !study_write_header(s, ctx->device))
            status = gbl_fail(&ctx->message, GABLE_DEVICE_FAILED, "%s cannot be written; use --out",
                              s->path);
        if (status == GABLE_OK)
            status = study_measure(&sweep);
        terminal_progress_erase();
        code = status == GABLE_OK ? finish(s, &sweep)
                                  : args_fail(&study_args, "%s", gable_message(ctx));
    }
    study_free(s);
    gable_close(ctx);
    return code;
}

/* ---- Latency ---- */

static int latency(double budget)
{
    gable_context *ctx = NULL;
    int code = open_device(&ctx);
    const study_latency_request request = {.args = &study_args,
                                           .ctx = ctx,
                                           .folder = asked_out,
                                           .budget = budget,
                                           .json = asked_json,
                                           .stop = &interrupt_asked};
    if (code == EXIT_DONE)
        code = study_latency(&request);
    gable_close(ctx);
    return code;
}

int study_command(int argc, char **argv)
{
    args_words words;
    terminal_when = TERMINAL_NEVER; /* there is no --color */
    const int parsed = args_parse(&study_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    const bool is_latency = words.count == 1 && strcmp(words.word[0], "latency") == 0;
    if (!is_latency && !(words.count == 1 && strcmp(words.word[0], "portability") == 0))
        return refuse_study(&words);
    if (is_latency && args_first_of(&study_args, &words, OF_PORTABILITY) != NULL)
        return args_refuse(&study_args, "--size, --prec and --devices go with portability");
    if (is_latency)
        return latency(asked_budget > 0 ? asked_budget : LATENCY_SECONDS);
    if (asked_devices == NULL) {
        asked.dtype = (gbl_dtype)asked_prec;
        return portability(asked_budget > 0 ? asked_budget : PORTABILITY_SECONDS, &asked);
    }
    static const char *const others[] = {"--device", "--budget", "--size", "--prec"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (args_given(&study_args, &words, others[i]))
            return args_refuse(&study_args, "--devices compares what is stored; it goes with --out "
                                            "and --json only");
    return study_compare(&study_args, asked_devices, asked_out, asked_json);
}
