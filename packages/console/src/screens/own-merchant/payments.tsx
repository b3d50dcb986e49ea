// The payments, refunds, pay-outs and transfers of the merchant.
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { OwnHistory } from '../../components/own/history.tsx';
import { HOME, useMerchantId } from './own-merchant.ts';

export function Payments() {
  const { t } = useLingui();
  const id = useMerchantId();
  return (
    <OwnHistory
      title={t`Payments`}
      home={HOME}
      resource={['own-merchant', id]}
      choices={[
        ['', t`All`],
        ['pos_payment', t`Sales`],
        ['pos_refund', t`Refunds`],
        ['processor_payout', t`Pay-outs`],
      ]}
      read={(query, options) => kissi.processors.transactions(id, query as never, options)}
      receiptAt={(transaction) => `/shop/payments/${transaction}`}
    />
  );
}
