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
# end by line 600, and no work is left as a note. Each offence is one line, file:line: rule.
set -eu
export LC_ALL=C
cd "${1:-$(dirname "$0")/..}"

# The exceptions: including file or folder, included file, and the reason.
exceptions='
tools/      device/nvrtc.h       gable inspect compiles kernels without a device
'
# The exceptions to "does not print": file, call, and the reason.
printing='
src/core/context.c    fputs    GABLE_DEBUG=log asks for lines on the standard error
src/model/profile_table.c    fputs    GABLE_PROFILE and gable_profile_start ask for a table there
'

rooms=$(echo kernels/*/)

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
    -v exceptions="$exceptions" -v printing="$printing" -v rooms="$rooms" '
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

    # The line without comments and without the text of strings; in_comment lasts over lines.
    function code_of(line,   out, i, two, c) {
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
    code ~ /(^|[ \t])BEGIN\(\);/ { kernel_line = 0 }
    top == "src" {
        check_calls(code)
        if (layer != "device" && \
            (" " code) ~ /[^A-Za-z0-9_](CU[a-z]|cu[A-Z]|cuda[A-Z]|cublas[A-Z]|nvrtc[A-Z]|NVRTC_|CUDA_[A-Z]|CL_[A-Z]|cl_[a-z]|cl[A-Z])/)
            offence("only src/device knows names of CUDA or OpenCL")
    }
    END { check_begun() }
' {} + >>"$offences"

if [ -s "$offences" ]; then
    sort -t: -k1,1 -k2,2n "$offences"
    echo "check_layers.sh: $(wc -l <"$offences" | tr -d ' ') offences"
    exit 1
fi
