// The words of cases: kinds, states, channels, and the rules that a recall is within.
export const KINDS = ['wrong_transfer', 'failed_payment', 'fraud', 'agent', 'other'] as const;
export type CaseKind = (typeof KINDS)[number];

export const STATES = [
  'open',
  'waiting_customer',
  'waiting_other_party',
  'investigating',
  'resolved',
  'rejected',
] as const;
export type CaseState = (typeof STATES)[number];

export function isClosed(state: CaseState): boolean {
  return state === 'resolved' || state === 'rejected';
}

export const CHANNELS = ['staff', 'wallet', 'ussd', 'chat'] as const;
export type CaseChannel = (typeof CHANNELS)[number];

export const RECALL_STATES = [
  'staff_decides',
  'placing',
  'asked',
  'nothing_left',
  'returned',
  'contested',
  'expired',
] as const;
export type RecallState = (typeof RECALL_STATES)[number];

/** What a transfer must be so that the recipient is asked without a decision by staff. */
export const RULES = ['addressing', 'first_payment', 'paid_since', 'window', 'one_open', 'two_in_30_days'] as const;
export type RecallRule = (typeof RULES)[number];

export const RULE_TEXTS: Record<RecallRule, string> = {
  addressing: 'The transfer was not addressed by a phone number or an account number.',
  first_payment: 'The sender had paid this recipient before.',
  paid_since: 'The sender has paid this recipient since.',
  window: 'The transfer is too old.',
  one_open: 'Another recall of the sender is open.',
  two_in_30_days: 'The sender recalled two transfers in the last 30 days.',
};
