/* doctor_libraries.c: `gable doctor` on CUDA's driver and compiler, cuBLAS and the cpu's BLAS and
 * LAPACK.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <dirent.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "blas/blas_speed.h"
#include "device/cpu_blas.h"
#include "device/cpu_lapack.h"
#include "device/cublas.h"
#include "device/device.h"
#include "device/nvrtc.h"
#include "doctor.h"

#define PCI_FOLDER "/sys/bus/pci/devices"

/* ---- CUDA ---- */

static unsigned long read_hex(const char *device, const char *file)
{
    char path[512], text[32] = "";
    snprintf(path, sizeof path, PCI_FOLDER "/%.200s/%s", device, file);
    FILE *stream = fopen(path, "r");
    if (stream == NULL)
        return 0;
    if (fgets(text, sizeof text, stream) == NULL)
        text[0] = '\0';
    fclose(stream);
    return strtoul(text, NULL, 16);
}

/* Whether a GPU of NVIDIA's is in this machine: its kernel driver runs, or the bus shows one. */
static bool has_nvidia_gpu(void)
{
    bool found = access("/proc/driver/nvidia/version", F_OK) == 0;
    DIR *stream = opendir(PCI_FOLDER);
    for (struct dirent *entry; !found && stream != NULL && (entry = readdir(stream)) != NULL;)
        found = read_hex(entry->d_name, "vendor") == 0x10de &&
                read_hex(entry->d_name, "class") >> 16 == 0x03; /* a display controller */
    if (stream != NULL)
        closedir(stream);
    return found;
}

/* Returns the number of GPUs. */
static int check_driver(void)
{
    gbl_message why = {NULL, ""};
    int count = 0;
    if (gbl_cuda_table.count(&count, &why) != GABLE_OK) {
        if (has_nvidia_gpu())
            doctor_tell(DOCTOR_PROBLEM, "CUDA driver",
                        strstr(why.text, "not installed") != NULL ? "apt-get install nvidia-driver"
                                                                  : "nvidia-smi",
                        "%s", why.text);
        else
            doctor_tell(DOCTOR_NOTE, "CUDA driver", NULL,
                        "none, and no NVIDIA GPU was seen in this machine");
        return 0;
    }
    for (int i = 0; i < count; i++) {
        gable_device_info info;
        if (gbl_cuda_table.describe(i, &info, &why) != GABLE_OK)
            doctor_tell(DOCTOR_PROBLEM, "CUDA driver", "nvidia-smi", "cuda:%d: %s", i, why.text);
        else if (info.usable)
            doctor_tell(DOCTOR_OK, info.name, NULL, "%s, %s, %s, for %s", info.title, info.driver,
                        info.compiler, info.arch);
        else
            doctor_tell(DOCTOR_PROBLEM, info.name, NULL, "%s cannot be used: %s", info.title,
                        info.reason);
    }
    return count;
}

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && value[0] != '\0';
}

void doctor_cuda(void)
{
    char text[1024];
    gbl_message why = {NULL, ""};
    int major, minor;
    const int gpus = check_driver();
    if (gbl_nvrtc_version(&major, &minor, &why) == GABLE_OK)
        doctor_tell(DOCTOR_OK, "NVRTC", NULL, "%d.%d (%s)", major, minor, gbl_nvrtc_path());
    else if (is_set("GABLE_NVRTC"))
        doctor_tell(DOCTOR_PROBLEM, "NVRTC", "unset GABLE_NVRTC", "%s", why.text);
    else if (gpus > 0)
        doctor_tell(DOCTOR_PROBLEM, "NVRTC", "pip install nvidia-cuda-nvrtc-cu12", "%s", why.text);
    else
        doctor_tell(DOCTOR_NOTE, "NVRTC", NULL,
                    "none; only NVIDIA GPUs and `gable inspect` need it");
    if (gbl_cublas_describe(text, sizeof text, &why) == GABLE_OK)
        doctor_tell(DOCTOR_OK, "cuBLAS", NULL, "%s; Gable can be measured against it",
                    strncmp(text, "cuBLAS ", 7) == 0 ? text + 7 : text);
    else if (is_set("GABLE_CUBLAS"))
        doctor_tell(DOCTOR_PROBLEM, "cuBLAS", "unset GABLE_CUBLAS", "%s", why.text);
    else
        doctor_tell(DOCTOR_NOTE, "cuBLAS", NULL,
                    "none; only comparisons with it on NVIDIA GPUs need it");
}

/* ---- BLAS ---- */

/* Products of matrices are left to own code where the library is slow. */
static void tell_slow_blas(const gbl_blas_speed *speed)
{
    doctor_tell(
        DOCTOR_NOTE, "BLAS",
        is_set("GABLE_BLAS") ? "unset GABLE_BLAS" : "apt-get install libopenblas0",
        "%s is slow: a product of order %d takes it %.3g us, Gable's own code %.3g; own code "
        "multiplies matrices here, and a tuned BLAS would be faster than both",
        gbl_cpu_blas_name(), GBL_SPEED_ORDER, 1e6 * speed->library, 1e6 * speed->own);
}

void doctor_blas(void)
{
    const bool there = gbl_cpu_blas_get() != NULL;
    if (there && gbl_blas_speed_get()->slow)
        tell_slow_blas(gbl_blas_speed_get());
    else if (there)
        doctor_tell(DOCTOR_OK, "BLAS", NULL, "%s; %d thread%s on %d core%s", gbl_cpu_blas_name(),
                    omp_get_max_threads(), omp_get_max_threads() == 1 ? "" : "s",
                    omp_get_num_procs(), omp_get_num_procs() == 1 ? "" : "s");
    else
        doctor_tell(DOCTOR_PROBLEM, "BLAS",
                    is_set("GABLE_BLAS") ? "unset GABLE_BLAS" : "apt-get install libopenblas0",
                    "%s", gbl_cpu_blas_reason());
}

/* ---- LAPACK ---- */

void doctor_lapack(void)
{
    if (gbl_cpu_lapack_get() != NULL) {
        const char *text = gbl_cpu_lapack_name();
        doctor_tell(DOCTOR_OK, "LAPACK", NULL, "%s",
                    strncmp(text, "LAPACK ", 7) == 0 ? text + 7 : text);
    } else if (is_set("GABLE_LAPACK") && strcmp(getenv("GABLE_LAPACK"), "none") == 0) {
        doctor_tell(DOCTOR_NOTE, "LAPACK", NULL, "%s", gbl_cpu_lapack_reason());
    } else if (is_set("GABLE_LAPACK")) {
        doctor_tell(DOCTOR_PROBLEM, "LAPACK", "unset GABLE_LAPACK", "%s", gbl_cpu_lapack_reason());
    } else {
        doctor_tell(DOCTOR_NOTE, "LAPACK", "apt-get install libopenblas0",
                    "%s; factorizations on cpu are then Gable's own code", gbl_cpu_lapack_reason());
    }
}
