/* emulated_entry.h: the last lines of a kernel that emulated_code.c compiles: how it is called.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * operands.inc has one line for each parameter of the kernel, with the conditions of its text:
 * MAP_OPERAND, BUFFER_OPERAND or ARGS_OPERAND(type), and COMMA between them.
 */
#include <string.h>

#define COMMA
#define ARGS_OPERAND(type)

#define MAP_OPERAND +1
#define BUFFER_OPERAND
enum {
    MAPS = 0
#include "operands.inc"
};
#undef MAP_OPERAND
#undef BUFFER_OPERAND

#define MAP_OPERAND
#define BUFFER_OPERAND +1
enum {
    BUFFERS = 0
#include "operands.inc"
};
#undef MAP_OPERAND
#undef BUFFER_OPERAND
#undef ARGS_OPERAND
#undef COMMA

#define COMMA          ,
#define MAP_OPERAND    hopper_map(__COUNTER__ - FIRST, MAPS)
#define BUFFER_OPERAND ((void *)(uintptr_t)buffers[__COUNTER__ - FIRST - MAPS])
#define ARGS_OPERAND(type)                                                                         \
    __extension__({                                                                                \
        type taken;                                                                                \
        memcpy(&taken, args, sizeof taken);                                                        \
        taken;                                                                                     \
    })
enum { FIRST = __COUNTER__ + 1 };

extern const int emulated_buffers;
const int emulated_buffers = BUFFERS;

/* Where LOCAL data of a kernel stands whose groups wait for each other, and where it ends: of each
 * group in turn (fake_cluster.c). */
extern char *const emulated_local[2];
#if GROUPS_MEET
extern char __start_kernel_local[], __stop_kernel_local[];
char *const emulated_local[2] = {__start_kernel_local, __stop_kernel_local};
#else
char *const emulated_local[2] = {0, 0};
#endif

void emulated_entry(const void *const *buffers, const void *args);
void emulated_entry(const void *const *buffers, const void *args)
{
    (void)buffers, (void)args; /* a kernel may have none */
    ENTRY(
#include "operands.inc"
    );
}
