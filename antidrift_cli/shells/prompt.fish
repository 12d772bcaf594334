
# The segment stands before the prompt, where fish shows the mode of vi keys: what the prompt itself
# finds in $status and $pipestatus stays as it is.
if not functions fish_mode_prompt | string match -q '*__antidrift_segment*'
    functions -e __antidrift_mode_prompt
    if functions -q fish_mode_prompt
        functions -c fish_mode_prompt __antidrift_mode_prompt
    else
        function __antidrift_mode_prompt
        end
    end
    function fish_mode_prompt
        __antidrift_segment
        if test -n "$__antidrift_alarm"; and test -z "$NO_COLOR"
            set_color red
            printf '%s' $__antidrift_text
            set_color normal
            printf ' '
        else if test -n "$__antidrift_text"
            printf '%s ' $__antidrift_text
        end
        __antidrift_mode_prompt
    end
end

# Takes the segment out of the prompt again.
function antidrift_prompt_off
    functions -e fish_mode_prompt
    functions -c __antidrift_mode_prompt fish_mode_prompt
    functions -e __antidrift_mode_prompt __antidrift_segment antidrift_prompt_off
    functions -e __antidrift_understand __antidrift_count
    for each in text alarm clock line pid word alarming ends minutes until
        set -e __antidrift_$each
    end
end
