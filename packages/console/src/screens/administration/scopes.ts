// What API keys can be allowed to do, in words.

export const SCOPES: { scope: string; about: string; operatorOnly?: true }[] = [
  { scope: 'payments:read', about: 'Read payments and statements' },
  { scope: 'payments:write', about: 'Make payments' },
  { scope: 'balance:read', about: 'Read balances' },
  { scope: 'subscribers:read', about: 'Read customers' },
  { scope: 'subscribers:write', about: 'Register and change customers' },
  { scope: 'cards:read', about: 'Read and look up cards' },
  { scope: 'cards:write', about: 'Issue and change cards' },
  { scope: 'inbound:read', about: 'Read credits from the bank' },
  { scope: 'inbound:write', about: 'Credit wallets from the bank' },
  { scope: 'treasury:write', about: 'Move money out of the treasury' },
  { scope: 'payouts:write', about: 'Pay out merchants' },
  { scope: 'agents:write', about: 'Register and change agents', operatorOnly: true },
  { scope: 'processors:write', about: 'Register and change merchants', operatorOnly: true },
  { scope: 'compliance:read', about: 'Read alerts and rules', operatorOnly: true },
  { scope: 'compliance:write', about: 'Decide on alerts and rules', operatorOnly: true },
  { scope: 'audit:read', about: 'Read the audit log', operatorOnly: true },
];

/** What each owner usually needs. */
export const USUAL: Record<'operator' | 'partner' | 'processor', string[]> = {
  operator: [],
  partner: ['payments:read', 'inbound:read', 'inbound:write'],
  processor: ['payments:read', 'payments:write', 'cards:read'],
};
