# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
__antidrift_segment() {
    local file version pid runtime drift open stale ends rest now left IFS=' '
    __antidrift_text='' __antidrift_alarm=''

    file=${ANTIDRIFT_SOCKET-}
    if [[ ! $file && ${XDG_RUNTIME_DIR-} == /* ]]; then
        file=$XDG_RUNTIME_DIR/antidrift/
    elif [[ ! $file ]]; then
        file=${ANTIDRIFT_STATE_DIR-}
        if [[ ! $file && ${XDG_STATE_HOME-} == /* ]]; then
            file=$XDG_STATE_HOME/antidrift
        fi
        file=${file:-${HOME-}/.local/state/antidrift}/run/
    fi
    case $file in
        '~/'*) file=${HOME-}/${file#*/} ;;
        */*) ;;
        *) file=./$file ;;
    esac
    file=${file%/*}/prompt

    [[ -f $file && -r $file ]] || return 0
    { IFS=' ' read -r -n 101 version pid runtime drift open stale ends rest <"$file"; } 2>/dev/null ||
        return 0
    case $runtime in idle | planning | active | review) ;; *) return 0 ;; esac
    case $drift in idle | pending | ontask | drifting) ;; *) return 0 ;; esac
    case $open in none | open | past) ;; *) return 0 ;; esac
    case $version$stale in 10 | 11) ;; *) return 0 ;; esac
    case $pid in '' | 0* | *[!0123456789]* | ???????????*) return 0 ;; esac
    case $ends in '' | *[!0123456789]* | ?????????????*) return 0 ;; esac
    [[ ! $rest && -d /proc/$pid ]] || return 0

    case $runtime/$stale/$open/$drift in
        idle/*) return 0 ;;
        planning/*) __antidrift_text=planning && return 0 ;;
        review/*) __antidrift_text=review && return 0 ;;
        active/1/*) __antidrift_text=stale __antidrift_alarm=yes && return 0 ;;
        */open/*) __antidrift_text='drifting!' __antidrift_alarm=yes ;;
        */past/*) __antidrift_text=drifted ;;
        */ontask) __antidrift_text='on task' ;;
        *) __antidrift_text=focus ;;
    esac
    ends=$((10#$ends))
    [[ $ends != 0 ]] || return 0
    printf -v now '%(%s)T' -1
    left=$((ends - now))
    if [[ $left -gt 0 ]]; then
        __antidrift_text+=" $(((left + 59) / 60))m"
    else
        __antidrift_text+=" +$((-left / 60))m"
    fi
}
