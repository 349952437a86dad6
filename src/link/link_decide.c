/* link_decide.c: judges calls, and remembers by size class.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "link/link_decide.h"
#include "link/link_lapack.h"
#include "model/cpu_rates.h"

/* A device must win by a fifth, and by 50 us. */
#define MARGIN     1.2
#define LEAST_GAIN 50e-6

uint64_t gbl_link_work(const gbl_link_call *call)
{
    if (gbl_link_is_lapack(call->routine))
        return gbl_link_lapack_work(call);
    const int64_t k = call->k > 0 ? call->k : call->side == GABLE_LEFT ? call->m : call->n;
    const uint64_t plane = (uint64_t)call->m * (uint64_t)call->n;
    return plane > UINT64_MAX / (uint64_t)k ? UINT64_MAX : plane * (uint64_t)k;
}

/* ---- Size classes ---- */

/* The number of the class: the place of the first bit, and the three bits behind it. */
static unsigned class_of(int64_t size)
{
    unsigned place = 0;
    for (int64_t rest = size; rest >= 16; rest >>= 1)
        place++;
    return place * 8 + (unsigned)(size >> place);
}

/* The middle of a class. */
static int64_t middle_of(int64_t size)
{
    unsigned place = 0;
    for (int64_t rest = size; rest >= 16; rest >>= 1)
        place++;
    return place == 0 ? size : (size >> place << place) + ((int64_t)1 << place >> 1);
}

gbl_link_call gbl_link_canonical(const gbl_link_call *call)
{
    gbl_link_call middle = *call;
    middle.m = middle_of(call->m);
    middle.n = middle_of(call->n);
    middle.k = middle_of(call->k);
    return middle;
}

/* ---- Judging ---- */

static uint64_t nanoseconds(double seconds)
{
    return seconds > 0 && seconds < 1e9 ? (uint64_t)(seconds * 1e9) : 0;
}

double gbl_link_multiply_adds(const gbl_link_call *call)
{
    const double all = (double)gbl_link_work(call);
    switch (call->routine) {
    case GBL_LINK_gemmt:
    case GBL_LINK_gemmtr:
    case GBL_LINK_syrk:
    case GBL_LINK_herk:
    case GBL_LINK_trmm:
    case GBL_LINK_trsm:
        return all / 2;
    default:
        return all;
    }
}

double gbl_link_flops_each(gbl_dtype dtype)
{
    return gbl_dtype_complex(dtype) ? 8 : 2;
}

double gbl_link_cpu_seconds(const gbl_link_call *call, const char *words, gbl_link_kind kind,
                            int threads, bool *measured)
{
    const gbl_cpu_library library = {
        .words = words, .tuned = kind == GBL_LINK_TUNED, .threads = threads};
    const double work = gbl_link_multiply_adds(call);
    gbl_cpu_rate_source source;
    char name[16];
    gbl_link_rate_name(call, name);
    const double rate = gbl_cpu_rate(&library, name, call->dtype, work, 0, &source);
    *measured = source != GBL_CPU_RATE_GUESSED;
    return gbl_link_flops_each(call->dtype) * work / rate;
}

uint64_t gbl_link_own_time(const gbl_link_call *call, uint64_t class_time)
{
    const gbl_link_call middle = gbl_link_canonical(call);
    return (uint64_t)((double)class_time * gbl_link_multiply_adds(call) /
                      gbl_link_multiply_adds(&middle));
}

gbl_link_verdict gbl_link_judge(double cpu_seconds, double device_seconds)
{
    return (gbl_link_verdict){.device = MARGIN * device_seconds < cpu_seconds &&
                                        cpu_seconds - device_seconds > LEAST_GAIN,
                              .cpu_time = nanoseconds(cpu_seconds),
                              .device_time = nanoseconds(device_seconds)};
}

