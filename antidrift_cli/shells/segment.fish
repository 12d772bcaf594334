# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
function __antidrift_segment
    set -g __antidrift_text ''
    set -g __antidrift_alarm ''

    set -l file
    if test -n "$ANTIDRIFT_SOCKET"
        set file (string replace -r '^~/' "$HOME/" -- $ANTIDRIFT_SOCKET)
        set file (string replace -r '[^/]*$' prompt -- $file)
    else if string match -q '/*' -- "$XDG_RUNTIME_DIR"
        set file $XDG_RUNTIME_DIR/antidrift/prompt
    else if test -n "$ANTIDRIFT_STATE_DIR"
        set file (string replace -r '^~/' "$HOME/" -- $ANTIDRIFT_STATE_DIR)/run/prompt
    else if string match -q '/*' -- "$XDG_STATE_HOME"
        set file $XDG_STATE_HOME/antidrift/run/prompt
    else
        set file $HOME/.local/state/antidrift/run/prompt
    end

    test -f "$file" -a -r "$file"; or return 0
    # Up to a NUL, so that the end of the line is a part of it, and split at single spaces.
    read -lz -n 101 -d ' ' schema pid runtime drift open stale ends <$file; or return 0
    string match -qr '^1 [1-9][0-9]{0,9} (idle|planning|active|review) (idle|pending|ontask|drifting|away|paused) (none|open|past) [01] [0-9]{1,12}\n\z' -- "$schema $pid $runtime $drift $open $stale $ends"
    and test -d /proc/$pid; or return 0

    switch "$runtime/$stale/$open/$drift"
        case 'idle/*'
            return 0
        case 'planning/*' 'review/*'
            set __antidrift_text $runtime
            return 0
        case 'active/1/*'
            set __antidrift_text stale
            set __antidrift_alarm yes
            return 0
        case '*/paused'
            set __antidrift_text paused
            return 0
        case '*/open/*'
            set __antidrift_text 'drifting!'
            set __antidrift_alarm yes
        case '*/past/*'
            set __antidrift_text drifted
        case '*/away'
            set __antidrift_text away
        case '*/ontask'
            set __antidrift_text 'on task'
        case '*'
            set __antidrift_text focus
    end
    test -n "$__antidrift_clock" -a "$ends" != 0\n; or return 0
    # When something was changed and how long ago that was make the time of day.
    set -l times (path mtime /; path mtime -R /)
    set -l minutes (math "floor(($ends - $times[1] - $times[2] + 59) / 60)")
    if test $minutes -gt 0
        set __antidrift_text "$__antidrift_text $minutes"m
    else
        set __antidrift_text "$__antidrift_text +"(string replace -- - '' $minutes)m
    end
end

# The builtin that tells the time came with fish 3.5; before, the minutes are left out.
set -g __antidrift_clock (string match path (builtin -n))
