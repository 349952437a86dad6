/* dynlib.c: libraries opened at run time.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The sanitizers refuse RTLD_DEEPBIND, so builds with them open libraries plainly; symbols of such
 * a library may then be interposed by the program, which is harmless in a test.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include "device/dynlib.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define GBL_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define GBL_SANITIZED 1
#endif

void *gbl_dynlib_open(const char *name, bool isolated, const char **why)
{
    int flags = RTLD_NOW | RTLD_LOCAL;
#if defined(RTLD_DEEPBIND) && !defined(GBL_SANITIZED)
    if (isolated)
        flags |= RTLD_DEEPBIND;
#else
    (void)isolated;
#endif
    void *library = dlopen(name, flags);
    if (library == NULL && why != NULL) {
        const char *words = dlerror();
        *why = words != NULL ? words : "the loader gives no reason";
    }
    return library;
}

void gbl_dynlib_close(void *library)
{
    if (library != NULL)
        dlclose(library);
}

const char *gbl_dynlib_load(void *library, const gbl_symbol *symbols, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        void *symbol = dlsym(library, symbols[i].name);
        if (symbol == NULL && !symbols[i].optional)
            return symbols[i].name;
        memcpy(symbols[i].slot, &symbol, sizeof symbol);
    }
    return NULL;
}
