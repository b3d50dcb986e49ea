// Fees and commissions in integer arithmetic. Fees are rounded half up to one minor unit, commissions down.
import { type Accrued, accruedIn } from '../ledger/commission-accounts.ts';
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

/** 100 %, in ten-thousandths of a percent. */
export const FULL_PERCENT = 1_000_000;
const WHOLE = BigInt(FULL_PERCENT);

/** Rounded half up, with BigInt: amount × rate exceeds the exact range of a double. */
export function feeOn(amount: number, { feeType, value }: Pick<FeeSetting, 'feeType' | 'value'>): number {
  if (feeType === 'flat') return value;
  return Number((BigInt(amount) * BigInt(value) * 2n + WHOLE) / (WHOLE * 2n));
}

/** Rounded down, once: otherwise many small payments would earn more than one large payment. */
export function shareOf(amount: number, rate: number, percent = FULL_PERCENT): number {
  if (percent === FULL_PERCENT) return Number((BigInt(amount) * BigInt(rate)) / WHOLE);
  return Number((BigInt(amount) * BigInt(rate) * BigInt(percent)) / (WHOLE * WHOLE));
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
  /** Scales what agents earn; by default 100 %. */
  percents?: CommissionPercents | undefined;
}

/** Percentages of the commission that the fee settings promise to agents, in ten-thousandths of a percent. */
export interface CommissionPercents {
  /** The agent's percentage if an agent pays or is paid. */
  payer: number;
  payee: number;
  /** The highest that any agent has: one agent can deposit what another pays out. */
  highest: number;
}

const UNSCALED: CommissionPercents = { payer: FULL_PERCENT, payee: FULL_PERCENT, highest: FULL_PERCENT };

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
function earnings(settings: readonly FeeSetting[], priced: Priced, [payer, payee]: SettingPair, charged: Pair): Pair {
  const { type, amount, percents = UNSCALED } = priced;
  const scale = (setting: FeeSetting | undefined, percent: number) =>
    setting?.party === 'agent' ? percent : FULL_PERCENT;
  const [payerPercent, payeePercent] = [scale(payer, percents.payer), scale(payee, percents.payee)];
  const payerShare = shareOf(amount, rateOf(payer, 'creditEnabled'), payerPercent);
  const payeeShare = shareOf(amount, rateOf(payee, 'creditEnabled'), payeePercent);
  const fromWithdrawal = isDeposit(type) ? shareOf(amount, withdrawalRate(settings, percents.highest)) : 0;
  let left = Math.max(0, charged[0] + charged[1] + fromWithdrawal - payerShare - payeeShare);
  const flat = (setting: FeeSetting | undefined, percent: number) => {
    if (!setting?.creditEnabled || setting.feeType !== 'flat') return 0;
    const paid = Math.min(shareOf(setting.value, percent), amount, left);
    left -= paid;
    return paid;
  };
  return [payerShare + flat(payer, payerPercent), payeeShare + flat(payee, payeePercent)];
}

/** In ten-thousandths of a percent; zero for flat or disabled settings. */
function rateOf(setting: FeeSetting | undefined, flag: 'debitEnabled' | 'creditEnabled'): number {
  return setting?.[flag] && setting.feeType === 'percentage' ? setting.value : 0;
}

/** The operator's net rate for a type, at most; negative when it pays out more than it charges. */
function netRate(settings: readonly FeeSetting[], type: PricedType, highestPercent: number): number {
  const of = MOVEMENT_TYPES[type].parties.map((party) => settingOf(settings, type, party));
  return of.reduce((net, setting) => net + rateOf(setting, 'debitEnabled') - paidRate(setting, highestPercent), 0);
}

/** Rounded up: the operator must not count on more than is left. */
function paidRate(setting: FeeSetting | undefined, highestPercent: number): number {
  const rate = rateOf(setting, 'creditEnabled');
  return setting?.party === 'agent' ? Math.ceil((rate * highestPercent) / FULL_PERCENT) : rate;
}

/**
 * The least that a withdrawal leaves of each unit. Flat fees do not count: one withdrawal can pay out many deposits. Zero if
 * a flat commission is paid, which may consume all of a small withdrawal.
 */
function withdrawalRate(settings: readonly FeeSetting[], highestPercent: number): number {
  const paysFlat = (party: Party) => {
    const setting = settingOf(settings, WITHDRAWAL_TYPE, party);
    return setting?.creditEnabled && setting.feeType === 'flat' && setting.value > 0;
  };
  if (MOVEMENT_TYPES[WITHDRAWAL_TYPE].parties.some(paysFlat)) return 0;
  return Math.max(0, netRate(settings, WITHDRAWAL_TYPE, highestPercent));
}

/**
 * What percentages leave the operator of each unit, in ten-thousandths of a percent, if agents earn `highestPercent`. Negative:
 * they pay out more than they charge, so that someone on both sides of a payment would earn money.
 */
export function operatorRate(settings: readonly FeeSetting[], type: PricedType, highestPercent: number): number {
  const left = netRate(settings, type, highestPercent);
  return left + (isDeposit(type) ? withdrawalRate(settings, highestPercent) : 0);
}

export function paysOutMore(
  settings: readonly FeeSetting[],
  type: PricedType,
  highestPercent: number = FULL_PERCENT,
): boolean {
  return operatorRate(settings, type, highestPercent) < 0;
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

/** `accrued`: the part of it that was credited to commission accounts. */
export function takeEarned({ earned, accrued, ...details }: Record<string, unknown>): {
  earned: Earned;
  accrued: Accrued;
  details: Record<string, unknown>;
} {
  return { earned: (earned as Earned | undefined) ?? NO_COMMISSION, accrued: accruedIn({ accrued }), details };
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
