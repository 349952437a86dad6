/* command.h: the subcommands of gable.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_COMMAND_H
#define TOOL_COMMAND_H

#include "args.h"

/* What the sources were, from git where the build could ask it. */
#ifndef GABLE_COMMIT
#define GABLE_COMMIT ""
#endif

/* "0.1.0 (28d434e)", or without what is not known. */
const char *command_version(void);
/* The commit, or the version where it is not known. */
const char *command_commit(void);

/* Each takes its own argv, argv[0] being its name, and returns an exit code. */
int info_command(int argc, char **argv);
int bench_command(int argc, char **argv);
int explain_command(int argc, char **argv);
int inspect_command(int argc, char **argv);
int doctor_command(int argc, char **argv);
int solve_command(int argc, char **argv);
int eig_command(int argc, char **argv);
int svd_command(int argc, char **argv);
int run_command(int argc, char **argv);
int study_command(int argc, char **argv);
int report_command(int argc, char **argv);
int tune_command(int argc, char **argv);

/* What their command lines take. */
extern const args_command info_args, bench_args, explain_args, inspect_args, doctor_args;
extern const args_command study_args, report_args;
extern const args_command tune_args, solve_args, eig_args, svd_args, run_args;

/* The kernels of the library, "name, name": what inspect takes. */
void inspect_kernels(char *text, size_t text_bytes);

#endif
