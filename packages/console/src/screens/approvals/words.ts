// Requests in plain words: names instead of ids, and amounts as people write them.
import type { Approval } from '@kissi/client';
import { i18n } from '@lingui/core';
import { label } from '../../components/values.tsx';
import { count, isMoneyField, money } from '../../format/money.ts';
import { instant } from '../../format/time.ts';
import { isType, typeName, typesName } from '../compliance/words.ts';
import { TITLES } from './titles.ts';

export { MOVES_MONEY } from './titles.ts';

export const ACTION_NAMES = Object.keys(TITLES);
const isAction = (text: string): text is Approval['action'] => text in TITLES;
export const actionTitle = (action: string) => i18n._(isAction(action) ? TITLES[action] : label(action));

export interface Summary {
  text: string;
  /** These are absent for roles that may not see what the request changes. */
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
  parties?: { id: string; name: string | null }[];
  hidden_fields?: string[];
}

/** Null while the record is hidden because it is about a politically exposed person. */
export const summaryOf = ({ summary }: Approval) => summary as unknown as Summary | null;

/** An agent asks for a level on documents that it uploaded. */
export const isLevelRequest = ({ operation }: Approval) => operation === 'subscribers.request_level';

/** Of the photos, which the screen shows. Their ids and hashes are for the audit. */
const PHOTOS = ['documents', 'identity_document_id', 'face_document_id'];

/** The values that the reader needs. */
export const shownNames = (approval: Approval, names: readonly string[]) =>
  isLevelRequest(approval) ? names.filter((name) => !PHOTOS.includes(name)) : names;

/** The sentence of the request, with names for ids. Names that it does not mention are added. */
export function sentenceOf(approval: Approval): string {
  const summary = summaryOf(approval);
  if (!summary) return actionTitle(approval.action);
  const { parties = [] } = summary;
  const named = parties.reduce((text, { id, name }) => (name ? text.replaceAll(id, name) : text), summary.text);
  const others = parties.filter(({ id, name }) => name && !summary.text.includes(id)).map(({ name }) => name);
  // Without a name the id says whom the request is about.
  const titled = named
    .replaceAll(/ [a-z]+_[0-9A-Z]{26}\b/g, (id) => (others.length > 0 ? '' : ` …${id.slice(-6)}`))
    .replaceAll(/\b[a-z_]+\.[a-z_]+\b/g, (action) => (isAction(action) ? `“${actionTitle(action)}”` : action));
  const text = titled.replaceAll(/\b[a-z][a-z0-9]*(_[a-z0-9]+)+\b/g, (word) =>
    isType(word) ? typesName(word) : label(word).toLowerCase(),
  );
  return others.length === 0 ? text : `${text.replace(/\.$/, '')}: ${others.join(', ')}.`;
}

/** The values that a request changes, such as "Fee value: 1 % → 0.8 %"; null if it changes none or the role does not see them. */
export function changesOf(approval: Approval): string | null {
  const { before, after } = summaryOf(approval) ?? {};
  if (approval.amount !== null || !before || !after) return null;
  const changed = shownNames(approval, Object.keys(after)).filter(
    (name) => name in before && JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const written = (name: string, values: Record<string, unknown>) =>
    valueInWords(name, values[name], feeTypeOf(approval, values));
  const texts = changed.map((name) => `${fieldName(name)}: ${written(name, before)} → ${written(name, after)}`);
  return texts.length === 0 ? null : texts.join(', ');
}

/** A change names its fee type only if it changes it. */
export const feeTypeOf = ({ input }: Approval, values: Record<string, unknown> | null) =>
  String(values?.fee_type ?? (input as { fee_type?: string } | null)?.fee_type ?? '');

const FIELD_NAMES: Record<string, string> = {
  balance: 'Balance',
  partner_outstanding: 'Owed by the partner',
  kyc_level: 'KYC level',
  is_pep: 'Politically exposed',
  threshold: 'Threshold',
  enabled: 'Approval needed',
};

export const fieldName = (name: string) => FIELD_NAMES[name] ?? label(name);

/** A value of an enumeration, such as transfer_p2p. */
const CODE = /^[a-z]+(_[a-z0-9]+)*$/;
const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** A value of the record as text. */
export function valueInWords(name: string, value: unknown, feeType = ''): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (name === 'fee_value' && feeType === 'percentage') return `${value} %`;
  if (name === 'fee_value' && feeType === 'flat') return money(Math.round(Number(value) * 100));
  if (name === 'id_type') return label(String(value));
  if (typeof value === 'number') return isMoneyField(name) ? money(value) : count(value);
  if (Array.isArray(value)) return value.length === 0 ? 'None' : value.map((each) => valueInWords('', each)).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  if (isAction(String(value))) return actionTitle(String(value));
  if (isType(String(value))) return typeName(String(value));
  if (CODE.test(String(value))) return label(String(value));
  return INSTANT.test(String(value)) ? instant(String(value)) : String(value);
}
