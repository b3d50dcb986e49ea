// Rules, fees and alerts in plain sentences.
import type { ComplianceRule, FeeSetting, ListedAlert } from '@kissi/client';
import { i18n } from '@lingui/core';
import type { MantineColor } from '@mantine/core';
import { label } from '../../components/values.tsx';
import { count, money } from '../../format/money.ts';

/** The types that rules can apply to, the most frequent ones first. */
export const TYPES = [
  ['transfer_p2p', 'Transfer between wallets', 'transfers between wallets'],
  ['pos_payment', 'Card payment', 'card payments'],
  ['agent_cashin', 'Cash-in at an agent', 'cash-ins at agents'],
  ['wallet_withdraw', 'Cash-out at an agent', 'cash-outs at agents'],
  ['vult_fund', 'Wallet funding', 'wallet fundings'],
  ['inbound_credit', 'Inbound credit', 'inbound credits'],
  ['partner_cashin', 'Cash-in at a partner', 'cash-ins at partners'],
  ['pos_refund', 'Card payment refund', 'card payment refunds'],
  ['processor_transfer', 'Merchant transfer', 'merchant transfers'],
  ['processor_payout', 'Pay-out to a merchant', 'pay-outs to merchants'],
  ['payout_returned', 'Returned pay-out', 'returned pay-outs'],
  ['agent_fund', 'Agent funding', 'agent fundings'],
  ['agent_return', 'Float return', 'float returns'],
  ['agent_transfer', 'Transfer between agents', 'transfers between agents'],
  ['inbound_reversal', 'Inbound credit reversal', 'inbound credit reversals'],
  ['partner_settlement', 'Partner settlement', 'partner settlements'],
  ['unclaimed_payment', 'Payment to a number without a wallet', 'payments to numbers without a wallet'],
  ['suspense_resolution', 'Suspense item resolution', 'suspense item resolutions'],
  ['suspense_refund', 'Suspense item refund', 'suspense item refunds'],
] as const;

export type TransactionType = (typeof TYPES)[number][0];

export const isType = (text: string) => TYPES.some(([name]) => name === text);
export const typeName = (type: string) => i18n._(TYPES.find(([name]) => name === type)?.[1] ?? label(type));
/** In the plural, as in a sentence. */
export const typesName = (type: string) => TYPES.find(([name]) => name === type)?.[2] ?? label(type);

export function inSeries(parts: readonly string[], word = 'and'): string {
  const last = parts.at(-1) ?? '';
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} ${word} ${last}`;
}

export type RuleTerms = Pick<
  ComplianceRule,
  'kind' | 'side' | 'transaction_types' | 'outcome' | 'threshold' | 'window_seconds'
>;

/** Such as "Flag transfers between wallets when the payer sends more than 20 within 1 hour". */
export function ruleInWords(rule: RuleTerms): string {
  const { kind, side, transaction_types, outcome, threshold, window_seconds } = rule;
  const verb = outcome === 'block' ? 'Block' : 'Flag';
  const names = transaction_types.map(typesName);
  const types =
    names.length > 3 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} other types` : inSeries(names);
  if (kind === 'amount') return `${verb} ${types} above ${money(threshold)}.`;
  const within = `within ${periodInWords(window_seconds ?? 0)}`;
  const party = side === 'payee' ? 'the recipient gets' : 'the payer makes';
  const limit = kind === 'velocity_count' ? `more than ${count(threshold)}` : `more than ${money(threshold)} in total`;
  return `${verb} ${types} when ${party} ${limit} ${within}.`;
}

export const KINDS = { amount: 'Amount', velocity_count: 'Number in a period', velocity_amount: 'Sum in a period' };

const UNITS: [seconds: number, name: string][] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];

/** 3600 as "1 hour", 90000 as "25 hours". */
export function periodInWords(seconds: number): string {
  const [size, name] = UNITS.find(([unit]) => seconds % unit === 0 && seconds >= unit) ?? [1, 'second'];
  const number = seconds / size;
  return `${count(number)} ${name}${number === 1 ? '' : 's'}`;
}

export const thresholdInWords = (kind: string, value: number) =>
  kind === 'velocity_count' ? count(value) : money(value);

export function severityTone(severity: string): MantineColor {
  return { CRITICAL: 'red', HIGH: 'orange', MEDIUM: 'yellow' }[severity] ?? 'gray';
}

