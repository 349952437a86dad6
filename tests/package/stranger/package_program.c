/* package_program.c: a program of a user: one dot product on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Exits 0 when the header and the library agree about the version and the result is right.
 */
#include <gable/gable.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", GABLE_VERSION_MAJOR, GABLE_VERSION_MINOR,
             GABLE_VERSION_PATCH);
    if (strcmp(version, gable_version()) != 0) {
        fprintf(stderr, "the header is version %s, the library %s\n", version, gable_version());
        return 1;
    }

    const double x[3] = {1.0, 2.0, 3.0}, y[3] = {4.0, 5.0, 6.0};
    double result = 0.0;
    gable_context *ctx;
    gable_status status = gable_open(&ctx, "cpu");
    if (status == GABLE_OK)
        status = gable_ddot(ctx, 3, x, 1, y, 1, &result);
    if (status != GABLE_OK)
        fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    else if (result != 32.0)
        fprintf(stderr, "the dot product is %g, not 32\n", result);
    gable_close(ctx);
    return status == GABLE_OK && result == 32.0 ? 0 : 1;
}
