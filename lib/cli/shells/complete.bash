# Completion of oloproof for bash. In ~/.bashrc: source <(oloproof completions bash)

# What may follow a command: further commands, and options.
_oloproof_words() {
  commands='' options=''
  case $1 in
#{words}
  esac
}

# What an option of a command, or its argument at a place, takes; fails for what takes nothing.
_oloproof_value() {
  kind='' choices=''
  case $1 in
#{values}
    *) return 1 ;;
  esac
}

_oloproof_has() {
  case " $1 " in *" $2 "*) return 0 ;; esac
  return 1
}

_oloproof() {
  local IFS=$' \t\n'
  local word=${COMP_WORDS[COMP_CWORD]} at='' place=0 wanted='' ended='' i before candidate
  local commands options kind choices
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    before=${COMP_WORDS[i]}
    # bash takes --format=csv for three words.
    if [[ $before == '=' ]]; then continue; fi
    if [[ -n $wanted ]]; then wanted=''; continue; fi
    if [[ -z $ended && $before == -- ]]; then ended=1; continue; fi
    if [[ -z $ended && $before == -* ]]; then
      if _oloproof_value "$at $before"; then wanted=$before; fi
      continue
    fi
    _oloproof_words "$at"
    if [[ $place == 0 ]] && _oloproof_has "$commands" "$before"; then at=${at:+$at }$before
    else place=$((place + 1)); fi
  done
  if [[ $word == '=' ]]; then word=''; fi
  if [[ -n $wanted ]]; then
    _oloproof_value "$at $wanted"
  else
    _oloproof_words "$at"
    if [[ -z $ended && $word == -* ]]; then kind=choice choices=$options
    elif [[ $place == 0 && -n $commands ]]; then kind=choice choices=$commands
    else _oloproof_value "$at $place" || return 0; fi
  fi
  case $kind in
    choice)
      for candidate in $choices; do
        if [[ $candidate == "$word"* ]]; then
          printf -v candidate %q "$candidate"
          COMPREPLY+=("$candidate")
        fi
      done ;;
    file|folder)
      # Older ones than 4 do not know it, and complete all the same.
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(
        if [[ $kind == file ]]; then compgen -f -- "$word"; else compgen -d -- "$word"; fi
      ) ;;
  esac
  return 0
}

complete -F _oloproof oloproof
