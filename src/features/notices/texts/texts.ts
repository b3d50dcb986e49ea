// The texts by language, and which one a notice has.
import type { NoticeKind, NoticeValues } from '../kinds.ts';
import { en } from './en.ts';
import { kri } from './kri.ts';

export const LANGUAGES = ['en', 'kri'] as const;
export type Language = (typeof LANGUAGES)[number];

export type TextKey = NoticeKind | 'request_to_pay_any';
/** Templates; template.ts has their syntax. */
export type Texts = Record<TextKey, string>;

export const TEXTS: Record<Language, Texts> = { en, kri };

export function textKey<Kind extends NoticeKind>(kind: Kind, values: NoticeValues[Kind]): TextKey {
  return kind === 'request_to_pay' && 'amount' in values && values.amount === null ? 'request_to_pay_any' : kind;
}
