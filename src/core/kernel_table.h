/* kernel_table.h: the texts of kernels/, embedded by cmake/embed.cmake.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_KERNEL_TABLE_H
#define GBL_KERNEL_TABLE_H

typedef struct gbl_kernel_text {
    const char *file;          /* "dot.cl" */
    const char *path;          /* "level1/dot.cl", below kernels/ */
    const unsigned char *text; /* ends with a zero byte */
} gbl_kernel_text;

extern const gbl_kernel_text gbl_kernel_texts[]; /* ends with a NULL file */

#endif
