# completion_test.bash: what the completion for bash offers is what the command takes.
# SPDX-License-Identifier: BSD-3-Clause
#
#   bash completion_test.bash GABLE COMPLETION
set -u
gable=$1
failures=0
# shellcheck disable=SC1090
source "$2"

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# offers TEXT: what is offered behind `gable TEXT`, one per line, sorted.
offers() {
    COMP_LINE="$gable $1"
    COMP_POINT=${#COMP_LINE}
    read -ra COMP_WORDS <<<"$COMP_LINE"
    COMP_CWORD=${#COMP_WORDS[@]}
    COMPREPLY=()
    _gable
    [[ ${#COMPREPLY[@]} -eq 0 ]] || printf '%s\n' "${COMPREPLY[@]}" | sort -u
}

expect() {
    local got
    got=$(offers "$1" | tr '\n' ' ')
    [[ $got == "$2" ]] || fail "behind \"gable $1\" are offered: $got, not: $2"
}

list() { "$gable" help --list "$1" | sort -u | tr '\n' ' '; }

complete -p gable >/dev/null || fail "nothing completes gable"
while read -r sub; do
    flags=$("$gable" help --list flags | awk -F '\t' -v s="$sub" '$1 == s { print $2 }' | sort -u | tr '\n' ' ')
    expect "$sub --" "$flags"
done < <("$gable" help --list commands)

expect 'bench ' "$( (list ops; echo cg bicgstab gmres gmres_orthogonalise) | tr ' ' '\n' | grep . | sort -u | tr '\n' ' ')"
expect 'explain ' "$(list ops)"
expect 'inspect ' "$(list kernels)"
expect 'help ' "$(list commands)"
expect 'study ' 'latency portability '
expect 'bench dot --against ' "$(list peers)"
expect 'bench gemm --beta ' '0 1 '
expect 'bench gemm --data ' 'random zeros '
expect 'bench gemm --math ' 'plain tf32x3 '
expect 'bench dot --variant ' "$(list variants)"
# tune and explain take one variant by its bare name, and what is offered they take.
for sub in 'tune dgemv' 'explain dot 1000 --no-measure'; do
    mapfile -t names < <(offers "$sub --variant ")
    ((${#names[@]} >= 4)) || fail "behind \"gable $sub --variant\" only ${names[*]} are offered"
done
for name in $(offers 'tune dgemv --variant '); do
    "$gable" tune dgemv --device cpu --dry-run --variant "$name" >/dev/null 2>&1 || fail "tune refuses --variant $name"
done
expect 'explain dot 1000 --variant t' 'two_pass '
expect 'tune scnrm2 --variant one' 'one_pass '
# What is offered for tune, tune takes.
expect 'tune ' "$( (list ops; echo all) | tr ' ' '\n' | grep . | sort -u | tr '\n' ' ')"
while read -r op; do
    GABLE_DEVICE=cpu "$gable" tune "$op" --dry-run >/dev/null 2>&1 || fail "tune refuses $op"
done < <("$gable" help --list ops)
expect 'do' 'doctor '
expect '--v' '--version '
expect 'bench dot --color ' 'always auto never '
expect 'bench dot --color=n' 'never '
expect 'bench dot --against clblast,op' 'clblast,openblas '
expect 'bench dot --size ' ''
expect 'bench gemv --trans N,' 'N,C N,N N,T '
expect 'bench symv --uplo ' 'L U '
expect 'info --device cp' 'cpu '
# Bash cuts words at : and = and replaces only what is behind them.
while read -r device; do
    [[ $device == *:* ]] || continue
    [[ " $(offers "bench dot --device ${device%:*}:" | tr '\n' ' ')" == *" ${device##*:} "* ]] ||
        fail "$device is not offered behind ${device%:*}:"
done < <("$gable" help --list devices)

[[ $failures -eq 0 ]]
