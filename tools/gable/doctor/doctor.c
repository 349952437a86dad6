/* doctor.c: `gable doctor`: what is wrong on this machine, and the command that fixes it.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "gable/command.h"
#include "doctor.h"
#include "gable/gable.h"
#include "gable/json.h"
#include "gable/terminal.h"

#define STATE_WIDTH 9
#define WHAT_WIDTH  15

static bool asked_json;
static const char *asked_device;
static int notes, problems;

static const args_option options[] = {
    {.name = "--device",
     .value = "D",
     .help = "the device to try with real work (default: all that are usable)",
     .text = &asked_device},
    {.name = "--json", .help = "one JSON object on one line", .flag = &asked_json},
    TERMINAL_COLOUR_OPTION,
};
const args_command doctor_args = {
    .name = "doctor",
    .summary = "finds what is wrong with drivers, libraries, caches, permissions",
    .usage = "[options]",
    .about =
        "Checks OpenCL and the files of its vendors, the CUDA driver, NVRTC, cuBLAS, the BLAS of\n"
        "the cpu, the folder of compiled kernels and the permissions of devices, and computes\n"
        "something small on every device. Each line is ok, a note (nothing to be done) or a\n"
        "problem with the command that fixes it. The exit code is 1 if there is a problem.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable doctor\n"
                "  gable doctor --device opencl:pocl\n"
                "  gable doctor --json\n",
};

void doctor_tell(doctor_state state, const char *what, const char *cure, const char *format, ...)
{
    static const char *const names[] = {"ok", "note", "problem"};
    static const terminal_colour colours[] = {GREEN, YELLOW, RED};
    char text[GBL_MESSAGE_BYTES + 1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    notes += state == DOCTOR_NOTE;
    problems += state == DOCTOR_PROBLEM;
    terminal_progress_erase();
    if (asked_json) {
        json_open(NULL);
        json_text("check", what);
        json_text("state", names[state]);
        json_text("text", text);
        if (cure != NULL)
            json_text("mend", cure);
        json_close();
        return;
    }
    terminal_put(colours[state], names[state]);
    printf("%*s", STATE_WIDTH - (int)strlen(names[state]), "");
    terminal_paragraph(STATE_WIDTH, what, WHAT_WIDTH, text);
    if (cure != NULL) {
        printf("%*sfix it: ", STATE_WIDTH + WHAT_WIDTH, "");
        terminal_put(BOLD, cure);
        putchar('\n');
    }
    fflush(stdout);
}

static void check_all(void)
{
    const bool listable = doctor_opencl();
    doctor_cuda();
    doctor_blas();
    doctor_lapack();
    doctor_petsc();
    doctor_cache();
    doctor_permissions();
    if (listable)
        doctor_default_device();
    doctor_smoke(asked_device != NULL || listable ? asked_device : "cpu");
}

int doctor_command(int argc, char **argv)
{
    args_words words;
    const int parsed = args_parse(&doctor_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    if (words.count > 0)
        return args_refuse(&doctor_args, "takes no names, but got \"%s\"; a device is --device %s",
                           words.word[0], words.word[0]);
    if (asked_json) {
        json_open(NULL);
        json_text("version", gable_version());
        json_text("commit", command_commit());
        json_open_list("checks");
        check_all();
        json_close();
        json_integer("notes", notes);
        json_integer("problems", problems);
        json_close();
    } else {
        printf("gable %s\n\n", command_version());
        fflush(stdout);
        check_all();
        putchar('\n');
        if (problems > 0)
            printf("%d problem%s, %d note%s\n", problems, problems == 1 ? "" : "s", notes,
                   notes == 1 ? "" : "s");
        else
            printf("nothing is wrong, %d note%s\n", notes, notes == 1 ? "" : "s");
    }
    return problems > 0 ? EXIT_FAILED : EXIT_DONE;
}
