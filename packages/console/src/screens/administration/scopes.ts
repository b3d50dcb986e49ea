// What API keys can be allowed to do, in words.

export type Owner = 'operator' | 'partner' | 'processor';

/** `only`: the service accepts the scope for keys of this owner alone. */
export const SCOPES: { scope: string; about: string; only?: Owner }[] = [
  { scope: 'payments:read', about: 'Read payments and statements' },
  { scope: 'payments:write', about: 'Make payments' },
  { scope: 'balance:read', about: 'Read balances' },
  { scope: 'subscribers:read', about: 'Read customers' },
  { scope: 'subscribers:write', about: 'Register and change customers' },
  { scope: 'cards:read', about: 'Read and look up cards' },
  { scope: 'cards:write', about: 'Issue and change cards' },
  { scope: 'inbound:read', about: 'Read credits from the bank', only: 'partner' },
  { scope: 'inbound:write', about: 'Credit wallets from the bank', only: 'partner' },
  { scope: 'treasury:write', about: 'Move money out of the treasury' },
  { scope: 'payouts:write', about: 'Pay out merchants' },
  { scope: 'agents:write', about: 'Register and change agents', only: 'operator' },
  { scope: 'processors:write', about: 'Register and change merchants', only: 'operator' },
  { scope: 'compliance:read', about: 'Read alerts and rules', only: 'operator' },
  { scope: 'compliance:write', about: 'Decide on alerts and rules', only: 'operator' },
  { scope: 'audit:read', about: 'Read the audit log', only: 'operator' },
];

/** Keys with one of these carry a daily limit. */
export const LIMITED = ['treasury:write', 'payouts:write'];

/** What each owner usually needs. */
export const USUAL: Record<Owner, string[]> = {
  operator: [],
  partner: ['payments:read', 'inbound:read', 'inbound:write'],
  processor: ['payments:read', 'payments:write', 'cards:read'],
};
