// The texts by language, and which one a notice has.
import type { NoticeKind, NoticeValues } from '../kinds.ts';
import { en } from './en.ts';
import { kri } from './kri.ts';

export const LANGUAGES = ['en', 'kri'] as const;
export type Language = (typeof LANGUAGES)[number];

/** About money that moved, or is held. */
export const PAYMENT_TEXTS = [
  'sent',
  'received',
  'deposited',
  'withdrawn',
  'paid',
  'refunded',
  'taken_back',
  'authorized',
  'released',
] as const;
export type PaymentText = (typeof PAYMENT_TEXTS)[number];

export type TextKey = NoticeKind | 'request_to_pay_any' | PaymentText;
/** Templates; template.ts has their syntax. */
export type Texts = Record<TextKey, string>;

export const TEXTS: Record<Language, Texts> = { en, kri };

export function textKey<Kind extends NoticeKind>(kind: Kind, values: NoticeValues[Kind]): TextKey {
  return kind === 'request_to_pay' && 'amount' in values && values.amount === null ? 'request_to_pay_any' : kind;
}
