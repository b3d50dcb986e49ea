// Pays a merchant's balance out to a bank account, or transfers it. A second user may have to approve it.
import type { Processor } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Dialog } from '../../components/dialog.tsx';
import type { Fact } from '../../components/facts.tsx';
import { NamedParty } from '../../components/named-party.tsx';
import { PayoutForm } from '../../components/payment/payout-form.tsx';
import { TransferForm } from '../../components/payment/transfer-form.tsx';
import { Id } from '../../components/values.tsx';

interface MerchantPaymentProps {
  kind: 'payout' | 'transfer';
  merchant: Processor;
  onClose: () => void;
}

export default function MerchantPayment({ kind, merchant, onClose }: MerchantPaymentProps) {
  const { t } = useLingui();
  const [round, setRound] = useState(0);
  const { id, business_name: name, balance, contact_name, merchant_id } = merchant;
  const isPayout = kind === 'payout';
  const from: Fact = [t`From`, <NamedParty key="from" name={name} details={[contact_name, merchant_id]} />];
  const payment = {
    party: id,
    merchantId: id,
    balance,
    summary: [from],
    changes: ['processor', 'processors', 'payouts', 'reconciliation', 'overview'],
    onRestart: () => setRound(round + 1),
    onClose,
  };
  return (
    <Dialog onClose={onClose} title={isPayout ? t`Pay out to ${name}'s bank` : t`Transfer from ${name}`}>
      {isPayout ? (
        <PayoutForm
          {...payment}
          key={round}
          kind="merchant-payout"
          showReference={(reference) => <Id value={reference} />}
        />
      ) : (
        <TransferForm {...payment} key={round} kind="merchant-transfer" />
      )}
    </Dialog>
  );
}
