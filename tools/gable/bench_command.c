/* bench_command.c: `gable bench`: reads the command line and measures each case in turn.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "args.h"
#include "bench_output.h"
#include "command.h"

#define MAX_SIZES       64
#define DEFAULT_SECONDS 0.5
#define MAX_SECONDS     600.0

static const char *asked_precisions = "sd", *asked_sizes = "1000,100000,10000000";
static const char *asked_device, *asked_variant, *asked_peers, *asked_seconds;
static bool asked_hot, asked_json;

static const args_option options[] = {
    {"--prec", "LETTERS", "precisions, some of s, d, c, z (default sd)", &asked_precisions, NULL},
    {"--size", "LIST", "vector lengths such as 1000,1e6 (default 1000,100000,10000000)",
     &asked_sizes, NULL},
    {"--device", "D",
     "cpu, cuda:0, opencl:0, opencl:pocl ... (default $GABLE_DEVICE, else\n"
     "the best; `gable info` lists them)",
     &asked_device, NULL},
    {"--variant", "V",
     "forces the way of computing: two_pass, two_pass:local=256, or for\n"
     "several ops dot=two_pass,copy=stream",
     &asked_variant, NULL},
    {"--against", "PEER,...",
     "other libraries to time in the same run: openblas (cpu), cublas\n"
     "(cuda), clblast (opencl). Of a list, those that belong to the device;\n"
     "openblas alone is also timed beside a GPU, on the host",
     &asked_peers, NULL},
    {"--hot", NULL, "also with operands that stay in the cache", NULL, &asked_hot},
    {"--seconds", "S", "time spent on the repeats of each row (default 0.5)", &asked_seconds, NULL},
    {"--json", NULL, "one JSON object a line: first the circumstances, then the rows", NULL,
     &asked_json},
};
static const args_command command = {
    "bench",
    "OP... [options]",
    "Times routines on a device. OP is a stem (copy, axpy, dot, dotu, dotc, nrm2) or a\n"
    "typed name (ddot, scnrm2). Every row is checked against a reference; a wrong result\n"
    "marks the row FAILED and the exit code is 1.",
    options,
    sizeof options / sizeof options[0],
    "  gable bench copy axpy dot nrm2 --size 1e7 --device cpu --against openblas\n"
    "  gable bench ddot --size 1e5,1e8 --device cuda:0 --against cublas --hot\n"
    "  gable bench nrm2 --prec sdcz --json >nrm2.jsonl\n",
};

static volatile sig_atomic_t stop_asked;

static void on_interrupt(int number)
{
    (void)number;
    stop_asked = 1;
}

static bool stopped(void *user)
{
    (void)user;
    return stop_asked != 0;
}

static void tell_row(void *user, const bench_row *row)
{
    bench_output_row(user, row);
}

static void tell_note(void *user, const char *text)
{
    bench_output_note(user, text);
}

static void tell_progress(void *user, const char *text)
{
    bench_output_progress(user, text);
}

/* ---- Reading the command line ---- */

typedef struct request {
    int op_count;
    bench_wanted ops[ARGS_MAX_WORDS];
    int size_count;
    int64_t sizes[MAX_SIZES];
    double seconds;
} request;

static int read_sizes(const char *list, request *asked)
{
    for (const char *at = list;; at++) {
        const char *end = at;
        if (asked->size_count == MAX_SIZES)
            return args_refuse(&command, "--size takes at most %d sizes", MAX_SIZES);
        if (!args_count(at, &asked->sizes[asked->size_count], &end) ||
            (*end != ',' && *end != '\0'))
            return args_refuse(
                &command, "--size has \"%s\"; sizes are positive whole numbers such as 1000,1e6",
                list);
        asked->size_count++;
        if (*end == '\0')
            return EXIT_DONE;
        at = end;
    }
}

