// The types of transactions that the list can be filtered by, the frequent ones first.
import type { ListTransactionsData } from '@kissi/client';

type Type = NonNullable<NonNullable<ListTransactionsData['query']>['type']>;

export const TYPES: readonly Type[] = [
  'transfer_p2p',
  'pos_payment',
  'pos_refund',
  'recall',
  'agent_cashin',
  'wallet_withdraw',
  'inbound_credit',
  'inbound_reversal',
  'partner_cashin',
  'vult_fund',
  'agent_fund',
  'agent_return',
  'agent_transfer',
  'commission_settlement',
  'processor_transfer',
  'processor_payout',
  'payout_returned',
  'payout_cleared',
  'payout_uncleared',
  'unclaimed_payment',
  'partner_settlement',
  'suspense_resolution',
  'suspense_refund',
];
