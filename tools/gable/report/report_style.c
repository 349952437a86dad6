/* report_style.c: the look of the page that `gable report` writes.
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Colours are variables with two sets of values: light and dark, as the reader's system says, or
 * the other way round while the box at the top is ticked. Plots take theirs from the same
 * variables: --s1 to --s8 are series, in the order s, d, c, z where they are precisions.
 */
#include "report.h"

#define LIGHT                                                                                      \
    "--page:#fbfbf9;--card:#ffffff;--ink:#1b1e23;--soft:#5b626c;--line:#e1e2de;--head:#f2f2ee;"    \
    "--axis:#8b9099;--grid:#e9e9e5;--label:#5b626c;--link:#1f5fbf;--good:#1a7f4b;--bad:#b3261e;"   \
    "--s1:#2463c4;--s2:#d56a0b;--s3:#0c8566;--s4:#8d35b5;--s5:#b3261e;--s6:#7d6b00;--s7:#0b7c93;"  \
    "--s8:#7a7f87;color-scheme:light;"
#define DARK                                                                                       \
    "--page:#14171b;--card:#1b1f24;--ink:#e6e8eb;--soft:#a0a7b1;--line:#2e343b;--head:#22272d;"    \
    "--axis:#7b838d;--grid:#2a2f36;--label:#a0a7b1;--link:#7db0ff;--good:#5fd197;--bad:#ff8a80;"   \
    "--s1:#6ea6ff;--s2:#ffa654;--s3:#45c9a0;--s4:#cf8cff;--s5:#ff8178;--s6:#d9c34d;--s7:#5ac8e3;"  \
    "--s8:#9aa1aa;color-scheme:dark;"

