// Redacts bodies and paths for the request log. Only values of fields that are listed here are shown.
import { storableText } from '../../http/body.ts';
import { loggablePath, REDACTED } from '../../http/log.ts';

/** Fields without secrets, data of persons and balances. Every other field is shown with its name only. */
const SHOWN: ReadonlySet<string> = new Set([
  ...['success', 'code', 'error', 'message', 'status', 'failure_code', 'operation', 'event', 'type'],
  ...['amount', 'currency', 'fee', 'net_credited', 'total_debited', 'can_credit'],
  ...['reference', 'request_id', 'transaction_id', 'original_transaction_id', 'inbound_id', 'id'],
  ...['merchant_id', 'processor_id', 'partner_id', 'agent_id', 'terminal_id'],
  ...['created_at', 'completed_at', 'occurred_at', 'from', 'to', 'locked_until', 'attempts_remaining', 'exists'],
  ...['limit', 'offset', 'cursor', 'next_cursor', 'total_count', 'format', 'date', 'required', 'kyc_level'],
]);

/** Objects and lists of objects, whose fields are redacted in turn. Another value, such as a card number, is not shown. */
const CONTAINERS: ReadonlySet<string> = new Set([
  ...['data', 'beneficiary', 'transactions', 'cards', 'subscribers', 'payer', 'subscriber', 'card'],
]);

/** Numbers of accounts and cards, and ids of subscribers: shown by their last characters. */
const MASKED: ReadonlySet<string> = new Set([
  ...['account_number', 'card_serial', 'recipient_card_serial', 'serial', 'subscriber_id', 'sender_id', 'recipient_id'],
  ...['user_id', 'from_account', 'to_account'],
]);

const VISIBLE_END = 4;
const MAX_TEXT = 200;
const MAX_ITEMS = 10;
const MAX_FIELDS = 50;
const MAX_DEPTH = 6;
const MAX_BODY_CHARS = 4_096;
/** Larger bodies are not parsed. */
export const MAX_PARSED_BYTES = 64 * 1024;

/** Null for no body. */
export function redactedBody(body: Buffer | string | null): string | null {
  if (body === null || body.length === 0) return null;
  if (body.length > MAX_PARSED_BYTES) return `[${body.length} bytes, too long to show]`;
  const json = parsed(body.toString());
  if (json === undefined) return `[${body.length} bytes that are not JSON]`;
  return cut(JSON.stringify(redacted(json, 0)), MAX_BODY_CHARS);
}

/** Without its query, which may hold anything. Parameters of the route are redacted like a body's fields. */
export function redactedPath(target: string, route: string | undefined, params: Record<string, string>): string {
  if (route === undefined) return cut(unknownPath(target), MAX_TEXT);
  const shown = (name: string) => storableText(String(shownValue(paramName(name), params[name] ?? '', 0)));
  return route.replaceAll(/:(\w+)/g, (_, name: string) => shown(name));
}

/** Words as in the paths of routes. Everything else may be an id, a number or a secret in the wrong place. */
const WORD = /^(?:[a-z]+(?:[-_][a-z]+)*|v\d)?$/;

/** The path of a request that no route matched. */
function unknownPath(target: string): string {
  const [path = ''] = target.split('?', 1);
  const segments = loggablePath(path)
    .split('/')
    .map((segment) => (WORD.test(segment) || segment === '…' ? segment : masked(segment)));
  return segments.join('/');
}

/** The last segment of most paths is the id of a subscriber, a card or another record. */
function paramName(name: string): string {
  return name === 'id' ? 'subscriber_id' : name;
}

function redacted(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH) return REDACTED;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => (isObject(item) ? redacted(item, depth + 1) : REDACTED));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  if (!isObject(value)) return REDACTED;
  const fields = Object.entries(value).slice(0, MAX_FIELDS);
  return Object.fromEntries(fields.map(([name, field]) => [cut(name, MAX_TEXT), shownValue(name, field, depth)]));
}

function shownValue(name: string, value: unknown, depth: number): unknown {
  if (value === null) return null;
  if (MASKED.has(name)) return masked(value);
  if (!SHOWN.has(name) && !CONTAINERS.has(name)) return REDACTED;
  if (typeof value === 'object') return redacted(value, depth + 1);
  if (CONTAINERS.has(name)) return REDACTED;
  return typeof value === 'string' ? cut(value, MAX_TEXT) : value;
}

function masked(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return text.length > VISIBLE_END ? `…${text.slice(-VISIBLE_END)}` : REDACTED;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
