/* test_compile_jobs.c: reports of the compiler that are kept on disk hide no bad kernel.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Small programs of this file's own go through NVRTC with a folder for the reports: a good kernel
 * is compiled once; one that spills, one whose products of warpgroups are serialised and one that
 * does not compile are found bad in every run and leave no file; files that are damaged, of another
 * key, or written by hand for a bad kernel do not count.
 */
#include <stdio.h>
#include <string.h>
#include "device/nvrtc.h"
#include "harness/check.h"
#include "nvrtc/compile_jobs.h"
#include "scratch_folder.h"

/* PREC is 1: the entry is dplanted. The second holds more numbers than two registers a work-item
 * can. */
static const char good_program[] =
    "extern \"C\" __global__ void dplanted(double *x) { x[threadIdx.x] += STEP; }\n";
static const char spilling_program[] =
    "extern \"C\" __global__ void __launch_bounds__(1024, 2) dplanted(double *x)\n"
    "{ double v[48];\n"
    "  for (int r = 0; r < 9; r++) {\n"
    "  _Pragma(\"unroll\") for (int i = 0; i < 48; i++) v[i] = x[i * 1024 + threadIdx.x];\n"
    "  __syncthreads();\n"
    "  _Pragma(\"unroll\") for (int i = 0; i < 48; i++) x[i * 1024 + threadIdx.x] = v[i] * v[47 - "
    "i]; } }\n";
/* What is added to a sum while the matrix units of a warpgroup work on it makes ptxas wait after
 * each product. */
static const char serial_program[] =
    "extern \"C\" __global__ void dplanted(float *x, unsigned long long a, unsigned long long b)\n"
    "{ float c[4] = {0, 0, 0, 0};\n"
    "  for (int i = 0; i < 4; i++) {\n"
    "  asm volatile(\"wgmma.fence.sync.aligned;\" ::: \"memory\");\n"
    "  asm volatile(\"wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {%0, %1, %2, %3}, %4, %5, "
    "1, 1, "
    "1;\"\n"
    "    : \"+f\"(c[0]), \"+f\"(c[1]), \"+f\"(c[2]), \"+f\"(c[3]) : \"l\"(a + i), \"l\"(b));\n"
    "  c[0] += x[i];\n"
    "  asm volatile(\"wgmma.commit_group.sync.aligned;\" ::: \"memory\");\n"
    "  asm volatile(\"wgmma.wait_group.sync.aligned 0;\" ::: \"memory\"); }\n"
    "  x[threadIdx.x] = c[0] + c[1] + c[2] + c[3]; }\n";
static const char wrong_program[] = "extern \"C\" __global__ void dplanted(double *x) { y = 1; }\n";

static char folder[SCRATCH_BYTES];

static compile_job run(const char *program, int step)
{
    compile_job job;
    memset(&job, 0, sizeof job);
    job.spec.file = "planted.cl";
    job.spec.dtype = GBL_D;
    job.spec.macro_count = 1;
    job.spec.macros[0].name = "STEP";
    job.spec.macros[0].value = step;
    job.source = program;
    job.arch = "sm_90a";
    compile_all(&job, 1, folder);
    return job;
}

static bool read_all(const char *path, char *text, size_t bytes)
{
    FILE *stream = fopen(path, "rb");
    const size_t got = stream != NULL ? fread(text, 1, bytes - 1, stream) : 0;
    text[got] = '\0';
    if (stream != NULL)
        fclose(stream);
    return got > 0;
}

static void write_all(const char *path, const char *text, size_t bytes)
{
    FILE *stream = fopen(path, "wb");
    CHECK(stream != NULL && fwrite(text, 1, bytes, stream) == bytes, "%s is not written", path);
    if (stream != NULL)
        fclose(stream);
}

static void good_kernels(void)
{
    test_case("a good kernel");
    compile_job job = run(good_program, 1);
    CHECK(job.good && !job.cached, "the first run: %s", job.why);
    job = run(good_program, 1);
    CHECK(job.good && job.cached, "the second run compiles again: %s", job.why);
    job = run(good_program, 2);
    CHECK(job.good && !job.cached, "another macro is not seen: %s", job.why);
    CHECK(scratch_count(folder) == 2, "%d files, not 2", scratch_count(folder));
}

static void bad_kernels(void)
{
    static const struct {
        const char *name, *text, *why;
    } programs[] = {{"a kernel that spills", spilling_program, "spilled"},
                    {"a kernel with serialised products", serial_program, "wait for each other"},
                    {"a wrong kernel", wrong_program, "y"}};
    const int before = scratch_count(folder);
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
            test_case("%s, run %d", programs[i].name, round);
            const compile_job job = run(programs[i].text, 1);
            CHECK(!job.good && !job.cached, "it is taken for good");
            CHECK(strstr(job.why, programs[i].why) != NULL, "the reason is \"%s\"", job.why);
        }
    }
    test_case("files of bad kernels");
    CHECK(scratch_count(folder) == before, "a bad kernel left a file");
}

/* Files that must not count: a changed byte, a cut, nothing, the report of another kernel. */
static void bad_files(void)
{
    char path[SCRATCH_BYTES + 64], other[SCRATCH_BYTES + 64], text[8192], report[8192];
    compile_job job = run(good_program, 1);
    compile_report_path(&job, folder, path, sizeof path);
    test_case("files");
    if (!read_all(path, text, sizeof text)) {
        CHECK(false, "%s cannot be read", path);
        return;
    }
    const size_t bytes = strlen(text);
    const size_t newline = bytes - 17; /* before the hash */
    for (size_t at = 0; at < bytes + 29; at += 29) {
        const size_t place = at < bytes ? at : newline;
        memcpy(report, text, bytes + 1);
        report[place] = (char)(report[place] ^ 1);
        write_all(path, report, bytes);
        test_case("byte %zu is changed", place);
        job = run(good_program, 1);
        CHECK(job.good && !job.cached, "the file counts: %s", job.why);
    }
    static const size_t cuts[] = {0, 1, 40};
    for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
        test_case("all but %zu bytes are gone", cuts[i]);
        write_all(path, text, cuts[i]);
        job = run(good_program, 1);
        CHECK(job.good && !job.cached, "the file counts: %s", job.why);
    }
    test_case("the report of another kernel");
    job.source = spilling_program;
    compile_report_path(&job, folder, other, sizeof other);
    CHECK(strcmp(path, other) != 0, "two kernels share a file");
    write_all(other, text, bytes);
    job = run(spilling_program, 1);
    CHECK(!job.good && !job.cached, "it counts");
}

int main(void)
{
    int major = 0, minor = 0;
    gbl_message message = {NULL, ""};
    test_start("test_compile_jobs");
    if (gbl_nvrtc_version(&major, &minor, &message) != GABLE_OK)
        test_skip("nvrtc", "NVRTC cannot be used: %s", message.text);
    if (!scratch_make(folder)) {
        CHECK(false, "no scratch folder");
        return test_finish();
    }
    good_kernels();
    bad_kernels();
    bad_files();
    scratch_clear(folder, false);
    return test_finish();
}
