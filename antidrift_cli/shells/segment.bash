# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
__antidrift_segment() {
    local file=${ANTIDRIFT_SOCKET-} line left IFS=' '
    __antidrift_text='' __antidrift_alarm=''

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
    { read -r -n 101 line <"$file"; } 2>/dev/null || return 0
    # The digits one by one: in some languages 0-9 holds more than these.
    [[ $line == '1 '[123456789]*([0123456789])' '@(idle|planning|active|review)' '@(idle|pending|ontask|drifting|away|paused)' '@(none|open|past)' '[01]' '+([0123456789]) ]] ||
        return 0
    set -- $line
    [[ ${#2} -le 10 && ${#7} -le 12 && -d /proc/$2 ]] || return 0

    case $3/$6/$5/$4 in
        idle/*) return 0 ;;
        planning/* | review/*) __antidrift_text=$3 && return 0 ;;
        active/1/*) __antidrift_text=stale __antidrift_alarm=yes && return 0 ;;
        */paused) __antidrift_text=paused && return 0 ;;
        */open/*) __antidrift_text='drifting!' __antidrift_alarm=yes ;;
        */past/*) __antidrift_text=drifted ;;
        */away) __antidrift_text=away ;;
        */ontask) __antidrift_text='on task' ;;
        *) __antidrift_text=focus ;;
    esac
    [[ $7 == *[!0]* ]] || return 0
    left=${EPOCHSECONDS-} # from bash 5.0 on
    [[ $left ]] || printf -v left '%(%s)T' -1
    left=$((10#$7 - left))
    if [[ $left -gt 0 ]]; then
        __antidrift_text+=" $(((left + 59) / 60))m"
    else
        __antidrift_text+=" +$((-left / 60))m"
    fi
}
