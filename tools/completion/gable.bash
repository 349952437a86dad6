# gable.bash: completion of the command `gable` for bash.
# SPDX-License-Identifier: BSD-3-Clause
#
# Nothing is listed here: subcommands, flags, their words, ops, peers, devices, variants and kernels
# are asked from the command itself (`gable help --list`), so what is offered is what it takes. To try
# it in a checkout:  source tools/completion/gable.bash

# The names of one list that start with what was typed; several by commas where $3 is "list".
_gable_offer() {
    local before='' word=$2
    if [[ ${3-} == list && $word == *,* ]]; then
        before=${word%,*},
        word=${word##*,}
    fi
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "$word")
}

_gable_names() {
    "$gable" help --list "$1" 2>/dev/null
}

# The variants of the ops among some words, without the op's name: of the others' too if no word is an op.
_gable_variants_of() {
    local word pair found=''
    for word in "$@"; do
        for pair in $(_gable_names variants); do
            # A typed name has one or two letters before the stem: dgemv, scnrm2.
            case $word in
            "${pair%%=*}" | ?"${pair%%=*}" | ??"${pair%%=*}") found+=" ${pair#*=}" ;;
            esac
        done
    done
    [[ -n $found ]] || found=$(_gable_names variants | sed 's/.*=//')
    tr ' ' '\n' <<<"$found" | sort -u
}

_gable() {
    local gable=${COMP_WORDS[0]} line=${COMP_LINE:0:COMP_POINT} command='' several='' flag word current i
    local -a words
    COMPREPLY=()
    # Blanks alone separate words here; bash also cuts at : and =.
    read -ra words <<<"$line"
    [[ $line == *' ' ]] && words+=('')
    current=${words[-1]}
    ((${#words[@]} > 1)) || return
    for ((i = 1; i < ${#words[@]} - 1; i++)); do
        word=${words[i]}
        [[ -z $command && $word != -* ]] && command=$word
    done
    flag=${words[-2]}
    word=$current
    if [[ $current == --*=* ]]; then
        flag=${current%%=*}
        word=${current#*=}
    fi

    if [[ -z $command ]]; then
        _gable_offer "$(_gable_names commands) --help --version" "$current"
    elif [[ $flag == --* ]] &&
        _gable_names flags | grep -q -e "^$command"$'\t'"$flag"$'\t.'; then
        case $command/$flag in
        bench/--device) _gable_offer "$(_gable_names devices)" "$word" list ;;
        report/--device) ;;
        tune/--import | tune/--export) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        solve/--out | solve/--svg | eig/--vectors | svd/--vectors) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        run/--log) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        report/--out) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        */--device) _gable_offer "$(_gable_names devices)" "$word" ;;
        */--against) _gable_offer "$(_gable_names peers)" "$word" list ;;
        bench/--variant) _gable_offer "$(_gable_names variants)" "$word" list ;;
        tune/--variant) _gable_offer "$(_gable_variants_of "${words[@]:2}" | grep -vx vendor)" "$word" ;;
        */--variant) _gable_offer "$(_gable_variants_of "${words[@]:2}")" "$word" ;;
        *)
            _gable_names flags | grep -q -e "^$command"$'\t'"$flag"$'\tLIST$' && several=list
            _gable_offer "$(_gable_names words | awk -F '\t' -v c="$command" -v f="$flag" \
                '$1 == c && $2 == f { print $3 }')" "$word" $several
            ;;
        esac
        [[ $current == --*=* ]] && COMPREPLY=("${COMPREPLY[@]/#/$flag=}")
    elif [[ $current == -* ]]; then
        _gable_offer "$(_gable_names flags | awk -F '\t' -v c="$command" '$1 == c { print $2 }')" "$current"
    else
        case $command in
        bench) _gable_offer "$(_gable_names ops) cg bicgstab gmres gmres_orthogonalise" "$current" ;;
        explain) _gable_offer "$(_gable_names ops)" "$current" ;;
        tune) _gable_offer "all $(_gable_names ops)" "$current" ;;
        report | solve | eig | svd) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        inspect) _gable_offer "$(_gable_names kernels)" "$current" ;;
        study) _gable_offer 'portability latency' "$current" ;;
        help) _gable_offer "$(_gable_names commands)" "$current" ;;
        esac
    fi

    # bash replaces only what stands behind the last : or = of the word.
    word=${current%"${current##*[:=]}"}
    if [[ -n $word && $COMP_WORDBREAKS == *[:=]* ]]; then
        for i in "${!COMPREPLY[@]}"; do
            COMPREPLY[i]=${COMPREPLY[i]#"$word"}
        done
    fi
}

complete -F _gable gable
