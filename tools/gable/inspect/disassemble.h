/* disassemble.h: a cubin as text, where NVIDIA's disassembler is installed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef TOOL_DISASSEMBLE_H
#define TOOL_DISASSEMBLE_H

#include <stddef.h>

/* The listing of a cubin by nvdisasm or cuobjdump, from malloc; NULL with the reason in *why. They
 * are looked for in PATH and in the toolkit's folders. */
char *disassemble(const void *image, size_t image_bytes, const char **why);

#endif
