/* study_compare.c: `gable study portability --devices A,B`: stored results of two devices.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The same configuration on both is a point. What is lost when the best of one is used on the other
 * is asked of the configurations that both have measured, by their rows alone.
 */
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include "gable/json.h"
#include "statistics.h"
#include "study.h"
#include "text_plot.h"
#include "gable/plural.h"

#define BEFORE "portability-"
#define BEHIND ".jsonl"

typedef struct side {
    study s;
    study_result result;
} side;

/* The device in "portability-cuda-nvidia-h200.jsonl"; false: it is another file. */
static bool read_slug(const char *file, char *slug, size_t slug_bytes)
{
    const size_t before = strlen(BEFORE), behind = strlen(BEHIND), all = strlen(file);
    if (all <= before + behind || all - before - behind >= slug_bytes ||
        strncmp(file, BEFORE, before) != 0 || strcmp(file + all - behind, BEHIND) != 0)
        return false;
    snprintf(slug, slug_bytes, "%.*s", (int)(all - before - behind), file + before);
    return true;
}

/* The devices whose names begin so, the first two of them; one that is the whole name counts
 * alone. */
static int find_slugs(const char *folder, const char *name, char found[2][128])
{
    DIR *stream = opendir(folder);
    int count = 0;
    char slug[128];
    for (struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        if (!read_slug(entry->d_name, slug, sizeof slug) || strncmp(slug, name, strlen(name)) != 0)
            continue;
        if (strcmp(slug, name) == 0) {
            strcpy(found[0], slug);
            count = 1;
            break;
        }
        if (count < 2)
            strcpy(found[count], slug);
        count++;
    }
    if (stream != NULL)
        closedir(stream);
    return count;
}

/* Loads the study of the one device that a name begins. */
static int load_side(const args_command *args, const char *name, const char *folder, side *of)
{
    char path[STUDY_PATH_BYTES], found[2][128], file[160];
    if (!study_path(folder, "", path))
        return args_fail(args, "neither XDG_DATA_HOME nor HOME says where studies are; use --out");
    const int count = find_slugs(path, name, found);
    if (count == 0)
        return args_fail(args,
                         "%s has no file " BEFORE "%s..." BEHIND
                         "; `gable study portability` on that device makes it",
                         path, name);
    if (count > 1)
        return args_fail(args, "\"%s\" begins the names of several devices, %s and %s", name,
                         found[0], found[1]);
    strcpy(of->s.slug, found[0]);
    snprintf(file, sizeof file, BEFORE "%s" BEHIND, found[0]);
    if (!study_path(folder, file, of->s.path) || !study_load(&of->s, true))
        return args_fail(args, "%s/%s has no study in it", path, file);
    return EXIT_DONE;
}

/* The best of a among what both have; -1: nothing. */
static int best_of_both(const side *a, const side *b, int op)
{
    int best = -1;
    for (int i = 0; i < study_config_count(); i++) {
        const study_row *row = &a->s.rows[op][i];
        if (study_row_counts(row) && study_row_counts(&b->s.rows[op][i]) &&
            (best < 0 || row->gbs > a->s.rows[op][best].gbs))
            best = i;
    }
    return best;
}

typedef struct comparison {
    int count, best_a, best_b;
    bool correlated;
    double spearman, kendall;
    double loss_on_b, loss_on_a; /* with the other's best */
} comparison;

static void compare_op(const side *a, const side *b, int op, double *room, comparison *c)
{
    double *y = room + study_config_count();
    memset(c, 0, sizeof *c);
    c->count = study_pairs(&a->s, op, &a->result, &b->s, op, &b->result, room, y);
    c->best_a = best_of_both(a, b, op);
    c->best_b = best_of_both(b, a, op);
    if (c->count == 0)
        return;
    c->correlated = statistics_spearman(room, y, c->count, &c->spearman) &&
                    statistics_kendall(room, y, c->count, &c->kendall);
    c->loss_on_b = b->s.rows[op][c->best_b].gbs / b->s.rows[op][c->best_a].gbs;
    c->loss_on_a = a->s.rows[op][c->best_a].gbs / a->s.rows[op][c->best_b].gbs;
}

