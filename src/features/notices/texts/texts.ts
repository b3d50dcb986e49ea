// The texts by language, and which one a notice has.
import type { Language } from '../../../http/pages/language.ts';
import type { NoticeKind, NoticeValues } from '../kinds.ts';
import { en } from './en.ts';
import type { TextKey, Texts } from './keys.ts';
import { kri } from './kri.ts';

export const TEXTS: Record<Language, Texts> = { en, kri };

export function textKey<Kind extends NoticeKind>(kind: Kind, values: NoticeValues[Kind]): TextKey {
  if (kind === 'case_changed') return `case_${(values as NoticeValues['case_changed']).state}`;
  return kind === 'request_to_pay' && 'amount' in values && values.amount === null
    ? 'request_to_pay_any'
    : (kind as TextKey);
}
