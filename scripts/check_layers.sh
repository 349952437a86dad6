#!/bin/sh
# check_layers.sh: who may include whom, and the other rules of the tree that a compiler cannot see.
# SPDX-License-Identifier: BSD-3-Clause
#
#   scripts/check_layers.sh [ROOT]
#
# Layers, high to low; a file includes its own and lower ones:
#
#   api, link -> host -> lapack, sparse -> blas -> model, tune -> core -> cpu -> device
#
# include/ knows nothing of src/. kernels/ includes nothing outside itself; src/ may read the argument
# structs there. tools/ and bench/ stand above all: they read ops, kernels and devices. Only src/device
# knows a vendor. Each kernel says BEGIN(), which waits for earlier launches. The library does not print or end the process. Names of files are unique, sources
# end by line 600, and no work is left as a note. Files of src/ do not need each other in a circle, and
# src/README.md names each of them once. Each offence is one line, file:line: rule.
# shellcheck disable=SC2129 # each check appends what it finds
set -eu
export LC_ALL=C
cd "${1:-$(dirname "$0")/..}"

# The exceptions: including file or folder, included file, and the reason.
exceptions='
tools/      device/nvrtc.h       gable inspect compiles kernels without a device
tools/      link/link_counters.h gable run makes the file in which libgable_link counts
'
# The exceptions to "does not print": file, call, and the reason.
printing='
src/core/context.c    fputs    GABLE_DEBUG=log asks for lines on the standard error
src/model/profile_table.c    fputs    GABLE_PROFILE and gable_profile_start ask for a table there
'
# The exceptions to "no circles": files that may need each other, as patterns without .c, and the reason.
circles='
src/device/(cuda|cublas|inherited_device).*                 the table of one kind of devices, and its functions
src/device/opencl.*                                         likewise
src/core/(context|extents|forced|launch|math_mode|memory|op|owned_memory|prepare|recording|timer)  a context holds what they work on
src/core/(kernel|kernel_list)                               a list notes kernels, which look whether one notes
src/core/(arguments|batch_extents)                          one check in two files
src/sparse/matrix/(choose_format|convert|matrix|matrix_device|matrix_statistics)  a matrix converts itself
src/sparse/solver/.*                                        a solver and its methods call each other
src/sparse/market/(market_read|market_entries)              one reader in two files
'

rooms=$(echo kernels/*/)

# For awk: the line without comments and without the text of strings; in_comment lasts over lines.
code_of='function code_of(line,   out, i, two, c) {
    out = ""
    for (i = 1; i <= length(line); i++) {
        two = substr(line, i, 2)
        c = substr(line, i, 1)
        if (in_comment) {
            if (two == "*/") { in_comment = 0; i++; out = out " " }
        } else if (two == "/*") {
            in_comment = 1
            i++
        } else if (two == "//") {
            break
        } else if (c == "\"" || c == "\047") {
            for (i++; i <= length(line) && substr(line, i, 1) != c; i++)
                if (substr(line, i, 1) == "\\") i++
            out = out c c
        } else {
            out = out c
        }
    }
    return out
}
'

offences=$(mktemp)
trap 'rm -f "$offences"' EXIT

folders=''
for folder in src include kernels tools bench tests examples; do
    if [ -d "$folder" ]; then folders="$folders $folder"; fi
done
[ -d src ] || {
    echo "check_layers.sh: $PWD has no folder src: name the root of the tree" >&2
    exit 2
}

# ---- names ---------------------------------------------------------------------------------------
# Results repeat an op's name for each device.
for folder in src include kernels tools bench tests; do
    if [ -d "$folder" ]; then find "$folder" -path bench/results -prune -o -type f -print; fi
done | sort | awk '{
    name = $0
    sub(/.*\//, "", name)
    if (name == "README.md" || name == "CMakeLists.txt" || name == ".gitignore")
        next
    if (name in first)
        print $0 ":1: the file name is taken by " first[name] "; names are unique in the tree"
    else
        first[name] = $0
}' >>"$offences"

