/* cuda_find.h: finds the CUDA toolkit's libraries wherever they are usually installed.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef GBL_CUDA_FIND_H
#define GBL_CUDA_FIND_H

#include <stdbool.h>
#include "device/message.h"

/* What to look for. */
typedef struct gbl_cuda_wanted {
    const char *title;    /* "NVRTC", for the message */
    const char *variable; /* "GABLE_NVRTC": the path of the library; nothing else is then tried */
    const char *const *names; /* file names, the preferred first, ended by NULL */
    const char *pip_folder;   /* "cuda_nvrtc": site-packages/nvidia/cuda_nvrtc/lib */
    const char *cure;         /* ends the sentence: "install ..., or set GABLE_NVRTC to ..." */
} gbl_cuda_wanted;

#define GBL_CUDA_PATH_BYTES 1024

/* Judges an opened library. false: it is closed and the search goes on; path names it. */
typedef bool (*gbl_cuda_judge)(void *library, const char *path, void *user);

/* Opens the first library that judge accepts: $variable, else the loader's own path, the toolkit's
 * folders, pip's packages. path (GBL_CUDA_PATH_BYTES) receives the file. GABLE_NO_DEVICE and the
 * sentence when there is none. */
gable_status gbl_cuda_find(const gbl_cuda_wanted *wanted, gbl_cuda_judge judge, void *user,
                           void **library, char *path, gbl_message *message);

#endif
