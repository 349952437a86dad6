/* viennacl_child.cpp: ViennaCL's CG and sparse product, as a child program of `gable bench`.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 *     gable_peer_viennacl FILE PREC [DEVICE]
 *
 * Compiled twice: with VIENNACL_WITH_OPENMP it runs on the host, with VIENNACL_WITH_OPENCL on the
 * OpenCL device of that name. ViennaCL has pipelined kernels for several formats. The fastest of
 * compressed rows, ELL and sliced ELL is kept, after a few iterations with each. The other two are
 * left out where rows, filled up to the longest one, would take more than three times the entries.
 * Its kernels have the parameters that its headers have built in for the device.
 */
#include "child_system.h"

#include <map>
#include <string>
#include <vector>
#include <viennacl/compressed_matrix.hpp>
#include <viennacl/ell_matrix.hpp>
#include <viennacl/linalg/cg.hpp>
#include <viennacl/linalg/norm_2.hpp>
#include <viennacl/linalg/prod.hpp>
#include <viennacl/sliced_ell_matrix.hpp>
#include <viennacl/vector.hpp>
#include <viennacl/version.hpp>
#ifdef VIENNACL_WITH_OPENCL
#include <viennacl/ocl/backend.hpp>
#endif

static const int TRIED = 10; // iterations with each format; the best of three runs counts
static const int RUNS = 3;
static const int64_t MOST =
    50000000; // entries that are converted: its conversions take 48 bytes each on the way

// One way to hold the matrix.
template <typename T> struct way {
    virtual ~way()
    {
    }
    virtual const char *name() const = 0;
    virtual void cg(unsigned iterations) = 0;
    virtual void mv(unsigned times) = 0;
    virtual double check() = 0;
};

template <typename T, typename Matrix> struct kept : way<T> {
    const char *title;
    Matrix A;
    const viennacl::vector<T> &b;
    viennacl::vector<T> x, y;
    bool solved;

    kept(const char *name, const viennacl::vector<T> &rhs)
        : title(name), b(rhs), x(rhs.size()), y(rhs.size()), solved(true)
    {
    }
    const char *name() const
    {
        return title;
    }
    // Tolerance 0: no iteration ends the loop early.
    void cg(unsigned iterations)
    {
        x = viennacl::linalg::solve(A, b, viennacl::linalg::cg_tag(0, iterations));
        viennacl::backend::finish();
        solved = true;
    }
    void mv(unsigned times)
    {
        for (unsigned i = 0; i < times; i++)
            y = viennacl::linalg::prod(A, b);
        viennacl::backend::finish();
        solved = false;
    }
    double check()
    {
        if (!solved)
            return viennacl::linalg::norm_2(y);
        viennacl::vector<T> left = viennacl::linalg::prod(A, x);
        left = b - left;
        return double(viennacl::linalg::norm_2(left)) / double(viennacl::linalg::norm_2(b));
    }
};

template <typename T> static double seconds_of(way<T> &now, unsigned iterations)
{
    const double start = child_seconds();
    now.cg(iterations);
    return child_seconds() - start;
}

// Whether rows that are filled up to the longest one take at most three times the entries.
static bool fills_little(const child_system &system)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < system.rows; i++)
        if (system.start[i + 1] - system.start[i] > longest)
            longest = system.start[i + 1] - system.start[i];
    return longest * system.rows <= 3 * system.entries;
}

