// A request before it is signed: an operation with its path, query and body in pieces that can be spoilt one by one.
import type { Schema } from '../support/openapi.ts';
import type { WireRequest } from '../support/wire.ts';
import type { Target } from './operations.ts';
import { bearerFor, pathValues, type Scene, validValue } from './values.ts';

/** A member of the body, its value as it is written. */
export interface Field {
  name: string;
  json: string;
  schema: Schema;
}

export interface Draft {
  target: Target;
  /** What was done to it, for whoever reads of a fault. */
  what: string[];
  method: string;
  path: string;
  query: string[];
  fields: Field[];
  /** Instead of the fields. */
  body: Buffer | null;
  contentType: string | null;
  bearer: string;
  idempotencyKey: string;
  asService: boolean;
  /** After the credentials, and instead of those of the same name. */
  headers: [string, string][];
  /** Done last, to what is signed and complete. */
  spoil: ((request: WireRequest) => WireRequest) | null;
  /** It is not HTTP any more: the connection may be closed without a reply. */
  brokenHttp: boolean;
}

/** Of these a body names exactly one, or at most one. */
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
const OPTIONAL = 0.35;

export function validDraft(scene: Scene): Draft {
  const { target, random } = scene;
  const fields = target.body ? validFields(target.body, scene) : [];
  return {
    target,
    what: [],
    method: target.method,
    path: pathOf(target.template, pathValues(scene)),
    query: validQuery(scene),
    fields,
    body: target.isUpload ? csv(scene) : null,
    contentType: target.isUpload ? 'text/csv' : target.body ? 'application/json' : null,
    bearer: bearerFor(scene),
    idempotencyKey: target.scheme === 'inbound' && target.needsIdempotencyKey ? random.uuid() : '',
    asService: target.takesServices && random.chance(0.3),
    headers: [],
    spoil: null,
    brokenHttp: false,
  };
}

export function pathOf(template: string, values: string[]): string {
  const rest = [...values];
  return template.replace(/\{[^}]+\}/g, () => encodeURIComponent(rest.shift() ?? ''));
}

function validQuery(scene: Scene): string[] {
  const { target, random } = scene;
  const all = target.template.includes('messaging');
  return target.query.flatMap(({ name, schema, required }) => {
    if (!required && !all && !random.chance(0.3)) return [];
    const value = validValue(name, schema, scene);
    return value === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
  });
}

function validFields({ properties = {}, required = [] }: Schema, scene: Scene): Field[] {
  const { random } = scene;
  const names = new Set(Object.keys(properties));
  const dropped = new Set<string>();
  const kept = new Set(required);
  for (const group of [...ALTERNATIVES, ...AT_MOST_ONE]) {
    const here = group.filter((name) => names.has(name));
    if (here.length < 2 || here.some((name) => kept.has(name))) continue;
    const one = random.pick(here);
    for (const name of here) dropped.add(name);
    dropped.delete(one);
    if (!AT_MOST_ONE.includes(group)) kept.add(one);
  }
  const chosen = [...names].filter((name) => kept.has(name) || (!dropped.has(name) && random.chance(OPTIONAL)));
  const fields = chosen.flatMap((name): Field[] => {
    const schema = properties[name] ?? {};
    const value = validValue(name, schema, scene);
    return value === undefined ? [] : [{ name, json: JSON.stringify(value), schema }];
  });
  return ofOneMind(fields, scene, properties);
}

/** Fields that go with the value of another: a super-agent has no parent, a rule about one amount has no window. */
function ofOneMind(fields: Field[], { cast }: Scene, properties: Record<string, Schema>): Field[] {
  const value = (name: string) => fields.find((field) => field.name === name)?.json;
  const [type, kind] = [value('agent_type'), value('kind')];
  if (type !== undefined) return dependent('parent_agent_id', type === '"super_agent"' ? null : cast.agent.id);
  if (kind !== undefined) return dependent('window_seconds', kind === '"amount"' ? null : 3_600);
  return fields;

  function dependent(name: string, needed: unknown): Field[] {
    const others = fields.filter((field) => field.name !== name);
    if (needed === null) return others;
    return [...others, { name, json: JSON.stringify(needed), schema: properties[name] ?? {} }];
  }
}

function csv({ random }: Scene): Buffer {
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
