// The keys of the texts.
import type { CaseNoticeState, NoticeKind } from '../kinds.ts';

/** About money that moved, or is held. */
export const PAYMENT_TEXTS = [
  'sent',
  'received',
  'received_often',
  'deposited',
  'withdrawn',
  'paid',
  'refunded',
  'taken_back',
  'authorized',
  'released',
  'code_ended',
] as const;
export type PaymentText = (typeof PAYMENT_TEXTS)[number];

export type TextKey =
  | Exclude<NoticeKind, 'case_changed'>
  | `case_${CaseNoticeState}`
  | 'request_to_pay_any'
  | PaymentText;
/** Templates; template.ts has their syntax. */
export type Texts = Record<TextKey, string>;
