/* test_fork.c: children of fork: they compute on cpu and are told clearly where they cannot.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Prefork servers and Python's multiprocessing fork after the first calls. A child works on cpu,
 * with contexts of its own. A context of the parent is refused and can be closed; the parent's goes
 * on. CUDA and OpenCL work in a child only where the parent had not used them. A child that hangs
 * is ended by its alarm, which is a failure.
 */
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "harness/check.h"
#include "harness/sanitized.h"

enum { N = 1000000, ORDER = 600, CHILDREN = 4, PATIENCE = 60 /* seconds */ };

static double *ones; /* N of them, in host memory */
static char folder[] = "/tmp/gable-fork-XXXXXX", trace[64];

typedef void (*child_function)(void *what);

/* A child that runs the function and ends with status 0 if all its checks hold. */
static pid_t start_child(child_function function, void *what)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child != 0)
        return child;
    alarm(PATIENCE);
    const long before = test_failures();
    function(what);
    fflush(NULL);
    _exit(test_failures() > before);
}

static void end_child(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "a child ended with %s %d",
          WIFEXITED(status) ? "status" : "signal",
          WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
}

static void in_child(child_function function, void *what)
{
    end_child(start_child(function, what));
}

/* ---- What a child does with a context of its own ---- */

static char alone[] = "alone"; /* no BLAS: it has threads of its own */

/* dot and gemv on host memory, by the variant that is chosen and by the installed BLAS. */
static void compute_on_cpu(void *what)
{
    static const char *const choices[] = {"", "dot=blas,gemv=blas"};
    gable_context *ctx = NULL;
    double *A = malloc(sizeof(double) * ORDER * ORDER), *y = malloc(sizeof(double) * ORDER);
    const gable_status status = gable_open(&ctx, "cpu");
    if (CHECK_OK(ctx, status)) {
        for (int i = 0; i < ORDER * ORDER; i++)
            A[i] = 1;
        for (int i = 0; i < (what == alone ? 1 : 2); i++) {
            double sum = 0;
            if (choices[i][0] != '\0' && gable_set_variant(ctx, choices[i]) != GABLE_OK)
                continue; /* no BLAS is installed */
            CHECK_OK(ctx, gable_ddot(ctx, N, ones, 1, ones, 1, &sum));
            CHECK(sum == N, "dot in a child gives %g", sum);
            CHECK_OK(ctx,
                     gable_dgemv(ctx, GABLE_NO_TRANS, ORDER, ORDER, 1, A, ORDER, ones, 1, 0, y, 1));
            CHECK(y[0] == ORDER && y[ORDER - 1] == ORDER, "gemv in a child gives %g", y[0]);
        }
    }
    gable_close(ctx);
    free(A);
    free(y);
}

static void compute_on_device(void *what)
{
    gable_context *ctx = NULL;
    double *x = NULL, sum = 0;
    (void)what;
    const gable_status status = gable_open(&ctx, test_device());
    if (status != GABLE_NO_DEVICE && CHECK_OK(ctx, status)) {
        CHECK_OK(ctx, gable_alloc(ctx, N * sizeof *x, (void **)&x));
        CHECK_OK(ctx, gable_set_vector(ctx, N, sizeof *x, ones, 1, x, 1));
        CHECK_OK(ctx, gable_ddot(ctx, N, x, 1, x, 1, &sum));
        CHECK(sum == N, "dot in a child gives %g", sum);
        CHECK_OK(ctx, gable_free(ctx, x));
    }
    gable_close(ctx);
}

/* ---- What a child does with what its parent opened ---- */

typedef struct belongings {
    gable_context *ctx;
    gable_timer *timer;
    gable_recording *recording;
    double *x, *result;
} belongings;

#define INHERITED(ctx, call, routine)                                                              \
    CHECK_REFUSED(ctx, call, GABLE_DEVICE_LOST, routine, "the process that forked this one")

