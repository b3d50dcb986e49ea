// The case about a transaction, or the buttons that open one: a recall of a transfer, or any other complaint of its customer.
import type { TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { Suspense } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Choices, type Offered } from '../../components/choices.tsx';
import { Icon } from '../../components/icon.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Link } from '../../components/link.tsx';

/** Loaded when it is opened. */
const OpenRecall = lazyPart(async () => ({ default: (await import('../cases/open-case.tsx')).OpenRecall }));
const OpenCase = lazyPart(async () => ({ default: (await import('../cases/open-case.tsx')).OpenCase }));

export function TransactionCases({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const can = useCan();
  const { transaction_id: transactionId, type, payer, payee } = transaction;
  const customerId = [payer.id, payee.id].find((id) => id?.startsWith('sub_'));
  const { data } = useRead(
    ['cases', 'transaction', transactionId],
    (options) => kissi.cases.list({ transaction_id: transactionId, limit: '1' }, options),
    { enabled: can('cases:read') },
  );
  const [newest] = data?.cases ?? [];
  if (!data || !customerId) return null;
  const shown = newest && (
    <Button component={Link} to={`/cases/${newest.id}`} variant="default" leftSection={<Icon name="inbox" size={16} />}>
      {newest.number}
    </Button>
  );
  if (!can('cases:write') || (newest && !newest.closed_at)) return shown;
  const choices: Offered[] = [
    type === 'transfer_p2p' && {
      label: t`Recall`,
      icon: 'exchange',
      dialog: (onClose) => (
        <Suspense>
          <OpenRecall {...{ customerId, transactionId, onClose }} />
        </Suspense>
      ),
    },
    {
      label: t`Open a case`,
      icon: 'inbox',
      dialog: (onClose) => (
        <Suspense>
          <OpenCase {...{ customerId, transactionId, onClose }} />
        </Suspense>
      ),
    },
  ];
  return (
    <>
      {shown}
      <Choices buttons={choices} />
    </>
  );
}
