// What agents and merchants call movements' types on their account.
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

export const MOVEMENT_NAMES: Record<string, MessageDescriptor> = {
  agent_cashin: msg`Cash in`,
  wallet_withdraw: msg`Cash out`,
  agent_fund: msg`Float from the operator`,
  agent_return: msg`Float returned`,
  agent_transfer: msg`Float transfer`,
  commission_settlement: msg`Commission`,
  pos_payment: msg`Card payment`,
  pos_refund: msg`Refund`,
  processor_transfer: msg`Transfer`,
  unclaimed_payment: msg`Code for a number without a wallet`,
  processor_payout: msg`Pay-out to the bank`,
  payout_returned: msg`Pay-out sent back`,
};
