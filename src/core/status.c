/* status.c: statuses as words, and the version.
 * SPDX-License-Identifier: BSD-3-Clause
 */
#include "gable/gable.h"

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

const char *gable_version(void)
{
    return TEXT_OF(GABLE_VERSION_MAJOR) "." TEXT_OF(GABLE_VERSION_MINOR) "." TEXT_OF(
        GABLE_VERSION_PATCH);
}

const char *gable_status_name(gable_status status)
{
    switch (status) {
#define CASE(name, number, text)                                                                   \
    case name:                                                                                     \
        return #name;
        GABLE_STATUS_LIST(CASE)
#undef CASE
    }
    return "GABLE_UNKNOWN_STATUS";
}

const char *gable_status_text(gable_status status)
{
    switch (status) {
#define CASE(name, number, text)                                                                   \
    case name:                                                                                     \
        return text;
        GABLE_STATUS_LIST(CASE)
#undef CASE
    }
    return "no such status";
}