static int read_ops(const args_words *words, request *asked)
{
    static const char letters[] = "sdcz";
    unsigned dtypes = 0;
    for (const char *letter = asked_precisions; *letter != '\0'; letter++) {
        const char *at = strchr(letters, *letter);
        if (at == NULL)
            return args_refuse(&command,
                               "--prec has \"%s\"; it takes some of the letters s, d, c, z",
                               asked_precisions);
        dtypes |= 1u << (at - letters);
    }
    char names[128];
    bench_op_names(names, sizeof names);
    if (words->count == 0)
        return args_refuse(&command, "needs an op: one of %s, or a typed name such as ddot", names);
    for (int i = 0; i < words->count; i++) {
        if (!bench_op_find(words->word[i], dtypes, &asked->ops[i]))
            return args_refuse(&command,
                               "there is no op \"%s\"; ops are %s, or typed names such as ddot",
                               words->word[i], names);
        if (asked->ops[i].dtypes == 0)
            return args_refuse(&command, "%s does not exist in precision %s; ask with --prec cz",
                               words->word[i], asked_precisions);
    }
    asked->op_count = words->count;
    return EXIT_DONE;
}

static int read_request(const args_words *words, request *asked)
{
    asked->seconds = DEFAULT_SECONDS;
    if (asked_seconds != NULL) {
        char *end;
        asked->seconds = strtod(asked_seconds, &end);
        if (*end != '\0' || !(asked->seconds > 0 && asked->seconds <= MAX_SECONDS))
            return args_refuse(&command, "--seconds is \"%s\"; it must be above 0 and at most %.0f",
                               asked_seconds, MAX_SECONDS);
    }
    const int sizes = read_sizes(asked_sizes, asked);
    return sizes == EXIT_DONE ? read_ops(words, asked) : sizes;
}

/* ---- Peers and variants ---- */

static int check_peers(void)
{
    for (const char *name = asked_peers; name != NULL && *name != '\0';) {
        const size_t length = strcspn(name, ",");
        char word[32];
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), name);
        if (bench_peer_find(word) == NULL)
            return args_refuse(
                &command, "there is no peer \"%s\"; peers are openblas, cublas, clblast", word);
        name += length + (name[length] == ',');
    }
    return EXIT_DONE;
}

/* Opens the peers asked for; those that are missing, or that belong to another device, get a note.
 */
static void open_peers(bench_session *session, bench_output *output)
{
    const bool alone = asked_peers != NULL && strchr(asked_peers, ',') == NULL;
    for (const char *name = asked_peers; name != NULL && *name != '\0';) {
        const size_t length = strcspn(name, ",");
        char word[32], text[1024];
        snprintf(word, sizeof word, "%.*s", (int)(length < 31 ? length : 31), name);
        name += length + (name[length] == ',');
        const bench_peer_kind *kind = bench_peer_find(word);
        bool there = session->peer_count == BENCH_MAX_PEERS;
        for (int i = 0; i < session->peer_count; i++)
            there = there || session->peers[i].kind == kind;
        if (there)
            continue;
        gbl_message why = {NULL, ""};
        if (!alone && !kind->suits(session->ctx))
            snprintf(text, sizeof text, "%s is not shown: it belongs beside %s", word, kind->where);
        else if (bench_peer_open(&session->peers[session->peer_count], kind, session->ctx, &why) !=
                 GABLE_OK)
            snprintf(text, sizeof text, "%s is not shown: %.900s", word, why.text);
        else {
            session->peer_count++;
            continue;
        }
        bench_output_note(output, text);
    }
}

/* "two_pass" is meant for each op of the request. */
static int force_variant(gable_context *ctx, const request *asked)
{
    if (asked_variant == NULL)
        return EXIT_DONE;
    const size_t name = strcspn(asked_variant, ":=");
    for (int i = 0; i < asked->op_count; i++) {
        char choice[512];
        if (asked_variant[name] == '=')
            snprintf(choice, sizeof choice, "%s", asked_variant);
        else
            snprintf(choice, sizeof choice, "%s=%s", asked->ops[i].op->op->stem, asked_variant);
        if (gable_set_variant(ctx, choice) != GABLE_OK)
            return args_refuse(&command, "--variant %s: %s", asked_variant, gable_message(ctx));
    }
    return EXIT_DONE;
}

