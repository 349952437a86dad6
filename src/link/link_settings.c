/* link_settings.c: reads the environment; writes lines of the log.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include "link/link_call.h"
#include "link/link_settings.h"

_Atomic uint64_t gbl_link_floor;

static gbl_link_settings settings;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* "-symm,-trsm": whether a routine is among those. */
static bool is_excluded(const char *list, const char *stem)
{
    const size_t length = strlen(stem);
    for (const char *at = list; at != NULL; at = strchr(at, ',')) {
        at += *at == ',';
        if (at[0] == '-' && strncmp(at + 1, stem, length) == 0 &&
            (at[length + 1] == ',' || at[length + 1] == '\0'))
            return true;
    }
    return false;
}

static gbl_link_mode mode_of(const char *text)
{
    static const char *const words[] = {"auto", "cpu", "device", "off"};
    for (int i = 0; text != NULL && i < 4; i++)
        if (strcmp(text, words[i]) == 0)
            return (gbl_link_mode)i;
    return GBL_LINK_AUTO;
}

/* A whole number from 1 on; other texts are as none. */
static int number_of(const char *text, int fallback)
{
    char *rest = NULL;
    const long number = text != NULL ? strtol(text, &rest, 10) : 0;
    return number > 0 && number < INT_MAX && *rest == '\0' ? (int)number : fallback;
}

static int log_to(const char *path)
{
    if (path == NULL || path[0] == '\0')
        return -1;
    return strcmp(path, "stderr") == 0
               ? STDERR_FILENO
               : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void read_settings(void)
{
    const char *const list = secure_getenv("GABLE_LINK_ROUTINES");
    const char *const counters = secure_getenv("GABLE_LINK_COUNTERS");
    /* As libblas.so.3 the library is in programs with their owner's rights, too. */
    settings.mode = getauxval(AT_SECURE) != 0 ? GBL_LINK_OFF : mode_of(secure_getenv("GABLE_LINK"));
    settings.log = log_to(secure_getenv("GABLE_LINK_LOG"));
    settings.library = secure_getenv("GABLE_LIBRARY");
    settings.limit = number_of(secure_getenv("GABLE_LINK_LIMIT"), GBL_LINK_LIMIT);
    settings.rest = number_of(secure_getenv("GABLE_LINK_REST"), GBL_LINK_REST);
    settings.counters_path = counters != NULL && counters[0] != '\0' ? counters : NULL;
    for (int i = 0; i < GBL_LINK_ROUTINE_COUNT; i++)
        settings.excluded[i] = is_excluded(list, gbl_link_stem((gbl_link_routine)i));
    settings.floor = settings.mode == GBL_LINK_OFF      ? UINT64_MAX
                     : settings.mode == GBL_LINK_DEVICE ? 1
                                                        : GBL_LINK_FLOOR;
}

const gbl_link_settings *gbl_link_settings_get(void)
{
    pthread_once(&once, read_settings);
    return &settings;
}

void gbl_link_log(const char *format, ...)
{
    char line[1024];
    va_list list;
    if (gbl_link_settings_get()->log < 0)
        return;
    va_start(list, format);
    int length = vsnprintf(line, sizeof line - 1, format, list);
    va_end(list);
    if (length < 0)
        return;
    length = length < (int)sizeof line - 1 ? length : (int)sizeof line - 2;
    line[length] = '\n';
    /* A log that cannot be written changes nothing for the program. */
    if (write(gbl_link_settings_get()->log, line, (size_t)length + 1) < 0)
        return;
}