bool gbl_link_scattered(const gbl_link_call *call)
{
    const gbl_link_shapes shapes = gbl_link_shapes_of(call);
    return (shapes.a.columns > 1 && call->lda / 4 > shapes.a.rows) ||
           (shapes.b.columns > 1 && call->ldb / 4 > shapes.b.rows) ||
           (shapes.c.columns > 1 && call->ldc / 4 > shapes.c.rows);
}

/* ---- Memory ---- */

#define PLACES 1024
#define PROBES 8

/* The key is written last and read first; a place is used once, until all are forgotten. */
static struct {
    _Atomic uint64_t key;
    _Atomic uint64_t cpu_time, device_time; /* the lowest bit of cpu_time is the verdict */
} places[PLACES];

/* Which vectors, in two bits: none, as many as values, all, in the place of the matrix. */
static unsigned vectors_of(int job)
{
    return job == 0 || job == GABLE_NO_VECTORS ? 0
           : job == GABLE_ALL_VECTORS          ? 2
           : job == GABLE_OVERWRITE            ? 3
                                               : 1;
}

_Static_assert(GBL_LINK_ROUTINE_COUNT <= 64, "six bits of the key");

static uint64_t key_of(const gbl_link_call *call, gbl_link_kind kind, int threads)
{
    /* Drivers have jobs in place of transposes. */
    const bool driver = gbl_link_is_driver(call->routine);
    const unsigned first = driver ? vectors_of(call->job) : (unsigned)(call->trans % 4),
                   second = driver ? vectors_of(call->job_b) : (unsigned)(call->trans_b % 4);
    const unsigned flags = first | second << 2 | (unsigned)(call->side % 4) << 4 |
                           (unsigned)(call->uplo % 4) << 6 | (unsigned)(call->diag % 4) << 8 |
                           (unsigned)gbl_link_reads_c(call) << 10;
    const uint64_t sizes =
        (uint64_t)class_of(call->m) << 16 | (uint64_t)class_of(call->n) << 8 | class_of(call->k);
    const uint64_t team = (uint64_t)(threads < 1023 ? threads : 1023) << 1 | (uint64_t)kind;
    return (uint64_t)1 << 63 | team << 45 | sizes << 20 | (uint64_t)flags << 8 |
           (uint64_t)call->routine << 2 | (uint64_t)call->dtype;
}

static unsigned place_of(uint64_t key, unsigned probe)
{
    return (unsigned)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 54) + probe;
}

bool gbl_link_recall(const gbl_link_call *call, gbl_link_kind kind, int threads,
                     gbl_link_verdict *verdict)
{
    const uint64_t key = key_of(call, kind, threads);
    for (unsigned i = 0; i < PROBES; i++) {
        const unsigned at = place_of(key, i) % PLACES;
        if (atomic_load_explicit(&places[at].key, memory_order_acquire) != key)
            continue;
        const uint64_t cpu_time = atomic_load(&places[at].cpu_time);
        verdict->device = cpu_time & 1;
        verdict->cpu_time = cpu_time >> 1;
        verdict->device_time = atomic_load(&places[at].device_time);
        return true;
    }
    return false;
}

/* Called by the service thread alone. */
void gbl_link_remember(const gbl_link_call *call, gbl_link_kind kind, int threads,
                       const gbl_link_verdict *verdict)
{
    const uint64_t key = key_of(call, kind, threads);
    for (unsigned i = 0; i < PROBES; i++) {
        const unsigned at = place_of(key, i) % PLACES;
        if (atomic_load(&places[at].key) != 0)
            continue;
        atomic_store(&places[at].cpu_time, verdict->cpu_time << 1 | (uint64_t)verdict->device);
        atomic_store(&places[at].device_time, verdict->device_time);
        atomic_store_explicit(&places[at].key, key, memory_order_release);
        return;
    }
}

void gbl_link_forget_all(void)
{
    for (unsigned i = 0; i < PLACES; i++)
        atomic_store(&places[i].key, 0);
}
