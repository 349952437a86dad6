/* link_next.c: finds the next function of a name, and the size of its integers.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The order is the one in which the loader would have bound the caller: the rest of the global
 * scope, then the caller's own scope, then all loaded objects. Answers in this object do not count.
 * Paths are collected first and looked up afterwards, because dl_iterate_phdr holds the loader's
 * lock. Objects that a binding names are never unloaded: their handles stay open.
 *
 * A process may hold two doors: one preloaded, one that is its libblas.so.3. The first of them
 * decides, and the other one passes calls on unread, so that nothing is decided or counted twice. A
 * note in the object's file tells doors from other objects.
 */
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include "link/link_next.h"

#define PATH_BYTES 4096

#define NOTE_NAME "gable_link"
#define NOTE_TYPE 1

__asm__(".pushsection .note.gable_link, \"a\", %note\n"
        ".balign 4\n"
        ".long 11, 0, 1\n" /* bytes of the name, no further ones, NOTE_TYPE */
        ".asciz \"" NOTE_NAME "\"\n"
        ".balign 4\n"
        ".popsection");

typedef void (*any_function)(void);

static any_function function_at(void *address)
{
    any_function function = NULL;
    memcpy(&function, &address, sizeof function);
    return function;
}

/* ---- Objects ---- */

typedef struct object_range {
    uintptr_t address;     /* what is looked for */
    uintptr_t from, bytes; /* the object around it; bytes 0: there is none */
    bool door;             /* it is a library like this one */
    char path[PATH_BYTES]; /* "": the program itself */
} object_range;

static bool has_note(const char *at, size_t bytes)
{
    ElfW(Nhdr) note;
    while (bytes >= sizeof note) {
        memcpy(&note, at, sizeof note);
        const size_t name = ((size_t)note.n_namesz + 3) / 4 * 4;
        const size_t all = sizeof note + name + ((size_t)note.n_descsz + 3) / 4 * 4;
        if (all > bytes)
            return false;
        if (note.n_type == NOTE_TYPE && note.n_namesz == sizeof NOTE_NAME &&
            memcmp(at + sizeof note, NOTE_NAME, sizeof NOTE_NAME) == 0)
            return true;
        at += all;
        bytes -= all;
    }
    return false;
}

static int look_at_object(struct dl_phdr_info *info, size_t info_bytes, void *user)
{
    object_range *const range = user;
    uintptr_t low = UINTPTR_MAX, high = 0;
    bool inside = false, door = false;
    (void)info_bytes;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t from = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        const uintptr_t to = from + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            door = door || has_note((const char *)from, to - from);
        if (info->dlpi_phdr[i].p_type != PT_LOAD)
            continue;
        low = from < low ? from : low;
        high = to > high ? to : high;
        inside = inside || (range->address >= from && range->address < to);
    }
    if (!inside)
        return 0;
    range->from = low;
    range->bytes = high - low;
    range->door = door;
    const size_t length = info->dlpi_name != NULL ? strlen(info->dlpi_name) : 0;
    if (length < sizeof range->path)
        memcpy(range->path, info->dlpi_name != NULL ? info->dlpi_name : "", length + 1);
    return 1;
}

static void find_object(const void *address, object_range *range)
{
    range->address = (uintptr_t)address;
    range->from = range->bytes = 0;
    range->door = false;
    range->path[0] = '\0';
    dl_iterate_phdr(look_at_object, range);
}

typedef struct path_list {
    char **paths;
    int count, room;
} path_list;

static int collect_path(struct dl_phdr_info *info, size_t info_bytes, void *user)
{
    path_list *const list = user;
    (void)info_bytes;
    if (info->dlpi_name == NULL || info->dlpi_name[0] == '\0' || list->count == list->room)
        return 0;
    char *const copy = malloc(strlen(info->dlpi_name) + 1);
    if (copy == NULL)
        return 1;
    list->paths[list->count++] = strcpy(copy, info->dlpi_name);
    return 0;
}

static int count_object(struct dl_phdr_info *info, size_t info_bytes, void *user)
{
    (void)info;
    (void)info_bytes;
    ++*(int *)user;
    return 0;
}

/* ---- Names ---- */

static bool is_own(const void *address)
{
    static _Atomic uintptr_t from, bytes;
    if (atomic_load(&bytes) == 0) {
        object_range *const own = malloc(sizeof *own);
        if (own == NULL)
            return false;
        void *self = NULL;
        any_function function = (any_function)gbl_link_resolve;
        memcpy(&self, &function, sizeof self);
        find_object(self, own);
        atomic_store(&from, own->from);
        atomic_store(&bytes, own->bytes);
        free(own);
    }
    return (uintptr_t)address - atomic_load(&from) < atomic_load(&bytes);
}

/* The name in an object and what it needs; the handle stays open where it was found. */
static void *look_in(const char *path, const char *name)
{
    void *const handle = dlopen(path[0] != '\0' ? path : NULL, RTLD_LAZY | RTLD_NOLOAD);
    void *const found = handle != NULL ? dlsym(handle, name) : NULL;
    if (found != NULL && !is_own(found))
        return found;
    if (handle != NULL)
        dlclose(handle);
    return NULL;
}

static void *look_everywhere(const char *name)
{
    void *found = NULL;
    path_list list = {.count = 0};
    dl_iterate_phdr(count_object, &list.room);
    list.paths = calloc((size_t)list.room + 1, sizeof *list.paths);
    if (list.paths == NULL)
        return NULL;
    dl_iterate_phdr(collect_path, &list);
    for (int i = 0; i < list.count; i++) {
        found = found == NULL ? look_in(list.paths[i], name) : found;
        free(list.paths[i]);
    }
    free(list.paths);
    return found;
}

