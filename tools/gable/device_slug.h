/* device_slug.h: a device's kind and name as a word for file names: "cuda-nvidia-h200".
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Measurements of devices that are alike share folders and files, whatever their numbers: cuda:0
 * and cuda:1 of one machine, and the same GPU in another.
 */
#ifndef TOOL_DEVICE_SLUG_H
#define TOOL_DEVICE_SLUG_H

#include <stddef.h>

#define DEVICE_SLUG_BYTES 96

/* Of a row's text, "cuda:0 NVIDIA H200", or of a device class, "cuda|NVIDIA H200|sm_90|...": the
 * first word without its number and the name, in lower case, with single dashes. */
void device_slug(const char *text, char *slug, size_t slug_bytes);

/* "cuda" and "NVIDIA H200" of the same two forms. */
void device_words(const char *text, char *kind, size_t kind_bytes, char *title, size_t title_bytes);

#endif
