/* variant_hash.c: which kernel text a variant has: entries that were measured with another are no
 * answers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Joining and hashing a kernel's text takes a fraction of a millisecond, so it is done once per
 * process.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include "core/kernel.h"
#include "device/fork_guard.h"
#include "tune/snapshot.h"
#include "tune/tune_line.h"

#define MAX_HASHES 256

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
GBL_FORK_GUARD(.lock = &lock)
static struct {
    const char *kernels; /* by address: variants are constants */
    char hash[20];
} known[MAX_HASHES];
static int known_count;

/* A kernel file that cannot be read has no hash that any entry could have. */
static void make_hash(const char *kernels, char hash[20])
{
    uint64_t number;
    if (gbl_kernel_source_hash(kernels, &number, NULL) == GABLE_OK)
        snprintf(hash, 20, "%016llx", (unsigned long long)number);
    else
        snprintf(hash, 20, "unreadable");
}

void gbl_variant_hash(const gbl_variant *variant, char hash[20])
{
    int at = 0;
    hash[0] = '\0';
    if (variant->kernels == NULL)
        return;
    pthread_mutex_lock(&lock);
    while (at < known_count && known[at].kernels != variant->kernels)
        at++;
    if (at < known_count) {
        memcpy(hash, known[at].hash, 20);
    } else {
        make_hash(variant->kernels, hash);
        if (known_count < MAX_HASHES) {
            known[known_count].kernels = variant->kernels;
            memcpy(known[known_count++].hash, hash, 20);
        }
    }
    pthread_mutex_unlock(&lock);
}

void gbl_variant_hash_reset(void)
{
    pthread_mutex_lock(&lock);
    known_count = 0;
    pthread_mutex_unlock(&lock);
}

bool gbl_entry_current(const gbl_entry *entry)
{
    const gbl_op *op = gbl_op_find(entry->op);
    const gbl_variant *variant = op != NULL ? gbl_variant_find(op, entry->variant) : NULL;
    char hash[20];
    if (variant == NULL)
        return false;
    gbl_variant_hash(variant, hash);
    return strcmp(hash, entry->kernel) == 0;
}