/* In pieces: compilers need not take long texts. */
const char *const report_style[] = {
    ":root{" LIGHT "}\n"
    ":root:has(#theme:checked){" DARK "}\n"
    "@media (prefers-color-scheme:dark){:root{" DARK "}\n:root:has(#theme:checked){" LIGHT "}}\n",
    "*{box-sizing:border-box}\n"
    "html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}\n"
    "body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"
    "'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
    "main,header,footer{max-width:1360px;margin:0 auto;padding:0 20px}\n"
    "header{padding-top:28px;position:relative}\n"
    "h1{font-size:1.9rem;line-height:1.2;margin:0 5rem .3rem 0;letter-spacing:-.01em}\n"
    "h2{font-size:1.5rem;margin:2.6rem 0 .4rem;padding-top:.8rem;border-top:3px solid var(--ink)}\n"
    "h2 small{font-weight:400;color:var(--soft);font-size:1rem;margin-left:.5em}\n"
    "h3{font-size:1.15rem;margin:2rem 0 .3rem}\n"
    "h4{font-size:1rem;margin:1.4rem 0 .2rem}\n"
    "p{margin:.3rem 0 .9rem;max-width:80ch}\n"
    "a{color:var(--link)}\n"
    "code{font:.88em ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
    "background:var(--head);border-radius:4px;padding:.1em .35em}\n"
    ".soft,.note{color:var(--soft)}\n"
    ".note{font-size:.88rem}\n"
    ".theme{position:absolute;right:20px;top:32px;font-size:.85rem;color:var(--soft);cursor:"
    "pointer}\n"
    "nav{margin:1rem 0 0;font-size:.93rem}\n"
    "nav ul{list-style:none;margin:0;padding:0}\n"
    "nav li{margin:.3rem 0}\n"
    "nav b{font-weight:600;margin-right:.4em}\n"
    "nav a{margin-right:.9em;white-space:nowrap}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1.1rem;margin:.4rem 0 "
    "1rem;font-size:.92rem}\n"
    "dt{color:var(--soft)}\n"
    "dd{margin:0;overflow-wrap:anywhere}\n"
    ".tiles{display:flex;flex-wrap:wrap;gap:12px;margin:.8rem 0 1.2rem}\n"
    ".tile{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.6rem "
    ".95rem;min-width:8.5rem}\n"
    ".tile b{display:block;font-size:1.45rem;line-height:1.25;font-variant-numeric:tabular-nums}\n"
    ".tile span{color:var(--soft);font-size:.85rem}\n"
    ".none{border-left:3px solid var(--line);padding:.25rem 0 .25rem .8rem;color:var(--soft)}\n",
    ".grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,340px),1fr));"
    "gap:16px;margin:.6rem 0 1rem}\n"
    "figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:10px;"
    "padding:10px 12px 8px;min-width:0}\n"
    "figure.large{max-width:1100px;margin:.6rem 0}figure.medium{max-width:680px;margin:.6rem 0}\n"
    "figcaption{font-size:.9rem;margin-bottom:4px;line-height:1.45}\n"
    "figcaption b{margin-right:.5em}\n"
    "svg{display:block;width:100%;height:auto;font-family:inherit}\n"
    "svg text{font-variant-numeric:tabular-nums}\n"
    ".narrow{display:none}\n"
    ".key{white-space:nowrap;color:var(--soft);margin-right:.55em;font-size:.85rem}\n"
    ".key::before{content:'';display:inline-block;vertical-align:middle;margin-right:.35em}\n"
    ".s1::before,.s2::before,.s3::before,.s4::before,.s5::before,.s6::before,.s7::before,.s8::"
    "before"
    "{width:.7em;height:.7em;border-radius:50%}\n"
    ".s1::before{background:var(--s1)}.s2::before{background:var(--s2)}"
    ".s3::before{background:var(--s3)}.s4::before{background:var(--s4)}"
    ".s5::before{background:var(--s5)}.s6::before{background:var(--s6)}"
    ".s7::before{background:var(--s7)}.s8::before{background:var(--s8)}\n"
    ".dash::before{width:1.5em;border-top:2px dashed var(--soft)}"
    ".dots::before{width:1.5em;border-top:2px dotted var(--soft)}"
    ".ring::before{width:.7em;height:.7em;border:1.5px solid var(--soft);border-radius:50%}\n"
    ".scroll{overflow-x:auto;margin:.6rem 0 1rem;border:1px solid var(--line);border-radius:10px;"
    "background:var(--card);max-width:max-content}\n"
    "table{border-collapse:collapse;font-size:.87rem;font-variant-numeric:tabular-nums;"
    "white-space:nowrap}\n"
    "th,td{padding:.3rem .55rem;text-align:left;border-top:1px solid var(--line)}\n"
    "thead th{background:var(--head);border-top:0;font-weight:600;vertical-align:bottom}\n"
    "tbody th{font-weight:600;position:sticky;left:0;background:var(--card)}\n"
    "th.num,td.num{text-align:right}\n"
    "th.mid{text-align:center;border-left:1px solid var(--line)}\n"
    ".at{color:var(--soft);font-size:.82rem}\n"
    "td.hi{color:var(--good)}td.lo{color:var(--bad);font-weight:600}\n"
    "tr.sum th,tr.sum td{font-weight:600}\n"
    "tbody tr:hover td,tbody tr:hover th{background:var(--head)}\n"
    "details{margin:.6rem 0}summary{cursor:pointer;color:var(--link)}\n"
    "footer{margin-top:3rem;padding-bottom:2rem;color:var(--soft);font-size:.85rem}\n"
    ".shapes{position:absolute;width:0;height:0;overflow:hidden}\n"
    "@media (max-width:640px){body{font-size:15px}main,header,footer{padding-left:12px;"
    "padding-right:12px}.theme{right:12px;top:14px}h1{font-size:1.5rem;margin-top:.9rem}"
    ".wide{display:none}.narrow{display:block}.tile{flex:1 1 40%}"
    "}\n"
    "@media print{.theme{display:none}figure{break-inside:avoid}}\n",
    NULL};
