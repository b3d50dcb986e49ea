// The payments that have a quote: the permission that they need, and the party that the request names.
import type { Permission } from '../../auth/permissions.ts';

/** The fields that identify a party, or the payment that is refunded. */
export const PARTY_FIELDS = ['agent_id', 'processor_id', 'transaction_id'] as const;

export interface QuotedPayment {
  /** The permission of the route that makes the payment. */
  permission: Permission;
  /** Undefined: every wallet and partner has the same price. */
  party?: (typeof PARTY_FIELDS)[number];
}

export const QUOTED_PAYMENTS = {
  transfer_p2p: { permission: 'payments:write' },
  agent_cashin: { permission: 'agents:cashin', party: 'agent_id' },
  vult_fund: { permission: 'payments:fund' },
  wallet_withdraw: { permission: 'payments:withdraw', party: 'agent_id' },
  agent_fund: { permission: 'agents:fund', party: 'agent_id' },
  agent_return: { permission: 'agents:fund', party: 'agent_id' },
  agent_transfer: { permission: 'agents:transfer', party: 'agent_id' },
  processor_transfer: { permission: 'processors:transfer', party: 'processor_id' },
  processor_payout: { permission: 'processors:payout', party: 'processor_id' },
  pos_refund: { permission: 'processors:refund', party: 'transaction_id' },
} as const satisfies Record<string, QuotedPayment>;

export type QuotedType = keyof typeof QUOTED_PAYMENTS;
export const QUOTED_TYPES = Object.keys(QUOTED_PAYMENTS) as QuotedType[];