/* Whether another door stands before this one: the loader would have bound the name there. */
static bool comes_second(const char *name)
{
    void *const bound = dlsym(RTLD_DEFAULT, name);
    object_range *const range = bound != NULL && !is_own(bound) ? malloc(sizeof *range) : NULL;
    if (range == NULL)
        return false;
    find_object(bound, range);
    const bool door = range->door;
    free(range);
    return door;
}

static void *find_next(const char *name, const object_range *caller)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (found != NULL && !is_own(found))
        return found;
    found = caller->bytes > 0 ? look_in(caller->path, name) : NULL;
    return found != NULL ? found : look_everywhere(name);
}

/* ---- What the next library is ---- */

/* A function of the library that has the next one: prefix, stem and suffix joined. */
static any_function sibling(const char *path, const char *prefix, const char *stem,
                            const char *suffix)
{
    char name[64];
    if (strlen(prefix) + strlen(stem) + strlen(suffix) >= sizeof name)
        return NULL;
    strcpy(name, prefix);
    strcat(name, stem);
    strcat(name, suffix);
    return function_at(look_in(path, name));
}

/* idamax over {1, 3, 2}, whose number of elements is 3 in 32 bits and negative in 64; ilaver, which
 * writes three integers. */
static void ask_size(const char *path, const gbl_link_slot *slot, gbl_link_binding *bound)
{
    const int64_t count = (int64_t)0xffffffff00000003u, one = 1;
    const double x[] = {1, 3, 2};
    int64_t version[3] = {-1, -1, -1};
    const any_function largest = sibling(path, slot->prefix, "idamax_", "");
    const any_function versions = sibling(path, slot->prefix, "ilaver_", "");
    if (largest != NULL) {
        const int place =
            ((int (*)(const void *, const double *, const void *))largest)(&count, x, &one);
        bound->readable = place == 2 || place == 0;
        bound->wide = place == 0;
    } else if (versions != NULL) {
        ((void (*)(void *, void *, void *))versions)(&version[0], &version[1], &version[2]);
        bound->readable = version[0] != -1;
        bound->wide = version[0] >= 0;
    }
}

static void ask_threads(const char *path, const gbl_link_slot *slot, gbl_link_binding *bound)
{
    static const char *const names[] = {"openblas_get_num_threads", "MKL_Get_Max_Threads",
                                        "bli_thread_get_num_threads"};
    for (size_t i = 0; i < sizeof names / sizeof names[0] && bound->threads == NULL; i++) {
        any_function found = sibling(path, slot->prefix, names[i], slot->suffix);
        if (found == NULL)
            found = sibling(path, "", names[i], "");
        bound->threads = (int (*)(void))found;
    }
    bound->kind = bound->threads != NULL ? GBL_LINK_TUNED : GBL_LINK_PLAIN;
}

/* The library may return a text of its own, which stays. */
static void ask_words(const char *path, const gbl_link_slot *slot, gbl_link_binding *bound)
{
    static const char stem[] = "openblas_get_config";
    any_function found = sibling(path, slot->prefix, stem, slot->suffix);
    if (found == NULL)
        found = sibling(path, "", stem, "");
    const char *const words = found != NULL ? ((char *(*)(void))found)() : NULL;
    if (words != NULL && words[0] != '\0')
        bound->words = words;
}

/* ---- Bindings ---- */

static void do_nothing(void)
{
}

static void fill_binding(gbl_link_slot *slot, const object_range *caller, gbl_link_binding *bound)
{
    void *const next = find_next(slot->name, caller);
    Dl_info owner = {.dli_fname = NULL};
    memset(bound, 0, sizeof *bound);
    bound->from = caller->from;
    bound->bytes = caller->bytes;
    bound->readable = true;
    bound->wide = slot->wide;
    bound->library = bound->words = "none";
    bound->next = do_nothing;
    bound->alone = next == NULL;
    if (next == NULL)
        return;
    bound->next = function_at(next);
    bound->readable = slot->wide;
    if (dladdr(next, &owner) == 0 || owner.dli_fname == NULL)
        return;
    bound->library = bound->words = owner.dli_fname;
    /* The name of the program itself is not one to open. */
    const char *const path =
        dlopen(owner.dli_fname, RTLD_LAZY | RTLD_NOLOAD) != NULL ? owner.dli_fname : "";
    if (!slot->wide)
        ask_size(path, slot, bound);
    ask_threads(path, slot, bound);
    ask_words(path, slot, bound);
    if (comes_second(slot->name))
        bound->readable = false;
}

const gbl_link_binding *gbl_link_resolve(gbl_link_slot *slot, const void *caller)
{
    /* A caller outside of all objects, such as compiled at run time, is asked for each time. */
    static _Thread_local gbl_link_binding passing;
    const int error = errno;
    object_range *const range = malloc(sizeof *range);
    gbl_link_binding *bound = malloc(sizeof *bound);
    static object_range nowhere;
    if (range != NULL)
        find_object(caller, range);
    fill_binding(slot, range != NULL ? range : &nowhere, bound != NULL ? bound : &passing);
    if (bound == NULL || range == NULL || range->bytes == 0) {
        if (bound != NULL)
            passing = *bound;
        free(bound);
        bound = &passing;
    } else {
        /* The caller stays, so that its addresses do not become another object's. */
        if (range->path[0] != '\0')
            dlopen(range->path, RTLD_LAZY | RTLD_NOLOAD);
        gbl_link_binding *head = atomic_load(&slot->bindings);
        do
            bound->before = head;
        while (!atomic_compare_exchange_weak(&slot->bindings, &head, bound));
    }
    free(range);
    errno = error;
    return bound;
}
