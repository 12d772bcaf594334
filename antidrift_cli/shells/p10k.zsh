
# The segment for powerlevel10k: add `antidrift` to POWERLEVEL9K_LEFT_PROMPT_ELEMENTS.
prompt_antidrift() {
    __antidrift_segment
    if [[ -n $__antidrift_alarm && -z ${NO_COLOR:-} ]]; then
        p10k segment -f red -t $__antidrift_text
    elif [[ -n $__antidrift_text ]]; then
        p10k segment -t $__antidrift_text
    fi
}