static void write_op(const side *a, const side *b, int op, const comparison *c)
{
    char config[STUDY_CONFIG_BYTES];
    json_open(NULL);
    json_text("kind", "comparison");
    json_text("op", study_op_names[op]);
    json_text("a", a->s.slug);
    json_text("b", b->s.slug);
    json_integer("configurations", c->count);
    if (c->correlated) {
        json_number("spearman", c->spearman);
        json_number("kendall", c->kendall);
    }
    study_config_text(c->best_a, config);
    json_text("best_on_a", config);
    study_config_text(c->best_b, config);
    json_text("best_on_b", config);
    json_number("loss_on_b", c->loss_on_b);
    json_number("loss_on_a", c->loss_on_a);
    json_close();
}

static void show_op(const side *a, const side *b, int op, const comparison *c, const double *room)
{
    char x_title[192], y_title[192], config[STUDY_CONFIG_BYTES];
    printf("\n%s: %d configuration%s on both", study_op_names[op], c->count, PLURAL(c->count));
    if (c->correlated)
        printf(": Spearman %.3f, Kendall %.3f", c->spearman, c->kendall);
    printf("\n");
    snprintf(x_title, sizeof x_title, "%s, %% of peak", a->s.slug);
    snprintf(y_title, sizeof y_title, "%s, %% of peak", b->s.slug);
    text_plot_scatter(room, room + study_config_count(), c->count, x_title, y_title);
    study_config_text(c->best_a, config);
    printf("  best on %s: %s; on %s it takes %.3f times the time of the best there\n", a->s.slug,
           config, b->s.slug, c->loss_on_b);
    study_config_text(c->best_b, config);
    printf("  best on %s: %s; on %s it takes %.3f times the time of the best there\n", b->s.slug,
           config, a->s.slug, c->loss_on_a);
}

static int compare_all(const side *a, const side *b, bool json, double *room)
{
    double on_b[STUDY_OPS], on_a[STUDY_OPS];
    int ops = 0;
    if (!json)
        printf("the same configurations on %s (%s; %c, %lld elements) and on %s (%s; %c, %lld "
               "elements)\n",
               a->s.slug, a->s.device, gbl_dtype_letter(a->s.dtype), (long long)a->s.size,
               b->s.slug, b->s.device, gbl_dtype_letter(b->s.dtype), (long long)b->s.size);
    for (int op = 0; op < STUDY_OPS; op++) {
        comparison c;
        compare_op(a, b, op, room, &c);
        if (c.count == 0)
            continue;
        if (json)
            write_op(a, b, op, &c);
        else
            show_op(a, b, op, &c, room);
        on_b[ops] = c.loss_on_b;
        on_a[ops++] = c.loss_on_a;
    }
    const double loss_on_b = statistics_geometric_mean(on_b, ops),
                 loss_on_a = statistics_geometric_mean(on_a, ops);
    if (json) {
        json_open(NULL);
        json_text("kind", "comparison_loss");
        json_text("a", a->s.slug);
        json_text("b", b->s.slug);
        json_integer("ops", ops);
        json_number("loss_on_b", loss_on_b);
        json_number("loss_on_a", loss_on_a);
        json_close();
    } else {
        printf(
            "\nwith the best of %s on %s %.3f times the time is needed, the other way round %.3f "
            "(geometric mean over %d ops)\n",
            a->s.slug, b->s.slug, loss_on_b, loss_on_a, ops);
    }
    return ops;
}

int study_compare(const args_command *args, const char *names, const char *folder, bool json)
{
    static side a, b;
    char first[128], second[128];
    const char *comma = strchr(names, ',');
    if (comma == NULL || comma == names || comma[1] == '\0' || strchr(comma + 1, ',') != NULL)
        return args_refuse(args, "--devices is \"%s\"; it must be two names, A,B", names);
    snprintf(first, sizeof first, "%.*s", (int)(comma - names), names);
    snprintf(second, sizeof second, "%s", comma + 1);
    double *room = malloc(2 * (size_t)study_config_count() * sizeof *room);
    int code = EXIT_DONE;
    if (room == NULL || !study_make(&a.s) || !study_make(&b.s))
        code = args_fail(args, "no host memory");
    if (code == EXIT_DONE)
        code = load_side(args, first, folder, &a);
    if (code == EXIT_DONE)
        code = load_side(args, second, folder, &b);
    if (code == EXIT_DONE && (!study_work_out(&a.s, &a.result) || !study_work_out(&b.s, &b.result)))
        code = args_fail(args, "no host memory");
    if (code == EXIT_DONE && compare_all(&a, &b, json, room) == 0)
        code = args_fail(args, "%s and %s have no configuration in common", a.s.path, b.s.path);
    free(room);
    study_free(&a.s);
    study_free(&b.s);
    return code;
}
