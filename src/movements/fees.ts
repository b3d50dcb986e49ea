// What a payment costs whom: integer arithmetic over the fee settings, rounded half up to one minor unit.
export const TRANSACTION_TYPES = [
  'transfer_p2p',
  'agent_cashin',
  'pos_payment',
  'vult_fund',
  'wallet_withdraw',
] as const;
export type PricedType = (typeof TRANSACTION_TYPES)[number];

export const PARTIES = ['sender', 'recipient', 'agent', 'processor'] as const;
export type Party = (typeof PARTIES)[number];

export interface FeeSetting {
  transactionType: PricedType;
  party: Party;
  feeType: 'percentage' | 'flat';
  /** A percentage in ten-thousandths of a percent (1.5 % is 15,000), or a flat fee in minor units. */
  value: number;
  /** The party is charged. */
  debitEnabled: boolean;
  /** The party earns it, paid from fee income. */
  creditEnabled: boolean;
}

const percent = (transactionType: PricedType, party: Party, value: number): FeeSetting => ({
  transactionType,
  party,
  feeType: 'percentage',
  value,
  debitEnabled: true,
  creditEnabled: false,
});

/** Used where no setting of the operator's own exists. */
export const DEFAULT_FEES: readonly FeeSetting[] = [
  percent('transfer_p2p', 'sender', 15_000),
  percent('agent_cashin', 'agent', 5_000),
  percent('pos_payment', 'processor', 10_000),
  percent('vult_fund', 'sender', 0),
  percent('wallet_withdraw', 'sender', 10_000),
];

const WHOLE = 1_000_000n;

/** Half up, in integers: amount × rate has no room in a double. */
export function feeOn(amount: number, { feeType, value }: Pick<FeeSetting, 'feeType' | 'value'>): number {
  if (feeType === 'flat') return value;
  return Number((BigInt(amount) * BigInt(value) * 2n + WHOLE) / (WHOLE * 2n));
}

export interface PartyFees {
  charged: number;
  earned: number;
}

/** What the settings say of one party of a payment. */
export function partyFees(settings: readonly FeeSetting[], type: string, party: Party, amount: number): PartyFees {
  const matches = (setting: FeeSetting) => setting.transactionType === type && setting.party === party;
  const setting = settings.find(matches) ?? DEFAULT_FEES.find(matches);
  if (!setting) return { charged: 0, earned: 0 };
  const fee = feeOn(amount, setting);
  return { charged: setting.debitEnabled ? fee : 0, earned: setting.creditEnabled ? fee : 0 };
}
