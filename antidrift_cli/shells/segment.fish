# Reads antidriftd's file for prompts with builtins only. Leaves the segment in __antidrift_text,
# which is empty or made of the words below and a number, and in __antidrift_alarm whether it is one.
# What takes fish longest, to understand the line and to calculate, is done when something has changed.
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
    # Up to a NUL, so that the end of the line is a part of it.
    read -lz line <$file; or return 0
    if test "$line" != "$__antidrift_line"
        __antidrift_understand "$line"; or return 0
    end
    test -d /proc/$__antidrift_pid; or return 0
    test -z "$__antidrift_ends"; or __antidrift_count
    set __antidrift_text $__antidrift_word$__antidrift_minutes
    set __antidrift_alarm $__antidrift_alarming
end

# Takes the daemon's line apart; fails when it is none.
function __antidrift_understand
    set -g __antidrift_line ''
    set -l fields (string match -r '^1 ([1-9][0-9]{0,9}) (idle|planning|active|review) (idle|pending|ontask|drifting|away|paused) (none|open|past) ([01]) ([0-9]{1,12})(?=\n\z)' -- $argv[1])
    or return 1
    set -l runtime $fields[3]
    set -g __antidrift_pid $fields[2]
    set -g __antidrift_alarming ''
    set -g __antidrift_ends ''
    set -g __antidrift_minutes ''
    set -g __antidrift_until 0

    switch "$runtime/$fields[6]/$fields[5]/$fields[4]"
        case 'idle/*'
            set -g __antidrift_word ''
        case 'planning/*' 'review/*'
            set -g __antidrift_word $runtime
        case 'active/1/*'
            set -g __antidrift_word stale
            set __antidrift_alarming yes
        case '*/paused'
            set -g __antidrift_word paused
        case '*/open/*'
            set -g __antidrift_word 'drifting!'
            set __antidrift_alarming yes
            set __antidrift_ends $fields[7]
        case '*/past/*'
            set -g __antidrift_word drifted
            set __antidrift_ends $fields[7]
        case '*/away'
            set -g __antidrift_word away
            set __antidrift_ends $fields[7]
        case '*/ontask'
            set -g __antidrift_word 'on task'
            set __antidrift_ends $fields[7]
        case '*'
            set -g __antidrift_word focus
            set __antidrift_ends $fields[7]
    end
    if test -z "$__antidrift_clock" -o "$__antidrift_ends" = 0
        set __antidrift_ends ''
    end
    set __antidrift_line $argv[1]
end

# Counts the minutes to the end, anew when one has gone by: that costs a command substitution, and fish
# a thread. Should the clock be set meanwhile, the daemon writes another line.
function __antidrift_count
    read -l -d . up rest </proc/uptime
    test $up -lt $__antidrift_until; and return

    # When something was changed and how long ago that was make the time of day.
    set -l times (path mtime /; path mtime -R /)
    set -l left (math "$__antidrift_ends - $times[1] - $times[2]")
    set -l minutes (math "floor(($left + 59) / 60)")
    set -g __antidrift_until (math "$up + $left + 60 - 60 * $minutes")
    if test $minutes -gt 0
        set __antidrift_minutes " $minutes"m
    else
        set __antidrift_minutes " +"(string replace -- - '' $minutes)m
    end
end

# The builtin that tells the time came with fish 3.5; before, the minutes are left out.
set -g __antidrift_clock (string match path (builtin -n))
