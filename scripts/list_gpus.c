/* list_gpus.c: prints the GPUs that this build of Gable can open, one per line: name, tab, title.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * check_gpu.sh compiles it against the fresh library, so that the list comes from the library
 * itself and not from the words of `gable info`. GPUs and libraries that cannot be used go to the
 * standard error with the reason.
 */
#include <gable/gable.h>
#include <stdio.h>

int main(void)
{
    const int count = gable_device_count();
    for (int i = 0; i < count; ++i) {
        gable_device_info info;
        if (gable_device_describe(i, &info) != GABLE_OK) {
            fprintf(stderr, "device %d cannot be described\n", i);
        } else if (!info.usable) {
            fprintf(stderr, "%s %s: %s\n", info.name, info.title, info.reason);
        } else if (info.is_gpu) {
            printf("%s\t%s\n", info.name, info.title);
        }
    }
    return 0;
}
