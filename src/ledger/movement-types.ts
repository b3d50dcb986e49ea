// The registry of movement types: the parties, whether the type has fees, and how statements describe it.
import type { AccountKind } from './account-kinds.ts';

export const PARTIES = ['sender', 'recipient', 'agent', 'processor'] as const;
/** The parties that fee settings can charge or pay. */
export type Party = (typeof PARTIES)[number];

interface Terms {
  /** The kinds of the payer's account, then of the payee's. */
  accounts: readonly [payer: readonly AccountKind[], payee: readonly AccountKind[]];
  /** The payer's party, then the payee's. */
  parties: readonly [payer: Party, payee: Party];
  /** The operator can set fees and commissions for it. */
  priced: boolean;
  /** Staff can disable it for a single subscriber. */
  canDisable: boolean;
  /** Its amount, without fees, counts towards the daily limit of the payer's wallet. */
  countsDaily: boolean;
  /** Whether it brings money into wallets from outside, or pays it out. */
  flow: 'deposit' | 'withdrawal' | 'internal';
  /** In the payer's statement and in the payee's. A label that ends in "to", "from" or "for" precedes a name. */
  labels: readonly [paid: string, received: string];
}

/** In the order in which the API lists them. */
export const MOVEMENT_TYPES = {
  transfer_p2p: {
    accounts: [['wallet'], ['wallet']],
    parties: ['sender', 'recipient'],
    priced: true,
    canDisable: true,
    countsDaily: true,
    flow: 'internal',
    labels: ['Transfer to', 'Transfer from'],
  },
  agent_cashin: {
    accounts: [['agent_float'], ['wallet']],
    parties: ['agent', 'recipient'],
    priced: true,
    canDisable: true,
    countsDaily: false,
    flow: 'deposit',
    labels: ['Cash deposit', 'Cash deposit'],
  },
  pos_payment: {
    accounts: [['wallet'], ['processor']],
    parties: ['sender', 'processor'],
    priced: true,
    canDisable: true,
    countsDaily: true,
    flow: 'internal',
    labels: ['Card payment', 'Card payment'],
  },
  vult_fund: {
    accounts: [['partner_clearing'], ['wallet']],
    parties: ['sender', 'recipient'],
    priced: true,
    canDisable: true,
    countsDaily: false,
    flow: 'deposit',
    labels: ['Funding for', 'Funding from'],
  },
  wallet_withdraw: {
    accounts: [['wallet'], ['agent_float']],
    parties: ['sender', 'agent'],
    priced: true,
    canDisable: true,
    countsDaily: true,
    flow: 'withdrawal',
    labels: ['Cash withdrawal', 'Cash withdrawal'],
  },
  inbound_credit: {
    accounts: [['partner_clearing'], ['wallet']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: true,
    countsDaily: false,
    flow: 'deposit',
    labels: ['Payment to', 'Payment from'],
  },
  inbound_reversal: {
    accounts: [['wallet'], ['partner_clearing']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'withdrawal',
    labels: ['Reversal for', 'Reversal from'],
  },
  partner_cashin: {
    accounts: [['partner_clearing', 'suspense'], ['wallet']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: true,
    countsDaily: false,
    flow: 'deposit',
    labels: ['Cash deposit', 'Cash deposit'],
  },
  suspense_resolution: {
    accounts: [['partner_clearing'], ['suspense']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Identified deposit', 'Identified deposit'],
  },
  suspense_refund: {
    accounts: [['wallet'], ['suspense']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'withdrawal',
    labels: ['Deposit taken back', 'Deposit taken back'],
  },
  partner_settlement: {
    accounts: [['treasury'], ['partner_clearing']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Partner settlement', 'Partner settlement'],
  },
  agent_fund: {
    accounts: [['treasury'], ['agent_float']],
    parties: ['sender', 'agent'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Agent fund', 'Agent fund'],
  },
  agent_return: {
    accounts: [['agent_float'], ['treasury']],
    parties: ['agent', 'sender'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Agent return', 'Agent return'],
  },
  agent_transfer: {
    accounts: [['agent_float'], ['agent_float']],
    parties: ['agent', 'agent'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Agent transfer', 'Agent transfer'],
  },
  commission_settlement: {
    accounts: [['agent_commission'], ['agent_float']],
    parties: ['agent', 'agent'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Commission settlement', 'Commission settlement'],
  },
  processor_transfer: {
    accounts: [
      ['processor', 'treasury'],
      ['processor', 'wallet'],
    ],
    parties: ['processor', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Payment', 'Payment'],
  },
  processor_payout: {
    accounts: [['processor'], ['payouts_in_transit']],
    parties: ['processor', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Pay-out to a bank account', 'Pay-out'],
  },
  payout_returned: {
    accounts: [['payouts_in_transit'], ['processor']],
    parties: ['sender', 'processor'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Returned pay-out', 'Returned pay-out'],
  },
  payout_cleared: {
    accounts: [['payouts_in_transit'], ['treasury']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Cleared pay-out', 'Cleared pay-out'],
  },
  payout_uncleared: {
    accounts: [['treasury'], ['payouts_in_transit']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Undone clearing', 'Undone clearing'],
  },
  pos_refund: {
    accounts: [['processor'], ['wallet']],
    parties: ['processor', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Refund', 'Refund'],
  },
  recall: {
    accounts: [['wallet'], ['wallet']],
    parties: ['sender', 'recipient'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Transfer returned to', 'Transfer returned by'],
  },
  unclaimed_payment: {
    accounts: [['processor', 'partner_clearing', 'treasury'], ['agent_float']],
    parties: ['sender', 'agent'],
    priced: false,
    canDisable: false,
    countsDaily: false,
    flow: 'internal',
    labels: ['Payment to a number without a wallet', 'Payment to a number without a wallet'],
  },
} as const satisfies Record<string, Terms>;

type Registry = typeof MOVEMENT_TYPES;

export type MovementType = keyof Registry;

/** The types whose terms have the given values. */
type TypesWith<Wanted extends Partial<Terms>> = {
  [Type in MovementType]: Registry[Type] extends Wanted ? Type : never;
}[MovementType];

export type PricedType = TypesWith<{ priced: true }>;
export type DisablableType = TypesWith<{ canDisable: true }>;

export function isMovementType(type: string): type is MovementType {
  return Object.hasOwn(MOVEMENT_TYPES, type);
}

/** The type as an SQL literal: a statement with a misspelled type does not compile. */
export function sqlType(type: MovementType): string {
  return `'${type}'`;
}

export const ALL_TYPES = Object.keys(MOVEMENT_TYPES) as readonly MovementType[];
export const PRICED_TYPES = typesWith({ priced: true });
export const DISABLABLE_TYPES = typesWith({ canDisable: true });

/** The types with the given terms, in the order of the registry. */
export function typesWith<const Wanted extends Partial<Terms>>(wanted: Wanted): readonly TypesWith<Wanted>[] {
  const matches = (type: MovementType) =>
    Object.entries(wanted).every(([term, value]) => MOVEMENT_TYPES[type][term as keyof Terms] === value);
  return ALL_TYPES.filter(matches) as TypesWith<Wanted>[];
}