template <typename T>
static way<T> *fastest(const child_system &system, const viennacl::vector<T> &b)
{
    std::vector<unsigned> start(system.start, system.start + system.rows + 1);
    std::vector<unsigned> column(system.column, system.column + system.entries);
    std::vector<T> value(system.value, system.value + system.entries);
    const viennacl::vcl_size_t n = viennacl::vcl_size_t(system.rows);

    kept<T, viennacl::compressed_matrix<T>> *csr =
        new kept<T, viennacl::compressed_matrix<T>>("CSR", b);
    csr->A.set(&start[0], &column[0], &value[0], n, n, viennacl::vcl_size_t(system.entries));
    std::vector<way<T> *> ways(1, csr);
    if (system.entries <= MOST && fills_little(system)) {
        std::vector<std::map<unsigned, T>> maps(n);
        for (viennacl::vcl_size_t i = 0; i < n; i++)
            for (unsigned e = start[i]; e < start[i + 1]; e++)
                maps[i][column[e]] = value[e];
        kept<T, viennacl::ell_matrix<T>> *ell = new kept<T, viennacl::ell_matrix<T>>("ELL", b);
        viennacl::copy(maps, ell->A);
        ways.push_back(ell);
        kept<T, viennacl::sliced_ell_matrix<T>> *sell =
            new kept<T, viennacl::sliced_ell_matrix<T>>("sliced ELL", b);
        viennacl::copy(maps, sell->A);
        ways.push_back(sell);
    }

    size_t best = 0;
    double least = 0;
    for (size_t i = 0; i < ways.size(); i++) {
        seconds_of(*ways[i], TRIED); // compiles, touches
        for (int run = 0; run < RUNS; run++) {
            const double now = seconds_of(*ways[i], TRIED);
            if ((i == 0 && run == 0) || now < least) {
                best = i;
                least = now;
            }
        }
    }
    for (size_t i = 0; i < ways.size(); i++)
        if (i != best)
            delete ways[i];
    return ways[best];
}

static void say_ready(const char *more)
{
    printf("ready ViennaCL %d.%d.%d, %s\n", VIENNACL_MAJOR_VERSION, VIENNACL_MINOR_VERSION,
           VIENNACL_PATCH_VERSION, more);
    fflush(stdout);
}

template <typename T> static int serve(const child_system &system)
{
    std::vector<T> host(system.b, system.b + system.rows);
    viennacl::vector<T> b(host.size());
    viennacl::copy(host, b);
    way<T> *now = fastest<T>(system, b);
    say_ready(now->name());
    char line[128], word[16];
    while (fgets(line, sizeof line, stdin) != NULL) {
        unsigned count = 0;
        if (sscanf(line, "%15s %u", word, &count) < 1)
            continue;
        const double start = child_seconds();
        if (strcmp(word, "cg") == 0)
            now->cg(count);
        else if (strcmp(word, "mv") == 0)
            now->mv(count);
        else if (strcmp(word, "check") != 0) {
            child_refuse("it knows cg, mv and check");
            continue;
        }
        if (strcmp(word, "check") == 0)
            child_say("ok", now->check());
        else
            child_say("ok", child_seconds() - start);
    }
    delete now;
    return 0;
}

#ifdef VIENNACL_WITH_OPENCL
static bool take_device(const char *wanted)
{
    std::vector<viennacl::ocl::platform> platforms = viennacl::ocl::get_platforms();
    for (size_t p = 0; p < platforms.size(); p++) {
        const std::vector<viennacl::ocl::device> devices = platforms[p].devices(CL_DEVICE_TYPE_ALL);
        for (size_t d = 0; d < devices.size(); d++)
            if (wanted == NULL || devices[d].name().find(wanted) != std::string::npos) {
                viennacl::ocl::setup_context(0, devices[d]);
                return true;
            }
    }
    return false;
}
#endif

int main(int argc, char **argv)
{
    child_system system;
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
#ifdef VIENNACL_WITH_OPENCL
        say_ready("OpenCL, the fastest of CSR, ELL and sliced ELL");
#else
        say_ready("OpenMP, the fastest of CSR, ELL and sliced ELL");
#endif
        return 0;
    }
    if (argc < 3) {
        fprintf(stderr, "a child of `gable bench`: FILE PREC [DEVICE]\n");
        return 2;
    }
    const char *why = child_read(argv[1], &system);
    if (why != NULL) {
        child_refuse(why);
        return 1;
    }
    try {
#ifdef VIENNACL_WITH_OPENCL
        if (!take_device(argc > 3 ? argv[3] : NULL)) {
            child_refuse("there is no OpenCL device of that name");
            return 1;
        }
#endif
        return argv[2][0] == 's' ? serve<float>(system) : serve<double>(system);
    } catch (const std::exception &error) {
        child_refuse(error.what());
        return 1;
    } catch (...) {
        child_refuse("ViennaCL threw what is no exception");
        return 1;
    }
}
