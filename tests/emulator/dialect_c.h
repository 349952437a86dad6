/* dialect_c.h: the words of kernels/dialect.h for plain C.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * With fake_items.c work-items are threads, and LOCAL data is static, shared by the threads of the
 * one group that runs. With fake_turns.c they take turns in one thread. With SIDE_BY_SIDE and
 * fake_groups.c groups are threads, and LOCAL data is that of the group's thread. With threads a
 * missing barrier is a data race that the thread sanitizer names. With GROUPS_MEET and
 * fake_cluster.c groups take turns in one thread, and LOCAL data is exchanged with them.
 *
 * Words between groups promise here what the weakest device gives and no more: a ticket acquires
 * and releases, who arrives releases only, a word that is published or looked at orders nothing.
 *
 * WARP_SIZE above 1 gives the register forms of reduce.h and best.h, with a shuffle that goes
 * through memory: as long double, which holds every double and every 64-bit integer exactly.
 */
#ifndef DIALECT_C_H
#define DIALECT_C_H
#define GABLE_DIALECT 1

#include <float.h>
#include <stdint.h>
#include <tgmath.h> /* fma for float and for double */

typedef int32_t i32;
typedef int64_t i64;
typedef uint32_t u32;
typedef uint64_t u64;
typedef double f64;
_Static_assert(LDBL_MANT_DIG >= 64, "a shuffle would round 64-bit integers");

/* Which work-item runs in this thread; set by fake_items.c, fake_turns.c or fake_groups.c. */
typedef struct dialect_item {
    i32 lane;
    i64 group, groups, row; /* along x, how many; along y */
} dialect_item;
extern _Thread_local dialect_item dialect_here;

void dialect_barrier(void);
long double dialect_shuffle_xor(long double value, i32 mask);
i32 dialect_any(i32 condition);
/* Before every word between groups: other groups may overtake this one. */
void dialect_pause(void);
/* Others of the group go on first (fake_groups.c). */
void dialect_rest(void);

#define KERNEL(op, wx, wy, min_groups) static void FN(op)
#define DEVICE                         static inline
#define GLOBAL
#if defined(SIDE_BY_SIDE)
#define LOCAL static _Thread_local
#elif defined(GROUPS_MEET) && GROUPS_MEET
#define LOCAL static __attribute__((section("kernel_local")))
#else
#define LOCAL static
#endif
#define LOCAL_PTR
#define RESTRICT   restrict
#define ALIGNED(n) __attribute__((aligned(n)))
#define UNROLLED
#define ROLLED
#define MAY_FUSE
#define BARRIER()        dialect_barrier()
#define BEGIN()          (void)0
#define NEXT_MAY_START() (void)0
#define TICKET(p)        (dialect_pause(), __atomic_fetch_add((p), 1, __ATOMIC_ACQ_REL))
#define ARRIVE(p)        (dialect_pause(), (void)__atomic_fetch_add((p), 1, __ATOMIC_RELEASE))
#define PUBLISH(p, w)    (dialect_pause(), __atomic_store_n((p), (w), __ATOMIC_RELAXED))
#define PEEK(p)          (dialect_pause(), __atomic_load_n((p), __ATOMIC_RELAXED))
#define AWAIT(p, least)                                                                            \
    do                                                                                             \
        dialect_pause();                                                                           \
    while (__atomic_load_n((p), __ATOMIC_ACQUIRE) < (least))
#define ITEM_X               (dialect_here.lane)
#define GROUP_X              (dialect_here.group)
#define GROUP_Y              (dialect_here.row)
#define GROUPS_X             (dialect_here.groups)
#define SHUFFLE_XOR(v, mask) dialect_shuffle_xor((v), (mask))
#define SHUFFLE(v, lane)     dialect_shuffle_xor((v), ITEM_X % WARP_SIZE ^ (lane))
#define WARP_ANY(c)          dialect_any(c)
#define R_fma(a, b, c)       fma((a), (b), (c))
#define rsqrt(x)             (1 / sqrt(x))

/* The least that a device does: the copy is made at once, and others see it behind a barrier. */
#define COPY_AHEAD(to, from)                  (*(to) = *(from))
#define COPY_AHEAD_IF(to, from, given, zeros) (*(to) = (given) ? *(from) : (zeros))
#define FETCH(p)                              (void)(p)
#define COPIES_END()                          (void)0
#define COPIES_WAIT(groups)                   (void)0

/* On 16 bytes, as on devices. */
#define LOCAL_ROOM(type, name, count) LOCAL ALIGNED(16) type name[count]

#endif
