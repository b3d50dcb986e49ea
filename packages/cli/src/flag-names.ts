// The names of flags.
import type { Field } from './command-table.ts';

/** --url is the service's address, in every command. */
const RENAMED: Record<string, string> = { url: 'webhook_url' };

/** The flag of a field: sender_id becomes --sender-id, payer.name stays --payer.name. */
export const flagOf = ({ name }: Pick<Field, 'name'>) => `--${(RENAMED[name] ?? name).replaceAll('_', '-')}`;

/** A shorter flag for a record's id, such as --sender for sender_id, if no other field has it. */
export function shortFlagOf(field: Field, all: readonly Field[]): string | null {
  const short = field.name.replace(/_id$/, '');
  if (short === field.name || field.name === 'request_id') return null;
  return all.some(({ name }) => name === short) ? null : flagOf({ name: short });
}

export type FlagValue = string | boolean | string[];

/** Asked for without being shown, or read from standard input with `-`: the list of processes shows flags. */
export const isSecret = ({ name }: Pick<Field, 'name'>) => /(^|_)(pin|password|otp)$/.test(name);
