// Fees and commissions in integer arithmetic. Fees are rounded half up to one minor unit, commissions down.
import { MOVEMENT_TYPES, type MovementType, type Party, type PricedType, typesWith } from '../ledger/movement-types.ts';

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

/** Used when the operator has no setting of its own. */
export const DEFAULT_FEES: readonly FeeSetting[] = [
  percent('transfer_p2p', 'sender', 15_000),
  percent('agent_cashin', 'agent', 5_000),
  percent('pos_payment', 'processor', 10_000),
  percent('vult_fund', 'sender', 0),
  percent('wallet_withdraw', 'sender', 10_000),
];

/** Priced types that bring money into wallets. The fee of its later withdrawal can pay a commission on the deposit. */
const DEPOSIT_TYPES: readonly MovementType[] = typesWith({ priced: true, flow: 'deposit' });
export const WITHDRAWAL_TYPE: PricedType = 'wallet_withdraw';

export function isDeposit(type: MovementType): boolean {
  return DEPOSIT_TYPES.includes(type);
}

/** 100 %. */
const WHOLE = 1_000_000n;

/** Rounded half up, with BigInt: amount × rate exceeds the exact range of a double. */
export function feeOn(amount: number, { feeType, value }: Pick<FeeSetting, 'feeType' | 'value'>): number {
  if (feeType === 'flat') return value;
  return Number((BigInt(amount) * BigInt(value) * 2n + WHOLE) / (WHOLE * 2n));
}

/** Rounded down: otherwise many small payments would earn more than one large payment. */
export function shareOf(amount: number, rate: number): number {
  return Number((BigInt(amount) * BigInt(rate)) / WHOLE);
}

export interface PartyFees {
  charged: number;
  earned: number;
}

export interface PaymentFees {
  payer: PartyFees;
  payee: PartyFees;
}

export interface Priced {
  type: MovementType;
  payer: Party;
  payee: Party;
  amount: number;
}

/** The payer pays its fee on top; the payee receives the amount less its fee, and never less than zero. */
export function paymentFees(settings: readonly FeeSetting[], priced: Priced): PaymentFees {
  const { type, amount } = priced;
  const [payer, payee] = [settingOf(settings, type, priced.payer), settingOf(settings, type, priced.payee)];
  const charged: Pair = [chargedBy(payer, amount), Math.min(chargedBy(payee, amount), amount)];
  const earned =
    payer?.creditEnabled || payee?.creditEnabled ? earnings(settings, priced, [payer, payee], charged) : NONE;
  return { payer: { charged: charged[0], earned: earned[0] }, payee: { charged: charged[1], earned: earned[1] } };
}

type Pair = readonly [payer: number, payee: number];
type SettingPair = readonly [payer: FeeSetting | undefined, payee: FeeSetting | undefined];
const NONE: Pair = [0, 0];

function settingOf(settings: readonly FeeSetting[], type: MovementType, party: Party): FeeSetting | undefined {
  const matches = (setting: FeeSetting) => setting.transactionType === type && setting.party === party;
  return settings.find(matches) ?? DEFAULT_FEES.find(matches);
}

function chargedBy(setting: FeeSetting | undefined, amount: number): number {
  return setting?.debitEnabled ? feeOn(amount, setting) : 0;
}

/**
 * A percentage is paid as configured. A flat commission on a small payment could exceed all its fees, so that paying
 * oneself would earn money. Flat commissions are therefore limited to what this payment leaves the operator with, the
 * payer's first, and to the amount.
 */
function earnings(settings: readonly FeeSetting[], { type, amount }: Priced, of: SettingPair, charged: Pair): Pair {
  const shares = of.map((setting) => shareOf(amount, rateOf(setting, 'creditEnabled')));
  const [payerShare = 0, payeeShare = 0] = shares;
  const fromWithdrawal = isDeposit(type) ? shareOf(amount, withdrawalRate(settings)) : 0;
  let left = Math.max(0, charged[0] + charged[1] + fromWithdrawal - payerShare - payeeShare);
  const flat = (setting: FeeSetting | undefined) => {
    const paid = setting?.creditEnabled && setting.feeType === 'flat' ? Math.min(setting.value, amount, left) : 0;
    left -= paid;
    return paid;
  };
  return [payerShare + flat(of[0]), payeeShare + flat(of[1])];
}

/** In ten-thousandths of a percent; zero for flat or disabled settings. */
function rateOf(setting: FeeSetting | undefined, flag: 'debitEnabled' | 'creditEnabled'): number {
  return setting?.[flag] && setting.feeType === 'percentage' ? setting.value : 0;
}

/** The operator's net rate for a type; negative when it pays out more than it charges. */
function netRate(settings: readonly FeeSetting[], type: PricedType): number {
  const of = MOVEMENT_TYPES[type].parties.map((party) => settingOf(settings, type, party));
  return of.reduce((net, setting) => net + rateOf(setting, 'debitEnabled') - rateOf(setting, 'creditEnabled'), 0);
}

/**
 * The least that a withdrawal leaves of each unit. Flat fees do not count: one withdrawal can pay out many deposits. Zero if
 * a flat commission is paid, which may consume all of a small withdrawal.
 */
function withdrawalRate(settings: readonly FeeSetting[]): number {
  const paysFlat = (party: Party) => {
    const setting = settingOf(settings, WITHDRAWAL_TYPE, party);
    return setting?.creditEnabled && setting.feeType === 'flat' && setting.value > 0;
  };
  return MOVEMENT_TYPES[WITHDRAWAL_TYPE].parties.some(paysFlat) ? 0 : Math.max(0, netRate(settings, WITHDRAWAL_TYPE));
}

/** Whether percentages pay out more than they charge, so that someone on both sides of a payment would earn money. */
export function paysOutMore(settings: readonly FeeSetting[], type: PricedType): boolean {
  return netRate(settings, type) + (isDeposit(type) ? withdrawalRate(settings) : 0) < 0;
}

/** Commission that the sides of a payment earned; stored with the movement, and taken back by its refunds. */
export interface Earned {
  payer: number;
  payee: number;
}

/** Adds the commission to a movement's details, if there is any. */
export function withEarned(details: Record<string, unknown>, { payer, payee }: Earned): Record<string, unknown> {
  return payer === 0 && payee === 0 ? details : { ...details, earned: { payer, payee } };
}

export function takeEarned({ earned, ...details }: Record<string, unknown>): {
  earned: Earned;
  details: Record<string, unknown>;
} {
  return { earned: (earned as Earned | undefined) ?? NO_COMMISSION, details };
}

export const NO_COMMISSION: Earned = { payer: 0, payee: 0 };

/**
 * The commission that a refund of `part` takes back after `before` was refunded of the payment `whole`. Any series of
 * refunds takes back the share of their sum, rounded down, and never more than was earned.
 */
export function commissionOn(refund: { before: number; part: number; whole: number }, earned: number): number {
  const { before, part, whole } = refund;
  return shareAt(Math.min(before + part, whole), whole, earned) - shareAt(before, whole, earned);
}

function shareAt(refunded: number, whole: number, earned: number): number {
  return Number((BigInt(earned) * BigInt(refunded)) / BigInt(whole));
}
