// Names that several screens of finance use.
import { i18n } from '@lingui/core';
import { label } from '../../components/values.tsx';

const KINDS: Record<string, string> = {
  wallet: 'Wallets',
  agent_float: 'Agent floats',
  agent_commission: 'Commissions to be settled',
  processor: 'Merchants',
  partner_clearing: 'Partners',
  fee_income: 'Fee income',
  treasury: 'Treasury',
  suspense: 'Suspense',
  payouts_in_transit: 'Pay-outs in transit',
};

export const KIND_NAMES = Object.keys(KINDS);
export const kindName = (kind: string) => i18n._(KINDS[kind] ?? label(kind));

/** The day before, in UTC, by which the service closes days. */
export function dayBefore(day = new Date().toISOString()): string {
  return new Date(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}
