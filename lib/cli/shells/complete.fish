# Completion of oloproof for fish. It is found in a folder of fish's:
# oloproof completions fish > ~/.config/fish/completions/oloproof.fish

#{words}

# Whether a command was called and, where a number is given, whether so many arguments of its own stand before this word.
function __oloproof_at
    set -l at ''
    set -l place 0
    set -l wanted 0
    set -l ended 0
    set -l words (commandline -opc)
    for before in $words[2..]
        if test $wanted = 1
            set wanted 0
        else if test $ended = 0 -a "$before" = --
            set ended 1
        else if test $ended = 0; and string match -q -- '-*' $before
            contains -- "$at $before" $__oloproof_takers; and set wanted 1
        else
            set -l longer (string trim -- "$at $before")
            if test $place = 0; and contains -- $longer $__oloproof_commands
                set at $longer
            else
                set place (math $place + 1)
            end
        end
    end
    test "$at" = "$argv[1]"; and begin
        test (count $argv) = 1; or test $place = $argv[2]
    end
end

complete -c oloproof -e
complete -c oloproof -f
#{values}
