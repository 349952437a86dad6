/* copy_team.h: copies of host memory by several threads.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * One core moves 8 to 10 GB/s, the link to a GPU takes 55 (H200, 2026-11). The threads are the
 * library's own and not OpenMP's, whose runtime hangs in a child of fork when the parent used it.
 * They start at the first large copy, sleep between copies, take no signals and belong to the
 * process that started them. A child of fork starts its own.
 */
#ifndef GBL_COPY_TEAM_H
#define GBL_COPY_TEAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which bytes of a run are copied: all, those before the edge, or those from the edge on. The edge
 * of run i is at edge + i * step: with a step of one element this is a triangle of a matrix. */
typedef enum gbl_keep { GBL_KEEP_ALL, GBL_KEEP_BEFORE, GBL_KEEP_FROM } gbl_keep;
typedef struct gbl_clip {
    gbl_keep keep;
    int64_t edge, step; /* in bytes */
} gbl_clip;

/* `runs` runs of run_bytes each, their starts a pitch apart. Source and target do not overlap. */
typedef struct gbl_host_copy {
    char *target;
    const char *source;
    size_t target_pitch, source_pitch, run_bytes;
    int64_t runs;
    gbl_clip clip;
} gbl_host_copy;

/* Returns when all is copied. Where another thread uses the team, the caller copies alone. */
void gbl_copy_team_run(const gbl_host_copy *copy);

/* How many threads copy, the caller among them: at most 16, no more than the CPUs that the process
 * may use, nor than $OMP_NUM_THREADS or $OPENBLAS_NUM_THREADS say. */
int gbl_copy_team_size(void);
/* Threads for other work of that kind: as many as there are CPUs beyond those, by the same rules,
 * and at least a quarter of all CPUs. */
int gbl_copy_team_spare(void);

#endif
