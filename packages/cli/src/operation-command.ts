// Adds the command of one operation: its arguments, flags and help, and what it does.
import { type Command, Option } from 'commander';
import type { Field, Operation } from './command-table.ts';
import { type FlagValue, flagOf, shortFlagOf } from './flag-names.ts';
import type { OperationFlags } from './global-flags.ts';
import { examplesOf } from './help.ts';

/** Flags that a field must not hide; a field with the same name is set with --data. */
const RESERVED = new Set([
  '--profile',
  '--url',
  '--json',
  '--timeout',
  '--csv',
  '--all',
  '--output',
  '--columns',
  '--data',
  '--help',
]);

export function addOperation(family: Command, operation: Operation): void {
  const command = family.command(operation.name).summary(operation.summary).description(descriptionOf(operation));
  for (const field of operation.path) command.argument(`<${field.name.replaceAll('_', '-')}>`, field.help ?? '');
  if (operation.upload) command.argument('<file>', 'the file to upload, or - for standard input');
  const keys = new Map<string, string>();
  for (const field of operation.query) addField(command, field, `query ${field.name}`, operation.query, keys);
  for (const field of operation.body) addField(command, field, field.name, operation.body, keys);
  addOutputOptions(command, operation);
  command.addHelpText('after', () => examplesOf(operation));
  command.action(async (...values: unknown[]) => {
    const { runOperation } = await import('./run-operation.ts');
    const flags = command.optsWithGlobals<OperationFlags>();
    await runOperation(operation, values.slice(0, -2) as string[], valuesOf(command, keys), flags);
  });
}

function descriptionOf({ summary, description, method, url }: Operation): string {
  return [summary, ...(description ? [description] : []), `${method} ${url}`].join('\n');
}

/** `keys`: the attribute of each option in commander, with its field's key. */
function addField(command: Command, field: Field, key: string, all: readonly Field[], keys: Map<string, string>): void {
  const flag = flagOf(field);
  if (RESERVED.has(flag)) return;
  const option = optionOf(flag, field);
  keys.set(option.attributeName(), key);
  command.addOption(option);
  const short = shortFlagOf(field, all);
  if (short === null || RESERVED.has(short)) return;
  const alias = optionOf(short, field).hideHelp();
  keys.set(alias.attributeName(), key);
  command.addOption(alias);
}

function optionOf(flag: string, field: Field): Option {
  const option = new Option(`${flag} ${placeholderOf(field)}`, helpOf(field));
  if (field.values && field.type !== 'list') option.choices(field.values);
  if (field.type === 'list') option.argParser((value: string, previous: string[] = []) => [...previous, value]);
  return option;
}

function placeholderOf({ type }: Field): string {
  if (type === 'boolean') return '[true|false]';
  return { text: '<text>', money: '<0.00>', integer: '<n>', number: '<n>', list: '<a,b,…>', json: '<json|@file>' }[
    type
  ];
}

function helpOf({ help = '', type, required }: Field): string {
  // The command line takes amounts as people write them.
  const text = type === 'money' ? withoutMinorUnits(help) : help;
  return [text, required ? '(required)' : ''].filter((part) => part !== '').join(' ');
}

function withoutMinorUnits(help: string): string {
  const amount = (minor: string) =>
    (Number(minor.replaceAll(',', '')) / 100).toLocaleString('en', { minimumFractionDigits: 2 });
  return help
    .replace(/ ?(?:\(?in )?minor units[^.]*\.?\)?/gi, '')
    .replace(/(?<=Default: )\d[\d,]*/, amount)
    .trim();
}

function addOutputOptions(command: Command, { items, csv, file, upload, body }: Operation): void {
  if (body.length > 0) command.option('--data <json|@file>', 'the body as JSON; flags replace its fields');
  if (upload && upload.length > 1) command.option('--content-type <type>', `format of the file: ${upload.join(', ')}`);
  if (items) command.option('--all', 'all pages').option('--columns <a,b,…>', 'columns of the table');
  if (csv) command.option('--csv', 'the whole list as a CSV file');
  if (csv || file) command.option('-o, --output <file>', 'store the file here');
}

function valuesOf(command: Command, keys: ReadonlyMap<string, string>): Map<string, FlagValue> {
  const given = command.opts<Record<string, FlagValue>>();
  const values = new Map<string, FlagValue>();
  for (const [attribute, key] of keys) {
    const value = given[attribute];
    if (value !== undefined) values.set(key, value);
  }
  return values;
}
