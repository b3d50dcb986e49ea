// The payments, refunds, pay-outs and transfers of the merchant.
import { useLingui } from '@lingui/react/macro';
import { kissi } from '../../api/session.ts';
import { History } from '../../components/own/history.tsx';
import { OwnPage } from '../../components/own/own-page.tsx';
import { HOME, useMerchantId } from './own-merchant.ts';

export function Payments() {
  const { t } = useLingui();
  const id = useMerchantId();
  return (
    <OwnPage title={t`Payments`} home={HOME} narrow>
      <History
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
    </OwnPage>
  );
}
