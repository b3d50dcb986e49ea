// A request before it is signed: path, query and body fields that mutations and attacks can change one by one.
import type { Schema } from '../support/openapi.ts';
import type { WireRequest } from '../support/wire.ts';
import { PDF } from './cases.ts';
import type { Target } from './operations.ts';
import { bearerFor, pathValues, type ValueContext, validValue } from './values.ts';

/** A member of the body, with its value as JSON text. */
export interface Field {
  name: string;
  json: string;
  schema: Schema;
}

export interface Draft {
  target: Target;
  /** Descriptions of the changes, for the report of a fault. */
  changes: string[];
  method: string;
  path: string;
  query: string[];
  fields: Field[];
  /** Replaces the fields. */
  body: Buffer | null;
  contentType: string | null;
  bearer: string;
  idempotencyKey: string;
  asService: boolean;
  /** Added after the credentials and the content type. */
  headers: [string, string][];
  /** Applied last, to the signed request. */
  corrupt: ((request: WireRequest) => WireRequest) | null;
  /** The request is not valid HTTP: the connection may be closed without a reply. */
  brokenHttp: boolean;
}

/** Groups of fields of which a body has exactly one. */
const ALTERNATIVES = [
  ['recipient_id', 'recipient_phone'],
  ['subscriber_id', 'partner_wallet_id'],
  ['to_processor_id', 'to_subscriber_id'],
  ['account_number', 'msisdn', 'card_serial'],
  ['subscriber_id', 'phone_number', 'card_serial'],
  ['phone_number', 'card_serial', 'account_number'],
  ['encrypted_pin', 'pin'],
];
const AT_MOST_ONE = [['partner_id', 'processor_id']];
const OPTIONAL_FIELD_SHARE = 0.35;

export function validDraft(context: ValueContext): Draft {
  const { target, random } = context;
  const fields = target.body ? validFields(target.body, context) : [];
  return {
    target,
    changes: [],
    method: target.method,
    path: pathOf(target.template, pathValues(context)),
    query: validQuery(context),
    fields,
    body: target.uploadType ? uploadedFile(context) : null,
    contentType: target.uploadType ?? (target.body ? 'application/json' : null),
    bearer: bearerFor(context),
    idempotencyKey: target.scheme === 'inbound' && target.needsIdempotencyKey ? random.uuid() : '',
    asService: target.takesServices && random.chance(0.3),
    headers: [],
    corrupt: null,
    brokenHttp: false,
  };
}

export function pathOf(template: string, values: string[]): string {
  const rest = [...values];
  return template.replace(/\{[^}]+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
}

function validQuery(context: ValueContext): string[] {
  const { target, random } = context;
  const includesAll = target.template.includes('messaging');
  return target.query.flatMap(({ name, schema, required }) => {
    if (!required && !includesAll && !random.chance(0.3)) return [];
    const value = validValue(name, schema, context);
    return value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  });
}

function validFields({ properties = {}, required = [] }: Schema, context: ValueContext): Field[] {
  const { random, fixtures, target } = context;
  const prepared = fixtures.prepared.get(target.name)?.fields();
  if (prepared) return Object.entries(prepared).map(([name, value]) => fieldOf(name, value, properties));
  // A read-only field of a PUT is accepted only with its current value.
  const names = new Set(Object.keys(properties).filter((name) => !properties[name]?.readOnly));
  const dropped = new Set<string>();
  const included = new Set(required);
  for (const group of [...ALTERNATIVES, ...AT_MOST_ONE]) {
    const present = group.filter((name) => names.has(name));
    if (present.length < 2 || present.some((name) => included.has(name))) continue;
    const one = random.pick(present);
    for (const name of present) dropped.add(name);
    dropped.delete(one);
    if (!AT_MOST_ONE.includes(group)) included.add(one);
  }
  const chosen = [...names].filter(
    (name) => included.has(name) || (!dropped.has(name) && random.chance(OPTIONAL_FIELD_SHARE)),
  );
  const fields = chosen.flatMap((name): Field[] => {
    const value = validValue(name, properties[name] ?? {}, context);
    return value === undefined ? [] : [fieldOf(name, value, properties)];
  });
  return withDependentFields(fields, context, properties);
}

function fieldOf(name: string, value: unknown, properties: Record<string, Schema>): Field {
  return { name, json: JSON.stringify(value), schema: properties[name] ?? {} };
}

/** Adjusts fields that depend on another: a super-agent has no parent, an amount rule has no window. */
function withDependentFields(fields: Field[], { parties }: ValueContext, properties: Record<string, Schema>): Field[] {
  const value = (name: string) => fields.find((field) => field.name === name)?.json;
  const [type, kind] = [value('agent_type'), value('kind')];
  if (type !== undefined) return dependent('parent_agent_id', type === '"super_agent"' ? null : parties.agent.id);
  if (kind !== undefined) return dependent('window_seconds', kind === '"amount"' ? null : 3_600);
  return fields;

  function dependent(name: string, needed: unknown): Field[] {
    const others = fields.filter((field) => field.name !== name);
    if (needed === null) return others;
    return [...others, fieldOf(name, needed, properties)];
  }
}

function uploadedFile(context: ValueContext): Buffer {
  const { template } = context.target;
  if (template.endsWith('/bulk-payments')) return bulkPayment(context);
  if (/\/(files|documents)$/.test(template)) return PDF;
  return template.endsWith('/statements') ? bankStatement(context) : cards(context);
}

function bulkPayment({ parties, random }: ValueContext): Buffer {
  const rows = Array.from({ length: random.int(1, 3) }, () => {
    const phone = random.pick([parties.holder.phone, '+23299000001']);
    return `${random.text(12, 'ABCDEFGH')},${phone},${random.int(1, 500)}.50`;
  });
  return Buffer.from(['reference,phone_number,amount', ...rows, ''].join('\n'));
}

/** Valid as the first statement of a trust account. */
function bankStatement({ fixtures, random }: ValueContext): Buffer {
  const day = new Date(fixtures.host.now()).toISOString().slice(0, 10);
  const amount = `${random.int(1, 5_000)}.${random.int(10, 99)}`;
  return Buffer.from(`date,amount,reference,description,balance\n${day},${amount},REF,A deposit,${amount}\n`);
}

function cards({ random }: ValueContext): Buffer {
  const lines = Array.from({ length: random.int(1, 5) }, () => `CSV-${random.text(9, 'ABCDEFGH')},A label`);
  return Buffer.from(['serial,label', ...lines, ''].join('\n'));
}

export function bodyOf({ body, fields, target }: Draft): Buffer {
  if (body) return body;
  if (!target.body) return Buffer.alloc(0);
  return Buffer.from(`{${fields.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`);
}

export function targetLine({ path, query }: Draft): string {
  return query.length > 0 ? `${path}?${query.join('&')}` : path;
}
