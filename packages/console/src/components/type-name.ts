// The types of transactions as people call them.
import { useLingui } from '@lingui/react/macro';
import { label } from './values.tsx';

export function useTypeName(): (type: string) => string {
  const { t } = useLingui();
  const names: Record<string, string> = {
    transfer_p2p: t`Transfer`,
    pos_payment: t`Card payment`,
    pos_refund: t`Card refund`,
    recall: t`Returned transfer`,
    agent_cashin: t`Cash-in`,
    wallet_withdraw: t`Cash-out`,
    vult_fund: t`Funding by a partner`,
    inbound_credit: t`Inbound credit`,
    inbound_reversal: t`Reversed credit`,
    partner_cashin: t`Cash-in by a partner`,
    agent_fund: t`Float funded`,
    agent_return: t`Float returned`,
    agent_transfer: t`Float transfer`,
    processor_transfer: t`Merchant transfer`,
    unclaimed_payment: t`Payment to a number without a wallet`,
    processor_payout: t`Pay-out`,
    payout_returned: t`Pay-out returned`,
    payout_cleared: t`Pay-out cleared`,
    payout_uncleared: t`Pay-out not cleared`,
  };
  return (type) => names[type] ?? label(type);
}