static void use_inherited(void *what)
{
    const belongings *of = what;
    gable_context *ctx = of->ctx;
    gable_device_info info;
    gable_recording *recording = NULL;
    gable_timer *timer = NULL;
    void *address = NULL;
    double sum = -1;
    INHERITED(ctx, gable_ddot(ctx, N, of->x, 1, of->x, 1, &sum), "gable_ddot");
    INHERITED(ctx, gable_drotg(ctx, &sum, &sum, &sum, &sum), "gable_drotg");
    INHERITED(ctx, gable_sync(ctx), "gable_sync");
    INHERITED(ctx, gable_wait(ctx, ctx), "gable_wait");
    INHERITED(ctx, gable_alloc(ctx, 64, &address), "gable_alloc");
    INHERITED(ctx, gable_free(ctx, of->x), "gable_free");
    INHERITED(ctx, gable_reserve(ctx, 64), "gable_reserve");
    INHERITED(ctx, gable_fill_bytes(ctx, of->x, 0, 8), "gable_fill_bytes");
    INHERITED(ctx, gable_get_vector(ctx, 1, 8, of->x, 1, &sum, 1), "gable_get_vector");
    INHERITED(ctx, gable_record_begin(ctx), "gable_record_begin");
    INHERITED(ctx, gable_record_end(ctx, &recording), "gable_record_end");
    INHERITED(ctx, gable_replay(ctx, of->recording), "gable_replay");
    INHERITED(ctx, gable_timer_create(ctx, &timer), "gable_timer_create");
    INHERITED(ctx, gable_timer_start(of->timer), "gable_timer_start");
    INHERITED(ctx, gable_timer_seconds(of->timer, &sum), "gable_timer_seconds");
    INHERITED(ctx, gable_set_variant(ctx, ""), "gable_set_variant");
    INHERITED(ctx, gable_calibrate(ctx), "gable_calibrate");
    CHECK(sum == -1, "a refused call wrote %g", sum);
    CHECK_OK(ctx, gable_context_describe(ctx, &info));
    gable_timer_destroy(of->timer);
    gable_recording_destroy(of->recording);
    gable_close(ctx);
}

/* Only the host's device opens again, by name and by default. */
static void open_again(void *what)
{
    gable_context *ctx = NULL;
    const char *name = test_device();
    gable_device_info info;
    gable_status status;
    (void)what;
    if (strcmp(name, "cpu") == 0) {
        compute_on_cpu(NULL);
    } else {
        status = gable_open(&ctx, name);
        CHECK_REFUSED(ctx, status, GABLE_NO_DEVICE, "gable_open", "forked", "spawn");
        gable_close(ctx);
    }
    CHECK(gable_device_count() >= 3, "a child sees %d devices", gable_device_count());
    unsetenv("GABLE_DEVICE");
    status = gable_open(&ctx, NULL);
    if (CHECK_OK(ctx, status) && CHECK_OK(ctx, gable_context_describe(ctx, &info)))
        CHECK(strcmp(name, "cpu") == 0 || strncmp(info.name, name, strcspn(name, ":")) != 0,
              "a child opens %s by default", info.name);
    gable_close(ctx);
}

static belongings make_belongings(void)
{
    belongings of = {.ctx = test_open()};
    CHECK_OK(of.ctx, gable_alloc(of.ctx, N * sizeof *of.x, (void **)&of.x));
    CHECK_OK(of.ctx, gable_alloc(of.ctx, sizeof *of.result, (void **)&of.result));
    CHECK_OK(of.ctx, gable_set_vector(of.ctx, N, sizeof *of.x, ones, 1, of.x, 1));
    CHECK_OK(of.ctx, gable_timer_create(of.ctx, &of.timer));
    CHECK_OK(of.ctx, gable_timer_start(of.timer));
    CHECK_OK(of.ctx, gable_record_begin(of.ctx));
    CHECK_OK(of.ctx, gable_ddot(of.ctx, N, of.x, 1, of.x, 1, of.result));
    CHECK_OK(of.ctx, gable_record_end(of.ctx, &of.recording));
    CHECK_OK(of.ctx, gable_replay(of.ctx, of.recording));
    CHECK_OK(of.ctx, gable_timer_stop(of.timer));
    return of;
}

/* All that the parent has works as before. */
static void use_own(const belongings *of)
{
    double sum = 0, seconds = -1;
    CHECK_OK(of->ctx, gable_fill_bytes(of->ctx, of->result, 0, sizeof sum));
    CHECK_OK(of->ctx, gable_replay(of->ctx, of->recording));
    CHECK_OK(of->ctx, gable_get_vector(of->ctx, 1, sizeof sum, of->result, 1, &sum, 1));
    CHECK(sum == N, "the parent's replay gives %g", sum);
    CHECK_OK(of->ctx, gable_timer_seconds(of->timer, &seconds));
    CHECK(seconds >= 0, "the parent's timer says %g", seconds);
    CHECK_OK(of->ctx, gable_ddot(of->ctx, N, of->x, 1, of->x, 1, &sum));
    CHECK(sum == N, "the parent's dot gives %g", sum);
}

