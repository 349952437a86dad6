/* petsc_device.c: the device of a process, its threads, vectors on it.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One context serves all objects of a process. It is opened when it is first needed: a program that
 * loads the plugin and does not use it opens nothing.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include <omp.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>
#include "petsc_plugin.h"

static struct {
    gable_context *ctx;
    PetscBool host;
    char wanted[64];         /* -gable_device */
    char name[64];           /* of the device that is open */
    PetscMPIInt rank, ranks; /* of this node */
    int threads;             /* of a team, where the environment says nothing; 0: as it says */
} process;

static PetscErrorCode end(void)
{
    PetscFunctionBegin;
    gable_close(process.ctx);
    process.ctx = NULL;
    PetscFunctionReturn(GP_SUCCESS);
}

/* This rank's share of the cores: no more than it is bound to. */
static int share_of_cores(void)
{
    cpu_set_t bound;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    long share = cores / process.ranks;
    if (sched_getaffinity(0, sizeof bound, &bound) == 0 && CPU_COUNT(&bound) < share)
        share = CPU_COUNT(&bound);
    return share > 1 ? (int)share : 1;
}

PetscErrorCode gp_device_begin(void)
{
    MPI_Comm node;
    PetscBool given = PETSC_FALSE;
    PetscFunctionBegin;
    PetscCallMPI(
        MPI_Comm_split_type(PETSC_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    PetscCallMPI(MPI_Comm_rank(node, &process.rank));
    PetscCallMPI(MPI_Comm_size(node, &process.ranks));
    PetscCallMPI(MPI_Comm_free(&node));
    process.threads = getenv("OMP_NUM_THREADS") != NULL ? 0 : share_of_cores();
    PetscCall(PetscStrncpy(process.wanted, "cpu", sizeof process.wanted));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-gable_device", process.wanted,
                                    sizeof process.wanted, &given));
    PetscCall(PetscStrncpy(process.name, process.wanted, sizeof process.name));
    PetscCall(PetscRegisterFinalize(end));
    PetscFunctionReturn(GP_SUCCESS);
}

int gp_threads_begin(void)
{
    const int before = omp_get_max_threads();
    if (process.threads > 0 && process.threads < before)
        omp_set_num_threads(process.threads);
    return before;
}

void gp_threads_end(int before)
{
    if (process.threads > 0)
        omp_set_num_threads(before);
}

/* "cuda" without a number on a node with several ranks: each takes another GPU, in turn. */
static PetscErrorCode pick_device(char *name, size_t bytes)
{
    gable_device_info info;
    int usable = 0;
    PetscBool cuda, same;
    PetscFunctionBegin;
    PetscCall(PetscStrncpy(name, process.wanted, bytes));
    PetscCall(PetscStrcmp(process.wanted, "cuda", &cuda));
    if (!cuda || process.ranks == 1)
        PetscFunctionReturn(GP_SUCCESS);
    for (int pass = 0; pass < 2; pass++) {
        int seen = 0;
        for (int i = 0; i < gable_device_count(); i++) {
            if (gable_device_describe(i, &info) != GABLE_OK || !info.usable)
                continue;
            PetscCall(PetscStrncmp(info.name, "cuda:", 5, &same));
            if (same && pass == 1 && seen == process.rank % usable)
                PetscCall(PetscStrncpy(name, info.name, bytes));
            seen += same;
        }
        usable = seen;
        if (usable == 0) /* gable_open says why */
            break;
    }
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_context(gable_context **ctx)
{
    gable_device_info info;
    char name[64];
    PetscFunctionBegin;
    *ctx = process.ctx;
    if (*ctx != NULL)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(pick_device(name, sizeof name));
    const int threads = gp_threads_begin();
    const gable_status status = gable_open(ctx, name);
    gp_threads_end(threads);
    if (status != GABLE_OK) {
        char why[512];
        PetscCall(PetscStrncpy(why, *ctx != NULL ? gable_message(*ctx) : "no memory", sizeof why));
        gable_close(*ctx);
        *ctx = NULL;
        SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB,
                "Gable cannot open the device %s (-gable_device): %s", name, why);
    }
    process.ctx = *ctx;
    GP_CALL(*ctx, gable_context_describe(*ctx, &info));
    PetscCall(PetscStrncpy(process.name, info.name, sizeof process.name));
    PetscCall(PetscStrcmp(info.name, "cpu", &process.host));
    PetscCall(PetscInfo(NULL, "Gable runs on %s, %s; rank %d of %d on this node\n", info.name,
                        info.title, process.rank, process.ranks));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscBool gp_on_host(void)
{
    return process.host;
}

const char *gp_device_name(void)
{
    return process.name;
}

/* ---- Vectors on the device ---- */

PetscErrorCode gp_buffer_free(gp_buffer *buffer)
{
    PetscFunctionBegin;
    if (buffer->address != NULL && process.ctx != NULL)
        GP_CALL(process.ctx, gable_free(process.ctx, buffer->address));
    *buffer = (gp_buffer){0};
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_buffer_get(gp_buffer *buffer, PetscInt count)
{
    gable_context *ctx;
    PetscFunctionBegin;
    PetscCall(gp_context(&ctx));
    if (buffer->count >= count && buffer->address != NULL)
        PetscFunctionReturn(GP_SUCCESS);
    PetscCall(gp_buffer_free(buffer));
    GP_CALL(ctx, gable_alloc(ctx, (size_t)(count > 0 ? count : 1) * sizeof(PetscScalar),
                             &buffer->address));
    buffer->count = count;
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_to_device(const gp_buffer *buffer, const PetscScalar *x, PetscInt count)
{
    PetscFunctionBegin;
    if (count > 0)
        GP_CALL(process.ctx, gable_set_vector(process.ctx, count, sizeof(PetscScalar), x, 1,
                                              buffer->address, 1));
    PetscFunctionReturn(GP_SUCCESS);
}

PetscErrorCode gp_from_device(const gp_buffer *buffer, PetscScalar *x, PetscInt count)
{
    PetscFunctionBegin;
    if (count > 0)
        GP_CALL(process.ctx, gable_get_vector(process.ctx, count, sizeof(PetscScalar),
                                              buffer->address, 1, x, 1));
    PetscFunctionReturn(GP_SUCCESS);
}
