/* peer_children.c: ViennaCL, Eigen and PETSc, which run as child programs.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * ViennaCL is beside cpu with its OpenMP code, and beside an OpenCL device on that same device.
 * Eigen is beside cpu, with OpenMP, and PETSc, with one MPI rank per core. All are asked for
 * products and for CG without a preconditioner, and keep a matrix and a clock of their own. Turns
 * of products always read the same operands: they are cold where these are larger than the cache.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "peers/child.h"
#include "peers/sparse_peer.h"

#define PATH_BYTES 1024

typedef struct children_state {
    char path[PATH_BYTES];
    bool loaded;
    bool solves;
    bench_child child;
} children_state;

static bool is_opencl(const gable_context *ctx)
{
    return ctx->device->table == &gbl_opencl_table;
}

static bool is_host(const gable_context *ctx)
{
    return ctx->device->props.is_host;
}

static bool viennacl_suits(const gable_context *ctx)
{
    return is_host(ctx) || is_opencl(ctx);
}

/* ---- Opening ---- */

static gable_status open_program(bench_peer *peer, const char *program, gbl_message *message)
{
    children_state *state = calloc(1, sizeof *state);
    if (state == NULL)
        return gbl_fail(message, GABLE_OUT_OF_MEMORY, "no host memory");
    gable_status status = bench_child_find(program, state->path, sizeof state->path, message);
    if (status == GABLE_OK)
        status = bench_child_version(state->path, peer->version, sizeof peer->version, message);
    if (status == GABLE_OK)
        peer->state = state;
    else
        free(state);
    return status;
}

static gable_status open_viennacl(bench_peer *peer, gbl_message *message)
{
    if (!viennacl_suits(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED,
                        "it is timed beside the cpu and OpenCL devices, and this is %s",
                        peer->ctx->device->info.name);
    return open_program(
        peer, is_opencl(peer->ctx) ? "gable_peer_viennacl_opencl" : "gable_peer_viennacl", message);
}

static gable_status open_eigen(bench_peer *peer, gbl_message *message)
{
    if (!is_host(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "it is timed beside the cpu, and this is %s",
                        peer->ctx->device->info.name);
    return open_program(peer, "gable_peer_eigen", message);
}

static gable_status open_petsc(bench_peer *peer, gbl_message *message)
{
    if (!is_host(peer->ctx))
        return gbl_fail(message, GABLE_NOT_SUPPORTED, "it is timed beside the cpu, and this is %s",
                        peer->ctx->device->info.name);
    return open_program(peer, "gable_peer_petsc", message);
}

static void close_peer(bench_peer *peer)
{
    free(peer->state);
    peer->state = NULL;
}

/* Vectors and dense matrices are not its affair. */
static bool supports_dense(const bench_peer *peer, const bench_case *what)
{
    (void)peer;
    (void)what;
    return false;
}

/* ---- Sparse matrices ---- */

static bool supports_any(const bench_sparse_case *what, bool single)
{
    const bool solves = what->op == BENCH_SPARSE_CG && strcmp(what->precond, "none") == 0;
    const bool multiplies = what->op == BENCH_SPARSE_MV && what->trans == GABLE_NO_TRANS;
    return (solves || multiplies) && what->matrix->rows == what->matrix->columns &&
           what->matrix->entries <= INT32_MAX &&
           (what->dtype == GBL_D || (single && what->dtype == GBL_S));
}

/* ViennaCL and Eigen. */
static bool viennacl_supports(const bench_peer *peer, const bench_sparse_case *what)
{
    (void)peer;
    return supports_any(what, true);
}

/* Debian's real PETSc is of double precision. */
static bool petsc_supports(const bench_peer *peer, const bench_sparse_case *what)
{
    (void)peer;
    return supports_any(what, false);
}

static gable_status start(bench_peer *peer, const bench_sparse_system *system,
                          const char *const *words, gbl_message *message)
{
    children_state *state = peer->state;
    char version[sizeof peer->version];
    state->solves = system->what->op == BENCH_SPARSE_CG;
    TRY(bench_child_start(&state->child, system, words, version, sizeof version, message));
    state->loaded = true;
    return GABLE_OK;
}

static gable_status load_viennacl(bench_peer *peer, const bench_sparse_system *system,
                                  gbl_message *message)
{
    const children_state *state = peer->state;
    const char letter[] = {gbl_dtype_letter(system->what->dtype), '\0'};
    const char *const words[] = {state->path, "@", letter,
                                 is_opencl(peer->ctx) ? peer->ctx->device->info.title : NULL, NULL};
    return start(peer, system, words, message);
}

static gable_status load_eigen(bench_peer *peer, const bench_sparse_system *system,
                               gbl_message *message)
{
    const children_state *state = peer->state;
    const char letter[] = {gbl_dtype_letter(system->what->dtype), '\0'};
    const char *const words[] = {state->path, "@", letter, NULL};
    return start(peer, system, words, message);
}

/* Open MPI wants to be told that root and more ranks than cores are meant; others do not look at
 * its variables. */
static gable_status load_petsc(bench_peer *peer, const bench_sparse_system *system,
                               gbl_message *message)
{
    const children_state *state = peer->state;
    char ranks[16];
    const int units = peer->ctx->device->props.units;
    snprintf(ranks, sizeof ranks, "%d", units > 0 ? units : 1);
    const char *const words[] = {"mpirun", "-n", ranks, state->path, "@", "d", NULL};
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
    setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
    return start(peer, system, words, message);
}

static void unload(bench_peer *peer)
{
    children_state *state = peer->state;
    if (state->loaded)
        bench_child_end(&state->child);
    state->loaded = false;
}

static gable_status time_it(bench_peer *peer, int64_t count, double *seconds, gbl_message *message)
{
    children_state *state = peer->state;
    return bench_child_ask(&state->child, state->solves ? "cg" : "mv", count, seconds, message);
}

static gable_status check(bench_peer *peer, double *number, gbl_message *message)
{
    children_state *state = peer->state;
    return bench_child_ask(&state->child, "check", 0, number, message);
}

static const bench_sparse_peer viennacl_sparse = {.supports = viennacl_supports,
                                                  .load = load_viennacl,
                                                  .unload = unload,
                                                  .time = time_it,
                                                  .check = check};
static const bench_sparse_peer eigen_sparse = {.supports = viennacl_supports,
                                               .load = load_eigen,
                                               .unload = unload,
                                               .time = time_it,
                                               .check = check};
static const bench_sparse_peer petsc_sparse = {.supports = petsc_supports,
                                               .load = load_petsc,
                                               .unload = unload,
                                               .time = time_it,
                                               .check = check};

const bench_peer_kind bench_peer_viennacl = {
    .name = "viennacl",
    .where = "the cpu and OpenCL devices, for sparse matrices",
    .suits = viennacl_suits,
    .open = open_viennacl,
    .close = close_peer,
    .supports = supports_dense,
    .sparse = &viennacl_sparse,
};
const bench_peer_kind bench_peer_eigen = {
    .name = "eigen",
    .where = "the cpu, for sparse matrices",
    .suits = is_host,
    .open = open_eigen,
    .close = close_peer,
    .supports = supports_dense,
    .sparse = &eigen_sparse,
};
const bench_peer_kind bench_peer_petsc = {
    .name = "petsc",
    .where = "the cpu, for sparse matrices",
    .suits = is_host,
    .open = open_petsc,
    .close = close_peer,
    .supports = supports_dense,
    .sparse = &petsc_sparse,
};
