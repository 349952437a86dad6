#!/bin/sh
# tool_report_browser_test.sh: the page of `gable report` in headless Chromium: no errors, plots seen, light and dark.
# SPDX-License-Identifier: BSD-3-Clause
#
#   tool_report_browser_test.sh GABLE SOURCE_FOLDER
#
# A copy of the page gets a script that measures it in the browser and writes what it found into the page.
set -u
gable=$1
source=$2
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

missing() {
    echo "no $1 here: the page is not looked at"
    case ",${GABLE_REQUIRE:-}," in
    *",$1,"*) exit 1 ;;
    esac
    exit 77
}
command -v gnuplot >/dev/null || missing gnuplot
browser=''
for name in chromium chromium-browser google-chrome; do
    [ -n "$browser" ] || browser=$(command -v $name || :)
done
[ -n "$browser" ] || missing chromium

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_DATA_HOME=$work/home
export XDG_DATA_HOME
# shellcheck source=tests/tool/report_data.sh
. "$source/tests/tool/report_data.sh"
make_report_data "$work/home/gable"
"$gable" report --out "$work/page.html" "$source/bench/results" >"$work/out" || fail "report: exit code $?"
plots=$(grep -c '<svg role="img"' "$work/page.html")

cat >"$work/probe" <<'END'
<script>
addEventListener("error", e => document.documentElement.dataset.errors = e.message);
addEventListener("load", () => {
    const seen = [...document.querySelectorAll("svg[role=img]")].filter(e => e.getClientRects().length > 0);
    const drawn = seen.filter(e => {
        const box = e.getBoundingClientRect(), lines = [...e.querySelectorAll("path,polygon,use")];
        return box.width > 150 && box.height > 60 && lines.some(l => l.getBoundingClientRect().width > 2);
    });
    const colours = new Set([...document.querySelectorAll("svg [stroke^='var'], svg [color^='var']")]
        .map(e => getComputedStyle(e).getPropertyValue("stroke") + getComputedStyle(e).color));
    const data = document.documentElement.dataset;
    data.seen = seen.length;
    data.drawn = drawn.length;
    data.colours = [...colours].sort().join("|");
    data.page = getComputedStyle(document.body).backgroundColor;
    data.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    data.labels = [...document.querySelectorAll("svg[role=img]")].filter(e => !e.getAttribute("aria-label")).length;
});
</script>
END
cat "$work/page.html" "$work/probe" >"$work/probed.html"
: >"$work/blank.html"

# browse WHAT OPTION...: runs the browser on a page; what it says goes to $work/log.
browse() {
    page=$1
    shift
    HOME=$work timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
        --user-data-dir="$work/profile" --enable-logging=stderr "$@" "file://$page" 2>"$work/log"
}
# found NAME: what the probe wrote.
found() { grep -o '<html[^>]*>' "$work/dom" | sed -n "s/.* data-$1=\"\([^\"]*\)\".*/\1/p"; }

# look NAME OPTION...: the page with the probe; checks that hold in every size and colour.
look() {
    look_name=$1
    shift
    browse "$work/probed.html" "$@" --virtual-time-budget=5000 --dump-dom >"$work/dom" || fail "$look_name: the browser failed: $(tail -n 3 "$work/log")"
    [ -z "$(found errors)" ] || fail "$look_name: an error: $(found errors)"
    grep 'CONSOLE' "$work/log" && fail "$look_name: the console has messages"
    # Each roofline is there twice, and one of the two is seen.
    rooflines=$(grep -c 'class="narrow"' "$work/page.html")
    [ "$(found seen)" = $((plots - rooflines)) ] || fail "$look_name: $(found seen) of $plots plots are seen"
    [ "$(found drawn)" = "$(found seen)" ] || fail "$look_name: only $(found drawn) of $(found seen) plots show something"
    [ "$(found labels)" = 0 ] || fail "$look_name: plots without a text for those who cannot see them"
    [ "$(found overflow)" = 0 ] || fail "$look_name: the page is wider than the window by $(found overflow)"
}

look light --window-size=1280,900
light="$(found page) $(found colours)"
look dark --window-size=1280,900 --blink-settings=preferredColorScheme=0
dark="$(found page) $(found colours)"
[ "$(found page)" != "${light%%)*})" ] || fail "the page is as dark as it is light: $(found page)"
[ "$light" != "$dark" ] || fail "light and dark have the same colours: $light"
look narrow --window-size=500,900

for page in page blank; do
    browse "$work/$page.html" --window-size=1280,1600 --screenshot="$work/$page.png" >/dev/null || fail "no picture of $page"
done
[ "$(wc -c <"$work/page.png")" -gt $((4 * $(wc -c <"$work/blank.png"))) ] || fail 'the page is blank'

[ "$failures" -eq 0 ] || exit 1
