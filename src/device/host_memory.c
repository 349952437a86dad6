/* host_memory.c: how much memory the host can still give.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "device/host_memory.h"

/* The number behind a name in a file of lines, or its first number where the name is empty; -1:
 * there is none, as with the word max. */
static int64_t number_in(const char *path, const char *name)
{
    char line[256];
    int64_t found = -1;
    FILE *file = fopen(path, "re");
    while (file != NULL && found < 0 && fgets(line, sizeof line, file) != NULL) {
        char *end, *from = line + strlen(name);
        if (strncmp(line, name, strlen(name)) != 0)
            continue;
        const long long value = strtoll(from, &end, 10);
        found = end != from && value >= 0 ? value : -1;
        if (name[0] == '\0')
            break;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static int64_t smaller(int64_t known, int64_t bytes)
{
    return bytes >= 0 && bytes < known ? bytes : known;
}

/* What a limit of the process leaves beside what it has. */
static int64_t left_of(int resource, int64_t used)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
        limit.rlim_cur > (rlim_t)INT64_MAX)
        return -1;
    return (int64_t)limit.rlim_cur > used ? (int64_t)limit.rlim_cur - used : 0;
}

int64_t gbl_host_memory(void)
{
    const int64_t kilobytes = number_in("/proc/meminfo", "MemAvailable:");
    const int64_t pages = number_in("/proc/self/statm", ""), page = sysconf(_SC_PAGESIZE);
    int64_t bytes = smaller(INT64_MAX, kilobytes < 0 ? -1 : 1024 * kilobytes);
    if (kilobytes < 0 && sysconf(_SC_PHYS_PAGES) > 0) /* not Linux, or no /proc */
        bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * page;
    bytes = smaller(bytes, number_in("/sys/fs/cgroup/memory.max", ""));
    bytes = smaller(bytes, number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes", ""));
    return smaller(bytes, left_of(RLIMIT_AS, pages > 0 ? pages * page : 0));
}
