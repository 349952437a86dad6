/* petsc_child.c: PETSc's KSPCG and its sparse product, as a child program of `gable bench`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     mpirun -n 2 gable_peer_petsc FILE PREC
 *
 * Every rank reads the file and keeps its rows. The first one talks to the parent and hands each
 * command on through pipes with names, because a rank that waits in MPI keeps its core busy: the
 * others must sleep while Gable has its turn.
 */
#include <fcntl.h>
#include <petscksp.h>
#include <sys/stat.h>
#include <unistd.h>
#include "child_system.h"

#define MAX_RANKS 64

typedef struct command {
    char word; /* 'c', 'm', 'k' or 'q' */
    int64_t count;
} command;

typedef struct child {
    Mat A;
    Vec b, x, y, left;
    KSP ksp;
    int rank, ranks;
    int pipes[MAX_RANKS]; /* of the first rank to others; of another its own, at 0 */
    char paths[MAX_RANKS][256];
    int solved;
} child;

/* ---- The commands ---- */

static PetscErrorCode make_matrix(child *c, const child_system *system)
{
    PetscInt first, last, *start, *column;
    PetscCall(MatCreate(PETSC_COMM_WORLD, &c->A));
    PetscCall(MatSetSizes(c->A, PETSC_DECIDE, PETSC_DECIDE, (PetscInt)system->rows,
                          (PetscInt)system->rows));
    PetscCall(MatSetType(c->A, MATAIJ));
    PetscCall(MatSetUp(c->A));
    PetscCall(MatGetOwnershipRange(c->A, &first, &last));
    const int64_t before = system->start[first], entries = system->start[last] - before;
    PetscCall(PetscMalloc2(last - first + 1, &start, entries, &column));
    for (PetscInt i = first; i <= last; i++)
        start[i - first] = (PetscInt)(system->start[i] - before);
    for (int64_t e = 0; e < entries; e++)
        column[e] = system->column[before + e];
    PetscCall(MatSeqAIJSetPreallocationCSR(c->A, start, column, system->value + before));
    PetscCall(MatMPIAIJSetPreallocationCSR(c->A, start, column, system->value + before));
    PetscCall(PetscFree2(start, column));
    PetscCall(MatCreateVecs(c->A, &c->x, &c->b));
    PetscCall(VecDuplicate(c->b, &c->y));
    PetscCall(VecDuplicate(c->b, &c->left));
    PetscScalar *b;
    PetscCall(VecGetArray(c->b, &b));
    for (PetscInt i = first; i < last; i++)
        b[i - first] = system->b[i];
    PetscCall(VecRestoreArray(c->b, &b));
    return 0;
}

static PetscErrorCode make_solver(child *c)
{
    PC pc;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &c->ksp));
    PetscCall(KSPSetOperators(c->ksp, c->A, c->A));
    PetscCall(KSPSetType(c->ksp, KSPCG));
    PetscCall(KSPGetPC(c->ksp, &pc));
    PetscCall(PCSetType(pc, PCNONE));
    PetscCall(KSPSetInitialGuessNonzero(c->ksp, PETSC_FALSE));
    return KSPSetUp(c->ksp);
}

/* Tolerances of 0: no iteration ends the loop early. */
static PetscErrorCode run(child *c, const command *now, double *answer)
{
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    const double start = child_seconds();
    if (now->word == 'c') {
        PetscCall(KSPSetTolerances(c->ksp, 0, 0, PETSC_DEFAULT, (PetscInt)now->count));
        PetscCall(KSPSolve(c->ksp, c->b, c->x));
        c->solved = 1;
    } else if (now->word == 'm') {
        for (int64_t i = 0; i < now->count; i++)
            PetscCall(MatMult(c->A, c->b, c->y));
        c->solved = 0;
    }
    PetscCallMPI(MPI_Barrier(PETSC_COMM_WORLD));
    *answer = child_seconds() - start;
    if (now->word != 'k')
        return 0;
    PetscReal norm, norm_b = 1;
    if (c->solved) {
        PetscCall(MatMult(c->A, c->x, c->left));
        PetscCall(VecAYPX(c->left, -1, c->b));
        PetscCall(VecNorm(c->left, NORM_2, &norm));
        PetscCall(VecNorm(c->b, NORM_2, &norm_b));
    } else {
        PetscCall(VecNorm(c->y, NORM_2, &norm));
    }
    *answer = norm / norm_b;
    return 0;
}

