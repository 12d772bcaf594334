# Completion of antidrift for bash 4.0 and newer.
_antidrift_completion() {
    local line typed=${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    # A value replaces only what readline takes for a word of its own: not what is before a quote, a
    # colon or an equals sign.
    local before=${typed%"$2"}
    before=${before##*[[:space:]]}
    [[ -z $before || $before == --*= ]] || return 0
    while IFS= read -r line; do
        case $line in
            file) compopt -o default ;;
            :"$2"*) COMPREPLY+=("${line#:}") ;;
        esac
    done < <(COMP_WORDS=$typed _ANTIDRIFT_COMPLETE=bash_complete "$1" 2>/dev/null)
    return 0
}
complete -o nosort -F _antidrift_completion antidrift 2>/dev/null ||
    complete -F _antidrift_completion antidrift
