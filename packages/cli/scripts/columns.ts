// Chooses what people see of a reply: the columns of a list, and which numbers are amounts of money.
import { type Document, follow, isType, mainAlternative, propertiesOf, type Schema } from './document.ts';

const MAX_COLUMNS = 10;

/** In the order of the table. A list without most of these gets its other fields. */
const ORDER: readonly RegExp[] = [
  /^(id|serial|code)$/,
  /^(transaction_id|reference|name|first_name)$/,
  /^(last_name|title|account_name)$/,
  /^(phone_number|phone|email|account_number)$/,
  /^(type|kind|event|action|role|category|rule_type)$/,
  /^(counterparty|description|path|holder_id|subscriber_id|partner_id|actor|user_email)$/,
  /^(status|state|severity|direction)$/,
  /^(amount|value)$/,
  /^(balance|balance_after|outstanding|float|fee)$/,
  /^(created_at|at|occurred_at|timestamp|day|date|booked_on|received_at)$/,
];

const place = (name: string) => ORDER.findIndex((pattern) => pattern.test(name));

export function columnsOf(document: Document, item: Schema | undefined): string[] {
  const fields = Object.entries(propertiesOf(document, item)).filter(([, schema]) => isScalar(document, schema));
  const names = fields.map(([name]) => name);
  const known = names.filter((name) => place(name) !== -1).sort((a, b) => place(a) - place(b));
  const others = names.filter((name) => place(name) === -1 && !/_(url|by|id)$/.test(name));
  const missing = Math.max(0, 5 - known.length);
  const last = known.filter((name) => place(name) === ORDER.length - 1);
  const first = [...known.filter((name) => !last.includes(name)), ...others.slice(0, missing)];
  return [...first.slice(0, MAX_COLUMNS - 1), ...last.slice(0, 1)];
}

function isScalar(document: Document, schema: Schema): boolean {
  const main = mainAlternative(document, schema);
  return !isType(main, 'array') && !isType(main, 'object') && main.properties === undefined;
}

const MONEY_NAME =
  /(?:^|_)(?:amount|fees?|balance|balance_after|debited|credited|outstanding|outstanding_limit|commissions?|daily_limit|max_balance|ceiling|floor|charged|earned|accrued|refunded_total|remaining|e_money|cover_difference|partner_debts|suspense|settled_total)$/;

/** Names of the integers in the reply that are amounts in minor units. */
export function moneyOf(document: Document, reply: Schema | undefined): string[] {
  const found = new Set<string>();
  collect(document, reply, { found, seen: new Set() });
  return [...found].sort();
}

function collect(
  document: Document,
  schema: Schema | undefined,
  state: { found: Set<string>; seen: Set<string> },
): void {
  if (!schema) return;
  if (schema.$ref !== undefined) {
    if (state.seen.has(schema.$ref)) return;
    state.seen.add(schema.$ref);
  }
  const { items, allOf = [], anyOf = [], oneOf = [], properties = {} } = follow(document, schema);
  for (const part of [...allOf, ...anyOf, ...oneOf, ...(items ? [items] : [])]) collect(document, part, state);
  for (const [name, field] of Object.entries(properties)) {
    if (isMoney(document, name, field)) state.found.add(name);
    collect(document, field, state);
  }
}

export function isMoney(document: Document, name: string, schema: Schema): boolean {
  const main = mainAlternative(document, schema);
  const description = follow(document, schema).description ?? '';
  if (!isType(main, 'integer') && !isType(main, 'number')) return false;
  return /minor units/i.test(description) || MONEY_NAME.test(name);
}
