// What an approver sees of a request, and its secrets, which are not shown.
import type { Vault } from '../../auth/vault.ts';
import { canonicalJson } from '../../kernel/canonical-json.ts';
import type { AnyChange, AnyOperation, Input } from './operation.ts';
import type { NamedParty } from './people.ts';
import type { ApprovalRow } from './store.ts';

export interface Summary {
  /** One sentence. */
  text: string;
  /** The changed values; null if there is no record. */
  before: object | null;
  after: object | null;
  /** The accounts and users that the request names. */
  parties: NamedParty[];
  /** Fields that are set to a value that is not shown. */
  hidden_fields?: string[];
}

type Fields = Record<string, unknown>;

export function summaryOf(
  operation: AnyChange,
  { input, before, after, parties }: { input: Input<unknown, unknown> } & Pick<Summary, 'before' | 'after' | 'parties'>,
): Summary {
  const text = operation.describe(input);
  const secrets = (operation.secretInput ?? []).filter((name) => name in (input.body as Fields));
  const rest = { parties, ...(secrets.length === 0 ? {} : { hidden_fields: secrets }) };
  if (after === null) return { text, before, after, ...rest };
  const current = after as Fields;
  const names = Object.keys(current).filter((name) => !GENERATED.includes(name));
  if (before === null) return { text, before, after: pick(current, names), ...rest };
  const old = before as Fields;
  const changed = names.filter((name) => canonicalJson(old[name]) !== canonicalJson(current[name]));
  return { text, before: pick(old, changed), after: pick(current, changed), ...rest };
}

/** Fields that the execution sets anew. */
const GENERATED = ['id', 'created_at', 'updated_at', 'updated_by', 'version'];

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
}

/** Separates the secret fields of the body and encrypts them for this approval. */
export function sealSecrets(
  vault: Vault,
  id: string,
  operation: AnyOperation,
  { params, body }: Input<unknown, unknown>,
): { input: Input<unknown, unknown>; sealed: Buffer | null } {
  const names = operation.kind === 'change' ? operation.secretInput : undefined;
  const { open, secret } = separate(body as Fields, names ?? []);
  const sealed = Object.keys(secret).length === 0 ? null : vault.seal(JSON.stringify(secret), id);
  return { input: { params, body: open }, sealed };
}

/** The exact input of the request, secrets included. */
export function openInput(vault: Vault, { id, input, sealed_input }: ApprovalRow): Input<unknown, unknown> {
  const { params, body } = input as unknown as Input<object, object>;
  const secrets = sealed_input === null ? {} : (JSON.parse(vault.open(sealed_input, id)) as object);
  return { params, body: { ...body, ...secrets } };
}

export function separate(fields: Fields, names: readonly string[]): { open: Fields; secret: Fields } {
  const isSecret = ([name]: [string, unknown]) => names.includes(name);
  const entries = Object.entries(fields);
  return {
    open: Object.fromEntries(entries.filter((entry) => !isSecret(entry))),
    secret: Object.fromEntries(entries.filter(isSecret)),
  };
}