# ---- contents ------------------------------------------------------------------------------------
# shellcheck disable=SC2086 # folder names
find $folders -type f \( -name '*.c' -o -name '*.h' -o -name '*.cpp' -o -name '*.cl' -o -name '*.cu' -o -name '*.cuh' \
    -o -name '*.sh' -o -name CMakeLists.txt \) -exec awk \
    -v exceptions="$exceptions" -v printing="$printing" -v rooms="$rooms" "$code_of"'
    function offence(rule) { print FILENAME ":" FNR ": " rule }

    function exists(path,   line, answer) {
        if (!(path in known)) {
            answer = (getline line < path)
            close(path)
            known[path] = answer >= 0
        }
        return known[path]
    }

    # Files of kernels/ are named without their rooms.
    function is_kernel_file(header,   i) {
        if (exists("kernels/" header))
            return 1
        for (i = 1; i <= room_count; i++)
            if (exists(room[i] header))
                return 1
        return 0
    }

    function excepted(header,   i) {
        for (i = 1; i <= exception_count; i++)
            if (header == exception_header[i] && index(FILENAME, exception_from[i]) == 1)
                return 1
        return 0
    }

    function check_include(line,   header, folder, own, quoted) {
        header = line
        sub(/^[ \t]*#[ \t]*include[ \t]*/, "", header)
        quoted = substr(header, 1, 1) == "\""
        if (!quoted && substr(header, 1, 1) != "<")
            return # a macro
        header = substr(header, 2)
        sub(/[">].*/, "", header)

        if (!quoted && header !~ /^gable\//) {
            if (top == "kernels")
                offence("kernels/ includes nothing outside itself, not <" header ">")
            else if (header ~ /^(CL\/|cuda|cublas|cusolver|cusparse|nvrtc|nvml|hip\/)/)
                offence("<" header "> is a header of a vendor; declare what is used in src/device")
            return
        }
        if (top == "tests" || top == "examples" || excepted(header))
            return
        if (header ~ /(^|\/)\.\.?\//) {
            offence("\"" header "\": include paths start at src/ or include/")
            return
        }
        own = FILENAME
        sub(/[^\/]*$/, "", own)
        folder = index(header, "/") ? substr(header, 1, index(header, "/") - 1) : ""

        if (top == "kernels") {
            if (!is_kernel_file(header))
                offence("kernels/ includes nothing outside itself, not \"" header "\"")
        } else if (header ~ /(^|\/)(cuda_api|opencl_api|nvrtc)\.h$/ && layer != "device") {
            offence("\"" header "\": only src/device knows a vendor")
        } else if (folder == "gable" && exists("include/" header)) {
            return
        } else if (top == "include") {
            offence("include/ includes only itself, not \"" header "\"")
        } else if (folder in rank) {
            if (top == "tools" || top == "bench") {
                if (folder == "api" || folder == "link" || folder == "host")
                    offence(top "/ uses doors by the public headers, not \"" header "\"")
            } else if (!(layer in rank)) {
                offence("src/" layer " is no layer; add it to the list in check_layers.sh")
            } else if (rank[folder] > rank[layer]) {
                offence("layer " layer " must not include \"" header "\" of the higher layer " folder)
            }
        } else if (!exists(own header) && !is_kernel_file(header) && \
                   !(top == "tools" && exists("tools/" header)) && \
                   !((top == "tools" || top == "bench") && exists("bench/" header))) {
            offence("\"" header "\" is found under no folder that " top "/ may use")
        }
    }

    function may_print(call,   i) {
        for (i = 1; i <= printing_count; i++)
            if (FILENAME == printing_file[i] && call == printing_call[i])
                return 1
        return 0
    }

    # Every call of the list in the line, each with its own verdict.
    function check_calls(code,   rest, call) {
        rest = " " code
        while (match(rest, /[^A-Za-z0-9_](printf|fprintf|vprintf|vfprintf|dprintf|puts|fputs|putc|fputc|putchar|perror|exit|_exit|_Exit|quick_exit|abort|assert)[ \t]*\(/)) {
            call = substr(rest, RSTART + 1, RLENGTH - 1)
            sub(/[ \t]*\(/, "", call)
            if (!may_print(call))
                offence("the library never prints or ends the process: " call)
            rest = substr(rest, RSTART + RLENGTH - 1)
        }
    }

    BEGIN {
        layers = "device cpu core model,tune blas lapack,sparse host api,link"
        count = split(layers, level, " ")
        for (i = 1; i <= count; i++) {
            names = split(level[i], name, ",")
            for (j = 1; j <= names; j++)
                rank[name[j]] = i
        }
        room_count = split(rooms, room, " ")
        count = split(exceptions, row, "\n")
        for (i = 1; i <= count; i++)
            if (split(row[i], field, " ") >= 3) {
                exception_from[++exception_count] = field[1]
                exception_header[exception_count] = field[2]
            }
        count = split(printing, row, "\n")
        for (i = 1; i <= count; i++)
            if (split(row[i], field, " ") >= 3) {
                printing_file[++printing_count] = field[1]
                printing_call[printing_count] = field[2]
            }
    }

    # A kernel that ended without BEGIN().
    function check_begun() {
        if (kernel_line)
            print kernel_file ":" kernel_line ": the kernel lacks BEGIN(), which waits for earlier launches"
        kernel_line = 0
    }

    FNR == 1 {
        check_begun()
        in_comment = 0
        split(FILENAME, piece, "/")
        top = piece[1]
        layer = top == "src" && piece[3] != "" ? piece[2] : ""
        is_c = FILENAME ~ /\.(c|h|cpp|cl|cu)$/
    }

    /(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)/ {
        offence("finish it or open an issue; notes of work left over are not merged")
    }
    !is_c { next }
    FNR == 601 { offence("past 600 lines: split the file") }
    {
        started_in_comment = in_comment
        code = code_of($0)
    }
    !started_in_comment && /^[ \t]*#[ \t]*include/ { check_include($0) }
    top == "kernels" && FILENAME !~ /dialect\.h$/ && code ~ /^[ \t]*KERNEL\(/ {
        check_begun()
        kernel_line = FNR
        kernel_file = FILENAME
    }
    # The rest of a kernel may be in a file of that name, which is looked at in place of the kernel.
    top == "kernels" && FILENAME ~ /_kernel\.h$/ && FNR == 1 {
        kernel_line = 1
        kernel_file = FILENAME
    }
    kernel_line && /^#include "[a-z0-9_]*_kernel\.h"/ { kernel_line = 0 }
    code ~ /(^|[ \t])BEGIN\(\);/ { kernel_line = 0 }
    top == "src" {
        check_calls(code)
        if (layer != "device" && \
            (" " code) ~ /[^A-Za-z0-9_](CU[a-z]|cu[A-Z]|cuda[A-Z]|cublas[A-Z]|nvrtc[A-Z]|NVRTC_|CUDA_[A-Z]|CL_[A-Z]|cl_[a-z]|cl[A-Z])/)
            offence("only src/device knows names of CUDA or OpenCL")
    }
    END { check_begun() }
' {} + >>"$offences"

# ---- circles -------------------------------------------------------------------------------------
# A file needs another where its .c names a function or a constant that the .c of the other defines. To call an op is no
# such need: its table names the variants, and a variant may call any op.
find src -type f -name '*.c' -exec awk -v circles="$circles" "$code_of"'
    FNR == 1 {
        in_comment = 0
        unit = FILENAME
        sub(/\.c$/, "", unit)
        units[++unit_count] = unit
        pending = ""
    }
    {
        line = code_of($0)
        # Definitions start in the first column and are not static. A prototype ends before any brace.
        if (line ~ /^[A-Za-z_]/ && line !~ /^(static|extern|typedef)[ \t]/ && match(line, /gbl_[A-Za-z0-9_]+(\[[^]]*\])*([ \t]*\(|[ \t]*=)/)) {
            pending = substr(line, RSTART, RLENGTH)
            sub(/[^A-Za-z0-9_].*/, "", pending)
            if (line ~ /^(const )?gbl_op /) {
                is_op[pending] = 1
                sub(/_op$/, "", pending)
                is_op[pending] = 1
                pending = ""
            } else if (substr(line, RSTART, RLENGTH) ~ /=$/) {
                defined[pending] = unit
                pending = ""
            }
        }
        if (pending != "" && match(line, /[;{]/)) {
            if (substr(line, RSTART, 1) == "{")
                defined[pending] = unit
            pending = ""
        }
        while (match(line, /gbl_[A-Za-z0-9_]+/)) {
            word = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            if (!((unit, word) in first_line)) {
                first_line[unit, word] = FNR
                words[unit] = words[unit] " " word
            }
        }
    }

    # Tarjan: files that reach each other are on the stack together.
    function visit(u,   n, list, i, v) {
        index_of[u] = low[u] = ++visited
        stack[++height] = u
        on_stack[u] = 1
        n = split(needs[u], list, " ")
        for (i = 1; i <= n; i++) {
            v = list[i]
            if (!(v in index_of)) {
                visit(v)
                if (low[v] < low[u])
                    low[u] = low[v]
            } else if (on_stack[v] && index_of[v] < low[u]) {
                low[u] = index_of[v]
            }
        }
        if (low[u] == index_of[u])
            take(u)
    }

    function take(u,   v, i, count, member) {
        do {
            v = stack[height--]
            on_stack[v] = 0
            member[++count] = v
        } while (v != u)
        if (count > 1)
            judge(member, count)
    }

    function judge(member, count,   i, k, all, names, n, list, first, line, inside) {
        for (i = 1; i <= pattern_count; i++) {
            all = 1
            for (k = 1; k <= count; k++)
                if (member[k] !~ "^" pattern[i] "$")
                    all = 0
            if (all)
                return
        }
        first = member[1]
        for (i = 1; i <= count; i++) {
            inside[member[i]] = 1
            names = names (i > 1 ? ", " : "") member[i] ".c"
            if (member[i] < first)
                first = member[i]
        }
        line = 1
        n = split(words[first], list, " ")
        for (i = n; i >= 1; i--)
            if (defined[list[i]] != first && defined[list[i]] in inside)
                line = first_line[first, list[i]]
        print first ".c:" line ": files need each other in a circle: " names
    }

    END {
        count = split(circles, row, "\n")
        for (i = 1; i <= count; i++)
            if (split(row[i], field, " ") >= 2)
                pattern[++pattern_count] = field[1]
        for (k = 1; k <= unit_count; k++) {
            u = units[k]
            n = split(words[u], list, " ")
            for (i = 1; i <= n; i++) {
                v = (list[i] in defined) && !(list[i] in is_op) ? defined[list[i]] : u
                if (v != u && !((u, v) in edge)) {
                    edge[u, v] = 1
                    needs[u] = needs[u] " " v
                }
            }
        }
        for (k = 1; k <= unit_count; k++)
            if (!(units[k] in index_of))
                visit(units[k])
    }
' {} + >>"$offences"

# ---- the map -------------------------------------------------------------------------------------
# A row of the table that names a folder in bold starts it; the rows below name its files in their first column, `a.c/.h`
# both of a unit, and * in a name any text.
if [ -f src/README.md ]; then
    find src -type f ! -path src/README.md | sort | awk '
        NR == FNR { file[++count] = $0; next }
        FNR == 1 { folder = "src/" }
        !/^\|/ { next }
        {
            split($0, column, "|")
            rest = column[2]
        }
        rest ~ /^ \*\*[^*]*\/\*\* $/ {
            folder = rest
            gsub(/[ *]/, "", folder)
            folder = "src/" folder
        }
        {
            while (match(rest, /`[^`]*`/)) {
                name = substr(rest, RSTART + 1, RLENGTH - 2)
                rest = substr(rest, RSTART + RLENGTH)
                if (sub(/\.c\/\.h$/, "", name)) {
                    look(name ".c")
                    look(name ".h")
                } else {
                    look(name)
                }
            }
        }
        function look(name,   i, found, wanted) {
            wanted = folder name
            gsub(/\./, "\\.", wanted)
            gsub(/\*/, "[^/]*", wanted)
            found = 0
            for (i = 1; i <= count; i++)
                if (file[i] ~ "^" wanted "$") {
                    found = 1
                    if (file[i] in line)
                        print FILENAME ":" FNR ": " file[i] " stands in line " line[file[i]] ", too"
                    else
                        line[file[i]] = FNR
                }
            if (!found)
                print FILENAME ":" FNR ": there is no file " folder name
        }
        END {
            for (i = 1; i <= count; i++)
                if (!(file[i] in line))
                    print file[i] ":1: stands in no line of src/README.md"
        }
    ' - src/README.md >>"$offences"
else
    echo "src/README.md:1: the map of src/ is missing" >>"$offences"
fi

if [ -s "$offences" ]; then
    sort -t: -k1,1 -k2,2n "$offences"
    echo "check_layers.sh: $(wc -l <"$offences" | tr -d ' ') offences"
    exit 1
fi
