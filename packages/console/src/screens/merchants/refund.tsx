// Refunds a card payment of a merchant, in full or in part.
import { useLingui } from '@lingui/react/macro';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Dialog } from '../../components/dialog.tsx';
import { RefundForm } from '../../components/payment/refund-form.tsx';
import { remainsToRefund } from '../../components/payment/refundable.ts';
import { Empty, Waiting } from '../../components/states.tsx';

interface RefundDialogProps {
  processorId: string;
  transactionId: string;
  onClose: () => void;
}

export function RefundDialog({ processorId, transactionId, onClose }: RefundDialogProps) {
  const { t } = useLingui();
  // Not read again after the refund: the form shows its result.
  const { data, error, refetch } = useRead(['refundable', transactionId], (options) =>
    kissi.transactions.get(transactionId, options),
  );
  const payment = data?.transaction;
  const isOpen = payment && remainsToRefund(payment) > 0;
  return (
    <Dialog onClose={onClose} title={t`Refund`}>
      {!payment && <Waiting error={error} retry={refetch} rows={4} />}
      {payment && !isOpen && <Empty icon="approve" title={t`This payment is refunded in full`} />}
      {isOpen && (
        <RefundForm
          kind="merchant-refund"
          party={processorId}
          merchantId={processorId}
          payment={payment}
          changes={['processor', 'processors', 'transaction', `processor-transactions-${processorId}`]}
          onRestart={onClose}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
