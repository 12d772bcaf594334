# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
function __antidrift_segment
    set -g __antidrift_text ''
    set -g __antidrift_alarm ''

    set -l file "$ANTIDRIFT_SOCKET"
    if test -z "$file"
        if string match -q '/*' -- "$XDG_RUNTIME_DIR"
            set file $XDG_RUNTIME_DIR/antidrift/
        else if test -n "$ANTIDRIFT_STATE_DIR"
            set file $ANTIDRIFT_STATE_DIR/run/
        else if string match -q '/*' -- "$XDG_STATE_HOME"
            set file $XDG_STATE_HOME/antidrift/run/
        else
            set file $HOME/.local/state/antidrift/run/
        end
    end
    if string match -q '~/*' -- $file
        set file (string replace '~' "$HOME" -- $file)
    end
    set file (string replace -r '[^/]*$' prompt -- $file)

    test -f "$file" -a -r "$file"; or return 0
    read -lz -n 101 line <$file 2>/dev/null; or return 0
    set -l fields (string match -r '^1 ([1-9][0-9]{0,9}) (idle|planning|active|review) (idle|pending|ontask|drifting) (none|open|past) ([01]) ([0-9]{1,12})(?=\n\z)' -- "$line")
    set -q fields[7]; and test -d /proc/$fields[2]; or return 0

    switch "$fields[3]/$fields[6]/$fields[5]/$fields[4]"
        case 'idle/*'
            return 0
        case 'planning/*' 'review/*'
            set __antidrift_text $fields[3]
            return 0
        case 'active/1/*'
            set __antidrift_text stale
            set __antidrift_alarm yes
            return 0
        case '*/open/*'
            set __antidrift_text 'drifting!'
            set __antidrift_alarm yes
        case '*/past/*'
            set __antidrift_text drifted
        case '*/ontask'
            set __antidrift_text 'on task'
        case '*'
            set __antidrift_text focus
    end
    # Since 3.5 fish has a way to the time of day without a process: when a file was changed, and
    # how long ago. Before, the minutes are left out.
    contains path (builtin -n); and test $fields[7] -gt 0; or return 0
    set -l left (math $fields[7] - (path mtime /) - (path mtime -R /))
    if test $left -gt 0
        set __antidrift_text "$__antidrift_text "(math "floor(($left + 59) / 60)")m
    else
        set __antidrift_text "$__antidrift_text +"(math "floor(-($left) / 60)")m
    end
end
