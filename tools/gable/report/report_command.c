/* report_command.c: `gable report`: everything measured so far, as one page with plots.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The page is made in memory and beside its place, and moved there when it is whole: what was there
 * before stays until then.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "gable/command.h"
#include "core/data_folder.h"
#include "core/draft_file.h"
#include "report.h"
#include "gable/plural.h"

#define PATH_BYTES 2048

static const char *asked_out, *asked_device, *asked_title;

static const args_option options[] = {
    {.name = "--out",
     .also = "-o",
     .value = "FILE",
     .help = "the page (default report.html); -o is the same",
     .text = &asked_out},
    {.name = "--device",
     .value = "SLUG",
     .help = "only devices with this in their names as the data folder has them,\n"
             "such as h200 or opencl",
     .text = &asked_device},
    {.name = "--title",
     .value = "TEXT",
     .help = "the title (default \"Gable: measured\")",
     .text = &asked_title},
};
const args_command report_args = {
    .name = "report",
    .summary = "everything measured so far, as one page with plots",
    .usage = "[FOLDER|FILE...] [options]",
    .about =
        "Writes one HTML page, with nothing outside it: roofline, bandwidth against size beside\n"
        "other libraries, the model's errors, the tuner's gains and the studies, for each device.\n"
        "It reads the data folder ($XDG_DATA_HOME/gable, else ~/.local/share/gable), and what is\n"
        "named as well. The newest row of each case counts. The plots need gnuplot.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .examples = "  gable report --out report.html\n"
                "  gable report bench/results --device h200 --out h200.html\n",
};

/* The data folder, if there is one, and what was named. */
static int read_all(report *r, const args_words *words)
{
    char path[PATH_BYTES];
    if (gbl_data_path("", path, sizeof path) && access(path, F_OK) == 0 && !report_read(r, path))
        return args_fail(&report_args, "%s cannot be read: %s", path, strerror(errno));
    for (int i = 0; i < words->count; i++)
        if (!report_read(r, words->word[i]))
            return args_fail(&report_args, "%s cannot be read: %s", words->word[i],
                             strerror(errno));
    if (r->only != NULL && r->device_count == 0)
        return args_fail(&report_args,
                         "nothing was measured on a device like \"%s\"; without --device the page "
                         "has all",
                         r->only);
    report_sort(r);
    return EXIT_DONE;
}

/* The page with its pictures in place. false: a picture is missing or writing failed. */
static bool write_page(const report *r, const char *html, const char *pictures, FILE *out)
{
    int plot = 0;
    for (; *html != '\0'; html++) {
        if (*html != REPORT_MARK) {
            fputc(*html, out);
            continue;
        }
        pictures = plot < r->plots ? report_picture(pictures, r->alts[plot], out) : NULL;
        plot++;
        if (pictures == NULL)
            return false;
    }
    return fflush(out) == 0 && ferror(out) == 0;
}

static int put_in_place(const report *r, const char *html, const char *pictures, const char *path,
                        gbl_draft *draft)
{
    const int again = dup(draft->file); /* the stream closes its own */
    FILE *out = again >= 0 ? fdopen(again, "w") : NULL;
    bool good = out != NULL && write_page(r, html, pictures, out);
    int why = errno;
    if (out != NULL && fclose(out) != 0 && good) {
        good = false;
        why = errno;
    }
    if (good && gbl_draft_keep(draft))
        return EXIT_DONE;
    why = good ? errno : why;
    gbl_draft_drop(draft);
    return args_fail(&report_args, "%s cannot be written: %s", path,
                     why != 0 ? strerror(why) : "gnuplot made too few pictures");
}

/* Sections, pictures, file. */
static int make_page(report *r, const char *path, gbl_draft *draft)
{
    char *html = NULL, *script = NULL, *pictures = NULL, why[512];
    size_t html_bytes = 0, script_bytes = 0;
    int code = EXIT_FAILED;
    r->html = open_memstream(&html, &html_bytes);
    r->script = open_memstream(&script, &script_bytes);
    if (r->html != NULL && r->script != NULL)
        report_page(r);
    const bool whole = r->html != NULL && r->script != NULL && !r->out_of_memory;
    if (r->html != NULL && fclose(r->html) != 0)
        r->out_of_memory = true;
    if (r->script != NULL && fclose(r->script) != 0)
        r->out_of_memory = true;
    if (!whole || r->out_of_memory) {
        args_fail(&report_args, "there is not enough memory for the page");
    } else if (r->plots > 0 &&
               (pictures = report_gnuplot(script, script_bytes, why, sizeof why)) == NULL) {
        args_fail(&report_args, "%s", why);
    } else {
        errno = 0;
        code = put_in_place(r, html, pictures, path, draft);
    }
    free(html);
    free(script);
    free(pictures);
    return code;
}

int report_command(int argc, char **argv)
{
    static report r;
    args_words words;
    const int parsed = args_parse(&report_args, argc, argv, &words);
    if (parsed != EXIT_DONE)
        return parsed < 0 ? EXIT_DONE : parsed;
    const char *path = asked_out != NULL ? asked_out : "report.html";
    r.only = asked_device;
    r.title = asked_title != NULL ? asked_title : "Gable: measured";
    int code = read_all(&r, &words);
    gbl_draft draft = {.file = -1};
    if (code == EXIT_DONE && !gbl_draft_open(&draft, path))
        code = args_fail(&report_args, "%s cannot be written: %s", path, strerror(errno));
    if (code == EXIT_DONE)
        code = make_page(&r, path, &draft);
    gbl_draft_drop(&draft);
    if (code == EXIT_DONE) {
        long rows = 0;
        for (int i = 0; i < r.device_count; i++)
            rows += r.devices[i].rows;
        printf("%s: %ld row%s of %d device%s, %d plot%s\n", path, rows, PLURAL(rows),
               r.device_count, PLURAL(r.device_count), r.plots, PLURAL(r.plots));
    }
    report_free(&r);
    return code;
}
