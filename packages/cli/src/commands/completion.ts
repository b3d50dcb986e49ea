// Completion for bash, zsh and fish. The scripts ask `kissi __complete` for the candidates, so that they never go stale.
import type { Command, Option } from 'commander';
import { EXIT, UsageError } from '../errors.ts';
import { print } from '../output/terminal.ts';
import { buildProgram } from '../program.ts';

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

const SCRIPTS: Record<string, string> = { bash: BASH, zsh: ZSH, fish: FISH };

export function printCompletion(shell: string): void {
  const script = SCRIPTS[shell];
  if (script === undefined) throw new UsageError(`There is no completion for ${shell}: choose bash, zsh or fish.`);
  print(script);
}

/** Prints the candidates for the last word, each with its description after a tab. */
export function complete(words: string[]): number {
  const lines = candidates(words).map(({ value, text }) => (text === '' ? value : `${value}\t${text}`));
  if (lines.length > 0) print(lines.join('\n'));
  return EXIT.ok;
}

interface Candidate {
  value: string;
  text: string;
}

export function candidates(words: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? '';
  const earlier = words.slice(0, -1);
  const command = commandOf(buildProgram(words), earlier);
  const option = findOption(command, earlier.at(-1));
  const all = option
    ? (option.argChoices ?? []).map(plain)
    : [...(current.startsWith('-') ? flags(command) : names(command))];
  return all.filter(({ value }) => value.startsWith(current));
}

const plain = (value: string): Candidate => ({ value, text: '' });

/** Follows the words to the command that they name. */
function commandOf(program: Command, words: readonly string[]): Command {
  let command = program;
  for (const word of words) command = command.commands.find((candidate) => candidate.name() === word) ?? command;
  return command;
}

/** The option that waits for its value. */
function findOption(command: Command, word: string | undefined): Option | undefined {
  if (!word?.startsWith('-')) return undefined;
  return optionsOf(command).find((option) => (option.long === word || option.short === word) && option.required);
}

function optionsOf(command: Command): readonly Option[] {
  return command.parent ? [...command.options, ...optionsOf(command.parent)] : command.options;
}

function flags(command: Command): Candidate[] {
  const shown = optionsOf(command).filter((option) => !option.hidden && option.long);
  return [
    ...shown.map((option) => ({ value: option.long ?? '', text: firstSentence(option.description) })),
    { value: '--help', text: '' },
  ];
}

function names(command: Command): Candidate[] {
  if (command.commands.length === 0) return command.name() === 'completion' ? Object.keys(SCRIPTS).map(plain) : [];
  return command.commands.map((child) => ({
    value: child.name(),
    text: firstSentence(child.summary() || child.description()),
  }));
}

const firstSentence = (text: string) => text.split(/\n|\. /, 1)[0] ?? '';
