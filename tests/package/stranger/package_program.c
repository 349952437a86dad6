/* package_program.c: a program of a user: a dot product and a product of host matrices on the cpu.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Exits 0 when the header and the library agree about the version and the results are right.
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
    const double A[4] = {1.0, 2.0, 3.0, 4.0}, B[4] = {1.0, 1.0, 0.0, 2.0};
    double result = 0.0, C[4] = {0.0};
    gable_context *ctx;
    gable_status status = gable_open(&ctx, "cpu");
    if (status == GABLE_OK)
        status = gable_ddot(ctx, 3, x, 1, y, 1, &result);
    if (status == GABLE_OK)
        status = gable_host_dgemm(ctx, GABLE_NO_TRANS, GABLE_NO_TRANS, 2, 2, 2, 1.0, A, 2, B, 2,
                                  0.0, C, 2);
    const int right = result == 32.0 && C[0] == 4.0 && C[1] == 6.0 && C[2] == 6.0 && C[3] == 8.0 &&
                      strcmp(gable_last_device(ctx), "cpu") == 0;
    if (status != GABLE_OK)
        fprintf(stderr, "%s: %s\n", gable_status_name(status), gable_message(ctx));
    else if (!right)
        fprintf(stderr, "the dot product is %g, not 32; the product of matrices %g %g %g %g\n",
                result, C[0], C[1], C[2], C[3]);
    gable_close(ctx);
    return status == GABLE_OK && right ? 0 : 1;
}
