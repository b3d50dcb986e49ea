// What customers are told: the kinds of notices, the values that their texts need, and how long each is worth sending.
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';

export const CASE_STATES = [
  'open',
  'waiting_customer',
  'waiting_other_party',
  'investigating',
  'resolved',
  'rejected',
] as const;
export type CaseNoticeState = (typeof CASE_STATES)[number];

type None = Record<never, never>;

/** The values of each kind. Amounts are in minor units; names come masked. */
export interface NoticeValues {
  /** Somebody logged in with a device that was not known. */
  new_device: { device: string };
  pin_changed: None;
  /** A code that staff sent for a new PIN, and the PIN that was set with it. */
  pin_reset_code: { code: string; minutes: number };
  pin_reset_done: None;
  /** To the old number too: `to`. */
  number_changed: None;
  /** Wrong PINs of others on one day: shops, agents and apps are refused until midnight. */
  wrong_pins: { count: number };
  /** Wrong PINs on the holder's own devices and by USSD: they are refused until the PIN is reset. */
  own_wrong_pins: { count: number };
  phone_code: { code: string; minutes: number };
  login_code: { code: string; minutes: number };
  /** Somebody asks for a payment. `amount` null: the payer chooses it; `ussd` null: there is no service code. */
  request_to_pay: { payee: string; amount: number | null; code: string; ussd: string | null };
  cash_out_code: { code: string; amount: number; minutes: number };
  /** The sender of a transfer wants it back. */
  recall: { amount: number; sender: string; case: string };
  /** The customer's case has another state, or a message of staff. */
  case_changed: { case: string; state: CaseNoticeState };
  case_message: { case: string };
  /** `until`: the last day. */
  case_complex: { case: string; until: string };
  partner_wallet_changed: None;
  card_moved: None;
}

export type NoticeKind = keyof NoticeValues;

interface Terms {
  /** A code is worth nothing after its expiry, and is sent even with NOTICES=off: whoever asked for it waits for it. */
  isCode: boolean;
  /** How long it is worth sending, unless the caller says otherwise. */
  validMs: number;
}

const security: Terms = { isCode: false, validMs: DAY_MS };
const code = (minutes: number): Terms => ({ isCode: true, validMs: minutes * MINUTE_MS });

export const KINDS: Record<NoticeKind, Terms> = {
  new_device: security,
  pin_changed: security,
  pin_reset_code: code(15),
  pin_reset_done: security,
  number_changed: security,
  wrong_pins: security,
  own_wrong_pins: security,
  phone_code: code(15),
  login_code: code(10),
  request_to_pay: { isCode: true, validMs: DAY_MS },
  cash_out_code: code(30),
  recall: security,
  case_changed: security,
  case_message: security,
  case_complex: security,
  partner_wallet_changed: security,
  card_moved: security,
};