/** The rule as it was when it raised the alert. */
export interface TriggeredRule {
  rule_id: string;
  rule_version: number;
  name: string;
  kind: 'amount' | 'velocity_count' | 'velocity_amount';
  side: 'payer' | 'payee';
  outcome: 'flag' | 'block';
  severity: string;
  threshold: number;
  window_seconds: number | null;
  amount?: number;
  count?: number;
  sum?: number;
}

export interface Figures {
  from?: string;
  to?: string;
  amount?: number;
  outcome?: 'flag' | 'block';
  transaction_type?: string;
  request_id?: string;
  rules?: TriggeredRule[];
  reported_by?: { id: string; type: string };
}

export const figuresOf = (alert: ListedAlert) => (alert.figures ?? {}) as Figures;

/** What the rule compared with its threshold. */
export function foundBy({ kind, amount, count: number, sum }: TriggeredRule): number | null {
  return { amount, velocity_count: number, velocity_amount: sum }[kind] ?? null;
}

/** An alert about a politically exposed person has no more than its status. */
export const isHidden = ({ type }: ListedAlert) => type === undefined;

/** The name of its rule, or what a person reported. */
export function alertTitle(alert: ListedAlert): string {
  if (alert.type === undefined) return 'About a politically exposed person';
  const [rule] = figuresOf(alert).rules ?? [];
  return rule?.name ?? (alert.type === 'manual' || alert.type === 'report' ? 'Report' : label(alert.type));
}

/** Such as "Transfer between wallets of SLE 10.00: 22 within 1 hour, at most 20 allowed.". */
export function alertInWords(alert: ListedAlert): string {
  const { amount, transaction_type, rules = [] } = figuresOf(alert);
  const [rule] = rules;
  const found = rule ? foundBy(rule) : null;
  if (!rule || found === null || amount === undefined || !transaction_type) return alert.description ?? '';
  const payment = `${typeName(transaction_type)} of ${money(amount)}`;
  const more = rules.length > 1 ? ` ${rules.length - 1} more ${rules.length === 2 ? 'rule' : 'rules'} triggered.` : '';
  const limit = thresholdInWords(rule.kind, rule.threshold);
  if (rule.window_seconds === null) return `${payment}, at most ${limit} allowed.${more}`;
  const within = periodInWords(rule.window_seconds);
  return `${payment}: ${thresholdInWords(rule.kind, found)} within ${within}, at most ${limit} allowed.${more}`;
}

export const isClosed = ({ status }: ListedAlert) => status === 'resolved' || status === 'dismissed';
export const isOverdue = (alert: ListedAlert, now = Date.now()) =>
  !isClosed(alert) && Boolean(alert.due_at) && Date.parse(alert.due_at ?? '') < now;

/** The account that an alert is about. */
export const subjectOf = ({ subscriber_id, agent_id, processor_id }: ListedAlert) =>
  subscriber_id ?? agent_id ?? processor_id ?? null;

const SCREENS: Record<string, string> = {
  sub: '/customers',
  agent: '/agents',
  proc: '/merchants',
  ptn: '/partners',
};

/** An account's screen; null for the operator's accounts. */
export function screenOf(id: string): string | null {
  const screen = SCREENS[id.split('_')[0] ?? ''];
  return screen ? `${screen}/${id}` : null;
}

export const PARTIES: Record<string, string> = {
  sender: 'Sender',
  recipient: 'Recipient',
  agent: 'Agent',
  processor: 'Merchant',
};

type FeeTerms = Pick<FeeSetting, 'fee_type' | 'fee_value' | 'debit_enabled' | 'credit_enabled'>;

/** Such as "Pays 1.5 % of the amount". */
export function feeInWords({ fee_type, fee_value, debit_enabled, credit_enabled }: FeeTerms): string {
  if (!debit_enabled && !credit_enabled) return 'Pays and earns nothing';
  const verb = inSeries([...(debit_enabled ? ['pays'] : []), ...(credit_enabled ? ['earns'] : [])]);
  if (fee_value === 0) return `${label(verb)} nothing`;
  const price =
    fee_type === 'flat' ? `${money(Math.round(fee_value * 100))} each time` : `${fee_value} % of the amount`;
  return `${label(verb)} ${price}`;
}
