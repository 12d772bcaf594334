#compdef antidrift
# Completion of antidrift for zsh. It can be sourced after compinit, or lie as _antidrift in fpath.
_antidrift_completion() {
    local line typed="${(j: :)words[1,CURRENT-1]} $QIPREFIX$PREFIX"
    local -a offered
    for line in "${(@f)$(COMP_WORDS=$typed _ANTIDRIFT_COMPLETE=zsh_complete $words[1] 2>/dev/null)}"; do
        case $line in
            file) _files; return ;;
            :*) offered+=("${${line#:}/$'\t'/:}") ;;
        esac
    done
    [[ $PREFIX != --*=* ]] || compset -P 1 '*='
    (( ! $#offered )) || _describe -V antidrift offered
}
if [[ $funcstack[1] == _antidrift ]]; then  # autoloaded: this file is the function
    _antidrift_completion "$@"
else
    compdef _antidrift_completion antidrift
fi
