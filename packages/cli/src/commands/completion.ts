// kissi completion: scripts for bash, zsh and fish. They ask `kissi __complete` for the candidates, so that they never go stale.
import { UsageError } from '../errors.ts';
import { print } from '../output/terminal.ts';

const BASH = `_kissi() {
  local IFS=$'\\n'
  COMPREPLY=($(kissi __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _kissi kissi`;

const ZSH = `#compdef kissi
_kissi() {
  local -a candidates
  candidates=(\${(f)"$(kissi __complete "\${words[@]:1:$((CURRENT - 1))}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')"})
  if (( \${#candidates} )); then _describe 'kissi' candidates; else _files; fi
}
compdef _kissi kissi`;

// Without -f, fish would mix files with the candidates.
const FISH = `function __kissi_complete
  set -l found (kissi __complete (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c kissi -f -a '(__kissi_complete)'`;

export const SCRIPTS: Record<string, string> = { bash: BASH, zsh: ZSH, fish: FISH };

export function printCompletion(shell: string): void {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`There is no completion for ${shell}: choose bash, zsh or fish.`);
  print(script);
}
