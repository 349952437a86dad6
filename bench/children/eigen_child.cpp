/* eigen_child.cpp: Eigen's CG and sparse product, as a child program of `gable bench`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     gable_peer_eigen FILE PREC
 *
 * The matrix is a SparseMatrix by rows, whose products with a vector Eigen shares among the threads
 * of OpenMP.
 */
#include "child_system.h"

#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <limits>
#include <vector>

static void say_ready()
{
    printf("ready Eigen %d.%d.%d, OpenMP, rows\n", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
           EIGEN_MINOR_VERSION);
    fflush(stdout);
}

template <typename T> struct solver {
    typedef Eigen::SparseMatrix<T, Eigen::RowMajor> matrix;
    typedef Eigen::Matrix<T, Eigen::Dynamic, 1> vector;

    matrix A;
    vector b, x, y;
    Eigen::ConjugateGradient<matrix, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner>
        method;
    bool solved;

    explicit solver(const child_system &system) : A(system.rows, system.rows), solved(false)
    {
        A.resizeNonZeros(system.entries);
        for (int64_t i = 0; i <= system.rows; i++)
            A.outerIndexPtr()[i] = int(system.start[i]);
        for (int64_t e = 0; e < system.entries; e++) {
            A.innerIndexPtr()[e] = system.column[e];
            A.valuePtr()[e] = T(system.value[e]);
        }
        b.resize(system.rows);
        for (int64_t i = 0; i < system.rows; i++)
            b[i] = T(system.b[i]);
        x = y = vector::Zero(system.rows);
        method.setTolerance(std::numeric_limits<T>::min()); // no iteration ends the loop early
        method.compute(A);
    }
    void cg(unsigned iterations)
    {
        method.setMaxIterations(int(iterations));
        x = method.solve(b);
        solved = true;
    }
    void mv(unsigned times)
    {
        for (unsigned i = 0; i < times; i++)
            y.noalias() = A * b;
        solved = false;
    }
    double check()
    {
        if (!solved)
            return double(y.norm());
        const vector left = b - A * x;
        return double(left.norm()) / double(b.norm());
    }
};

template <typename T> static int serve(const child_system &system)
{
    solver<T> now(system);
    say_ready();
    char line[128], word[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned count = 0;
        if (sscanf(line, "%15s %u", word, &count) < 1)
            continue;
        const double start = child_seconds();
        if (strcmp(word, "cg") == 0)
            now.cg(count);
        else if (strcmp(word, "mv") == 0)
            now.mv(count);
        else if (strcmp(word, "check") != 0) {
            child_refuse("it knows cg, mv and check");
            continue;
        }
        if (strcmp(word, "check") == 0)
            child_say("ok", now.check());
        else
            child_say("ok", child_seconds() - start);
    }
    return 0;
}

int main(int argc, char **argv)
{
    child_system system;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        say_ready();
        return 0;
    }
    if (argc < 3) {
        fprintf(stderr, "a child of `gable bench`: FILE PREC\n");
        return 2;
    }
    const char *why = child_read(argv[1], &system);
    if (why != NULL) {
        child_refuse(why);
        return 1;
    }
    try {
        return argv[2][0] == 's' ? serve<float>(system) : serve<double>(system);
    } catch (const std::exception &error) {
        child_refuse(error.what());
        return 1;
    }
}
