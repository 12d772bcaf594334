# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
zmodload zsh/system zsh/datetime 2>/dev/null

__antidrift_segment() {
    emulate -L zsh -o extendedglob
    local file=${ANTIDRIFT_SOCKET:-} line match mbegin mend
    local -i left
    typeset -g __antidrift_text='' __antidrift_alarm=''

    if [[ -z $file && ${XDG_RUNTIME_DIR:-} == /* ]]; then
        file=$XDG_RUNTIME_DIR/antidrift/
    elif [[ -z $file ]]; then
        file=${ANTIDRIFT_STATE_DIR:-}
        if [[ -z $file && ${XDG_STATE_HOME:-} == /* ]]; then
            file=$XDG_STATE_HOME/antidrift
        fi
        file=${file:-${HOME:-}/.local/state/antidrift}/run/
    fi
    case $file in
        '~/'*) file=${HOME:-}/${file#*/} ;;
        */*) ;;
        *) file=./$file ;;
    esac
    file=${file%/*}/prompt

    [[ -f $file && -r $file ]] || return 0
    { sysread -s 101 line <$file } 2>/dev/null || return 0
    [[ $line == (#b)'1 '([1-9][0-9]#)' '(idle|planning|active|review)' '(idle|pending|ontask|drifting|away|paused)' '(none|open|past)' '([01])' '([0-9]##)$'\n' ]] ||
        return 0
    [[ $#match[1] -le 10 && $#match[6] -le 12 && -d /proc/$match[1] ]] || return 0

    case $match[2]/$match[5]/$match[4]/$match[3] in
        idle/*) return 0 ;;
        planning/*) __antidrift_text=planning; return 0 ;;
        review/*) __antidrift_text=review; return 0 ;;
        active/1/*) __antidrift_text=stale __antidrift_alarm=yes; return 0 ;;
        */paused) __antidrift_text=paused; return 0 ;;
        */open/*) __antidrift_text='drifting!' __antidrift_alarm=yes ;;
        */past/*) __antidrift_text=drifted ;;
        */away) __antidrift_text=away ;;
        */ontask) __antidrift_text='on task' ;;
        *) __antidrift_text=focus ;;
    esac
    [[ $match[6] == *[1-9]* ]] || return 0
    left=$((10#$match[6] - EPOCHSECONDS))
    if [[ $left -gt 0 ]]; then
        __antidrift_text+=" $(((left + 59) / 60))m"
    else
        __antidrift_text+=" +$((-left / 60))m"
    fi
}