/* ---- The ranks ---- */

/* A pipe for each rank but the first, beside the file of the system. */
static int open_pipes(child *c, const char *file)
{
    int good = c->ranks <= MAX_RANKS;
    for (int r = 1; good && r < c->ranks; r++) {
        snprintf(c->paths[r], sizeof c->paths[r], "%.200s.rank%d", file, r);
        if (c->rank == 0)
            good = mkfifo(c->paths[r], 0600) == 0;
    }
    if (MPI_Bcast(&good, 1, MPI_INT, 0, PETSC_COMM_WORLD) != MPI_SUCCESS || !good)
        return 0;
    for (int r = 1; r < c->ranks; r++) {
        if (c->rank == r)
            c->pipes[0] = open(c->paths[r], O_RDONLY);
        else if (c->rank == 0)
            c->pipes[r] = open(c->paths[r], O_WRONLY);
    }
    const int met = MPI_Barrier(PETSC_COMM_WORLD) == MPI_SUCCESS;
    for (int r = 1; c->rank == 0 && r < c->ranks; r++)
        unlink(c->paths[r]);
    return met;
}

/* The next command, for all ranks. */
static void next_command(child *c, command *now)
{
    memset(now, 0, sizeof *now);
    now->word = 'q';
    if (c->rank > 0) {
        if (read(c->pipes[0], now, sizeof *now) != (ssize_t)sizeof *now)
            now->word = 'q';
        return;
    }
    char line[128], word[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        long count = 0;
        if (sscanf(line, "%15s %ld", word, &count) < 1)
            continue;
        if (strcmp(word, "cg") == 0 || strcmp(word, "mv") == 0 || strcmp(word, "check") == 0) {
            now->word = word[0] == 'c' && word[1] == 'h' ? 'k' : word[0];
            now->count = count;
            break;
        }
        child_refuse("it knows cg, mv and check");
    }
    for (int r = 1; r < c->ranks; r++)
        if (write(c->pipes[r], now, sizeof *now) != (ssize_t)sizeof *now)
            now->word = 'q';
}

static PetscErrorCode serve(child *c)
{
    int major, minor, patch, release;
    command now;
    if (c->rank == 0) {
        PetscCall(PetscGetVersionNumber(&major, &minor, &patch, &release));
        printf("ready PETSc %d.%d.%d, %d MPI ranks\n", major, minor, patch, c->ranks);
        fflush(stdout);
    }
    for (next_command(c, &now); now.word != 'q'; next_command(c, &now)) {
        double answer;
        PetscCall(run(c, &now, &answer));
        if (c->rank == 0)
            child_say("ok", answer);
    }
    return 0;
}

static PetscErrorCode work(child *c, const char *file)
{
    child_system system;
    const char *why = child_read(file, &system);
    if (why == NULL && system.entries > PETSC_MAX_INT)
        why = "this build of PETSc counts entries with 32 bits";
    if (why == NULL && !open_pipes(c, file))
        why = "the pipes to its other ranks cannot be made";
    if (why != NULL) {
        if (c->rank == 0)
            child_refuse(why);
        return 0;
    }
    PetscCall(make_matrix(c, &system));
    free(system.start);
    free(system.column);
    free(system.value);
    free(system.b);
    PetscCall(make_solver(c));
    return serve(c);
}

int main(int argc, char **argv)
{
    static child c;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("ready PETSc %d.%d.%d, without a preconditioner\n", PETSC_VERSION_MAJOR,
               PETSC_VERSION_MINOR, PETSC_VERSION_SUBMINOR);
        return 0;
    }
    if (argc < 3) {
        fprintf(stderr, "a child of `gable bench`: FILE PREC\n");
        return 2;
    }
    char none[] = "petsc_child", *plain[] = {none, NULL}, **words = plain;
    int count = 1;
    PetscCall(PetscInitialize(&count, &words, NULL, NULL));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &c.rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &c.ranks));
    PetscCall(work(&c, argv[1]));
    return PetscFinalize() != 0;
}
