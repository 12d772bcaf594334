# Completion of antidrift for fish 3.1 and newer.
function __antidrift_complete
    set -l typed (commandline -cp | string collect)
    # Of `--class=fi` fish wants the whole word.
    set -l option (commandline -ct | string match -r -- '^--[^=]*=')
    for line in (env COMP_WORDS="$typed" _ANTIDRIFT_COMPLETE=fish_complete antidrift 2>/dev/null)
        switch $line
            case file
                __fish_complete_path (commandline -ct)
            case ':*'
                printf '%s\n' "$option"(string sub -s 2 -- $line)
        end
    end
end
complete -c antidrift -e
complete -c antidrift -f -k -a '(__antidrift_complete)'
