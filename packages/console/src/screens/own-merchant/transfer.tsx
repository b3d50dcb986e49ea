// A transfer to another merchant or to a customer's wallet.
import { useLingui } from '@lingui/react/macro';
import { OwnPayment } from '../../components/own/own-payment.tsx';
import { paidData, Receipt } from '../../components/own/receipt.tsx';
import { TransferForm } from '../../components/payment/transfer-form.tsx';
import { CHANGES, HOME, useMerchantId, useOwnMerchant } from './own-merchant.ts';

export default function Transfer() {
  const { t } = useLingui();
  const id = useMerchantId();
  const merchant = useOwnMerchant().data?.processor;
  return (
    <OwnPayment title={t`Transfer`} home={HOME}>
      {(payer) => (
        <TransferForm
          {...payer}
          kind="own-transfer"
          merchantId={id}
          balance={merchant?.balance}
          changes={CHANGES}
          receipt={(reply, amount, to) => (
            <Receipt
              business={merchant?.business_name ?? ''}
              data={{ ...paidData(reply, 'processor_transfer', amount), fee: Number(reply.fee ?? 0), to }}
            />
          )}
        />
      )}
    </OwnPayment>
  );
}