static void free_own(const belongings *of)
{
    gable_free(of->ctx, of->x);
    gable_free(of->ctx, of->result);
    gable_close(of->ctx);
}

/* ---- Scenes ---- */

/* As multiprocessing does: some children at once, and children of children. */
static void have_child(void *what)
{
    compute_on_cpu(what);
    in_child(compute_on_cpu, what);
    compute_on_cpu(what);
}

static void several(void)
{
    pid_t children[CHILDREN];
    test_case("several children, and theirs");
    for (int i = 0; i < CHILDREN; i++)
        children[i] = start_child(have_child, NULL);
    compute_on_cpu(NULL);
    for (int i = 0; i < CHILDREN; i++)
        end_child(children[i]);
}

/* A thread that opens, chooses and closes all the time: one fork or another comes when it holds a
 * lock. */
static atomic_bool enough;
static void *keep_busy(void *what)
{
    (void)what;
    for (int64_t n = 1; !atomic_load(&enough); n = n % 5000 + 1) {
        gable_context *ctx = NULL;
        double sum = 0;
        if (gable_open(&ctx, "cpu") == GABLE_OK)
            gable_ddot(ctx, n, ones, 1, ones, 1, &sum);
        gable_device_count();
        gable_close(ctx);
    }
    return NULL;
}

static void open_small(void *what)
{
    gable_context *ctx = NULL;
    double sum = 0;
    (void)what;
    const gable_status status = gable_open(&ctx, "cpu");
    CHECK_OK(ctx, status);
    CHECK_OK(ctx, gable_ddot(ctx, 77, ones, 1, ones, 1, &sum));
    CHECK(sum == 77, "dot in a child gives %g", sum);
    gable_close(ctx);
}

static void busy_parent(void)
{
    enum { FORKS = 100 };
    pthread_t thread;
    test_case("forks while a thread works");
    if (SANITIZED) {
        test_leave_out(NULL, "the sanitizers' own malloc does not survive such forks");
        return;
    }
    atomic_store(&enough, false);
    if (pthread_create(&thread, NULL, keep_busy, NULL) != 0) {
        test_leave_out(NULL, "no thread can be made");
        return;
    }
    for (int i = 0; i < FORKS; i++)
        in_child(open_small, NULL);
    atomic_store(&enough, true);
    pthread_join(thread, NULL);
}

/* The team cannot be sent away then: the child computes alone. */
static void from_region(void)
{
    pid_t child = 0;
    test_case("a fork inside an OpenMP region");
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        child = start_child(compute_on_cpu, alone);
    }
    end_child(child);
    compute_on_cpu(NULL);
}

/* A child's calls are not in the parent's trace. */
static void profiles(gable_context *ctx)
{
    char line[4096];
    int calls = 0, ends = 0;
    test_case("a profile");
    if (!CHECK_OK(ctx, gable_profile_start(ctx, trace)))
        return;
    in_child(compute_on_cpu, NULL);
    compute_on_cpu(NULL);
    CHECK_OK(ctx, gable_profile_stop(ctx));
    FILE *file = fopen(trace, "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        calls += strstr(line, "\"name\":\"dgemv") != NULL;
        ends += strcmp(line, "]\n") == 0;
    }
    if (file != NULL)
        fclose(file);
    CHECK((calls == 1 || calls == 2) && ends == 1, "%d calls and %d ends in the trace", calls,
          ends);
}

int main(void)
{
    test_start("test_fork");
    unsetenv("GABLE_VARIANT");
    omp_set_num_threads(4);
    ones = malloc(N * sizeof *ones);
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    if (mkdtemp(folder) == NULL)
        test_skip(NULL, "no folder %s can be made", folder);
    snprintf(trace, sizeof trace, "%s/trace.json", folder);

    test_case("a parent that used nothing");
    in_child(compute_on_device, NULL);
    belongings of = make_belongings();
    test_case("the parent's context");
    in_child(use_inherited, &of);
    use_own(&of);
    test_case("another context");
    in_child(open_again, NULL);
    use_own(&of);
    test_case("a parent with threads");
    compute_on_cpu(NULL);
    in_child(compute_on_cpu, NULL);
    several();
    busy_parent();
    from_region();
    profiles(of.ctx);
    use_own(&of);
    free_own(&of);
    remove(trace);
    rmdir(folder);
    free(ones);
    return test_finish();
}