/* ---- Measuring ---- */

static int measure_all(bench_session *session, bench_output *output, const request *asked)
{
    int code = EXIT_DONE;
    for (int op = 0; op < asked->op_count; op++) {
        for (int dtype = GBL_S; dtype <= GBL_Z; dtype++) {
            if (!(asked->ops[op].dtypes >> dtype & 1))
                continue;
            for (int size = 0; size < asked->size_count; size++) {
                const bench_case what = {asked->ops[op].op, (gbl_dtype)dtype, asked->sizes[size]};
                if (stop_asked)
                    return EXIT_STOPPED;
                if (bench_measure(session, &what) == GABLE_OK)
                    continue;
                bench_output_clear(output);
                code = args_fail(&command, "%s n = %lld: %s", what.op->name, (long long)what.n,
                                 gable_message(session->ctx));
            }
        }
    }
    return stop_asked ? EXIT_STOPPED : code;
}

/* Threads of other programs that want to run, on average over a few looks; 0 where nobody tells. */
static double busy_others(void)
{
    enum { LOOKS = 5 };
    const struct timespec pause = {0, 10000000};
    int sum = 0;
    for (int i = 0; i < LOOKS; i++) {
        int running = 1;
        FILE *file = fopen("/proc/loadavg", "r");
        if (file == NULL || fscanf(file, "%*s %*s %*s %d/", &running) != 1)
            running = 1;
        if (file != NULL)
            fclose(file);
        sum += running - 1; /* without ourselves */
        nanosleep(&pause, NULL);
    }
    return (double)sum / LOOKS;
}

static void note_others(const bench_session *session, bench_output *output)
{
    char text[160];
    const double others = session->ctx->device->props.is_gpu ? 0 : busy_others();
    snprintf(text, sizeof text,
             "about %.0f threads of other programs run on the %d cores: times will be unsteady",
             others, session->ctx->device->props.units);
    if (others >= 0.5)
        bench_output_note(output, text);
}

static int run(bench_session *session, const request *asked)
{
    bench_output output = {.json = asked_json, .session = session, .variant = asked_variant};
    session->user = &output;
    note_others(session, &output);
    open_peers(session, &output);
    bench_output_header(&output);
    int code = measure_all(session, &output, asked);
    bench_output_summary(&output);
    if (code == EXIT_STOPPED)
        args_fail(&command, "stopped; the rows above are complete");
    else if (output.failed > 0)
        code = EXIT_FAILED;
    for (int i = 0; i < session->peer_count; i++)
        bench_peer_close(&session->peers[i]);
    return code;
}

int bench_command(int argc, char **argv)
{
    static request asked;
    static bench_session session;
    args_words words;
    int code = args_parse(&command, argc, argv, &words);
    if (code != EXIT_DONE)
        return code < 0 ? EXIT_DONE : code;
    code = read_request(&words, &asked);
    if (code == EXIT_DONE)
        code = check_peers();
    if (code != EXIT_DONE)
        return code;

    if (gable_open(&session.ctx, asked_device) != GABLE_OK) {
        code = args_fail(&command, "%s", gable_message(session.ctx));
        goto done;
    }
    code = force_variant(session.ctx, &asked);
    if (code != EXIT_DONE)
        goto done;
    session.seconds = asked.seconds;
    session.hot = asked_hot;
    session.row = tell_row;
    session.note = tell_note;
    session.progress = tell_progress;
    session.stop = stopped;
    /* A first Ctrl-C ends the measurement, a second the process. */
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    code = run(&session, &asked);
done:
    gable_close(session.ctx);
    return code;
}
