#compdef oloproof
# Completion of oloproof for zsh. In ~/.zshrc, after compinit: source <(oloproof completions zsh)

# What may follow a command: further commands, and options.
_oloproof_words() {
  commands=() options=()
  case $1 in
#{words}
  esac
}

# What an option of a command, or its argument at a place, takes; fails for what takes nothing.
_oloproof_value() {
  kind='' choices=()
  case $1 in
#{values}
    *) return 1 ;;
  esac
}

_oloproof() {
  local at='' wanted='' ended='' before kind
  local -i place=0 i
  local -a commands options choices
  for ((i = 2; i < CURRENT; i++)); do
    before=${words[i]}
    if [[ -n $wanted ]]; then wanted=''; continue; fi
    if [[ -z $ended && $before == -- ]]; then ended=1; continue; fi
    if [[ -z $ended && $before == -* ]]; then
      if _oloproof_value "$at $before"; then wanted=$before; fi
      continue
    fi
    _oloproof_words "$at"
    if (( place == 0 && ${commands[(I)${(b)before}:*]} )); then at=${at:+$at }$before
    else place+=1; fi
  done
  if [[ -z $wanted && -z $ended && ${words[CURRENT]} == --*=* ]]; then
    wanted=${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $wanted ]]; then
    _oloproof_value "$at $wanted" || return 1
  else
    _oloproof_words "$at"
    if [[ -z $ended && ${words[CURRENT]} == -* ]]; then _describe -o option options; return; fi
    if (( place == 0 && $#commands )); then _describe command commands; return; fi
    _oloproof_value "$at $place" || return 1
  fi
  case $kind in
    choice) compadd -a choices ;;
    file) _files ;;
    folder) _files -/ ;;
    *) return 1 ;;
  esac
}

# As a file of fpath it is called; sourced, it only says what it is for.
if [[ ${funcstack[1]} == _oloproof ]]; then _oloproof "$@"; else compdef _oloproof oloproof; fi
