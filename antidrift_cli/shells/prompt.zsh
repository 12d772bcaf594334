
# Between two of these marks, which show nothing, stands the segment in PROMPT. It is put in as it
# is, so that it needs no PROMPT_SUBST, and replaced in place, wherever others have moved it.
typeset -g __antidrift_mark='%{%}%{%}'

__antidrift_precmd() {
    [[ -o promptpercent ]] || return 0
    local bang='!'
    [[ -o promptbang ]] && bang='!!'
    emulate -L zsh
    local mark=$__antidrift_mark shown
    __antidrift_segment
    shown=${__antidrift_text/'!'/$bang}
    if [[ -n $__antidrift_alarm && -z ${NO_COLOR:-} ]]; then
        shown="%F{red}$shown%f"
    fi
    shown=$mark${shown:+$shown }$mark
    case ${PROMPT:-} in
        *"$mark"*"$mark"*) PROMPT=${PROMPT%%"$mark"*}$shown${PROMPT##*"$mark"} ;;
        *) PROMPT=$shown${PROMPT:-} ;;
    esac
    return 0
}

# Takes the segment out of the prompt again.
antidrift_prompt_off() {
    emulate -L zsh
    local mark=$__antidrift_mark
    precmd_functions=(${precmd_functions:#__antidrift_precmd})
    case ${PROMPT:-} in
        *"$mark"*"$mark"*) PROMPT=${PROMPT%%"$mark"*}${PROMPT##*"$mark"} ;;
    esac
    unset __antidrift_mark __antidrift_text __antidrift_alarm
    unfunction __antidrift_segment __antidrift_precmd antidrift_prompt_off
}

# Last, so that it comes after what sets PROMPT.
() {
    emulate -L zsh
    typeset -ga precmd_functions
    precmd_functions=(${precmd_functions:#__antidrift_precmd} __antidrift_precmd)
}
