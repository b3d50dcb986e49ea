// kissi __complete: the candidates for the last word of a command line.
import type { Command, Option } from 'commander';
import { SCRIPTS } from './commands/completion.ts';
import { EXIT } from './errors.ts';
import { print } from './output/terminal.ts';
import { buildProgram } from './program.ts';

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
