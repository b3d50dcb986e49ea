// Examples in the help of a command, made from the example of the document.
import type { Field, Operation } from './command-table.ts';
import { flagOf, isSecret } from './flag-names.ts';

export function examplesOf(operation: Operation): string {
  const { family, name, path, items, csv } = operation;
  const start = ['kissi', family, name, ...path.map((field) => sampleOf(field))].join(' ');
  const lines = [`${start}${flagsOf(operation)}`];
  if (items) lines.push(`${start} --all --json`);
  if (csv) lines.push(`${start} --csv --output ${family}.csv`);
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}\n`;
}

function sampleOf({ name }: Field): string {
  return name.replaceAll('_', '-').toUpperCase();
}

function flagsOf({ query, body, upload, example, key }: Operation): string {
  if (upload) return ' FILE';
  const values = (example ?? {}) as Record<string, unknown>;
  const shown = body.filter(({ name, required }) => name !== key && (required || valueAt(values, name) !== undefined));
  const filters = query.filter(({ values: choices }) => choices !== undefined).slice(0, 1);
  return [...shown, ...filters]
    .map((field) => ` ${flagOf(field)} ${quoted(exampleValue(field, valueAt(values, field.name)))}`)
    .join('');
}

function valueAt(values: Record<string, unknown>, name: string): unknown {
  return name
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], values);
}

function exampleValue(field: Field, value: unknown): string {
  if (isSecret(field)) return '-';
  if (field.type === 'money') return value === undefined ? '125.00' : (Number(value) / 100).toFixed(2);
  if (value !== undefined) return field.type === 'list' && Array.isArray(value) ? value.join(',') : textOf(value);
  return field.values?.[0] ?? sampleOf({ ...field, name: field.name.split('.').at(-1) ?? '' });
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));

const quoted = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
