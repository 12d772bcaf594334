
# Between two of these marks, which show nothing, stands the segment in PS1. It is put in as it is,
# so that it needs no promptvars, and replaced in place, wherever others have moved it.
__antidrift_mark='\[\]\[\]'

__antidrift_prompt() {
    local status=$? shown mark=$__antidrift_mark
    __antidrift_segment
    shown=$__antidrift_text
    if [[ -o posix ]]; then
        shown=${shown/!/!!}
    fi
    if [[ $__antidrift_alarm && ! ${NO_COLOR-} ]]; then
        shown='\[\e[31m\]'$shown'\[\e[0m\]'
    fi
    shown=$mark${shown:+$shown }$mark
    case ${PS1-} in
        *"$mark"*"$mark"*) PS1=${PS1%%"$mark"*}$shown${PS1##*"$mark"} ;;
        *) PS1=$shown${PS1-} ;;
    esac
    case $- in *e*) return 0 ;; esac
    return "$status"
}

# Takes the segment out of the prompt again.
antidrift_prompt_off() {
    local at mark=$__antidrift_mark
    for at in "${!PROMPT_COMMAND[@]}"; do
        case ${PROMPT_COMMAND[at]} in
            __antidrift_prompt) unset "PROMPT_COMMAND[at]" ;;
            *) PROMPT_COMMAND[at]=${PROMPT_COMMAND[at]/$'\n'__antidrift_prompt/} ;;
        esac
    done
    case ${PS1-} in *"$mark"*"$mark"*) PS1=${PS1%%"$mark"*}${PS1##*"$mark"} ;; esac
    unset -f __antidrift_segment antidrift_prompt_off
    unset -v __antidrift_mark __antidrift_text __antidrift_alarm
    # Others may have made a copy of PROMPT_COMMAND, in which this is still called.
    __antidrift_prompt() { :; }
}

# Last, so that it comes after what sets PS1. From bash 5.1 on, PROMPT_COMMAND can be a list.
case ${PROMPT_COMMAND[*]-} in
    *__antidrift_prompt*) ;;
    *)
        if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
            PROMPT_COMMAND+=(__antidrift_prompt)
        else
            PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__antidrift_prompt
        fi
        ;;
esac
