// What a user can do with a bulk payment: approve, stop or cancel it, retry its failed rows, and download its reports.
import type { BulkPayment } from '@kissi/client';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { useCan, useUser } from '../../api/user.ts';
import { money } from '../../format/money.ts';
import type { Frame } from '../bank-account/account-forms.tsx';
import { lazyPart } from '../lazy-part.ts';
import { Busy } from '../states.tsx';
import type { Call } from '../use-call.ts';
import classes from './bulk-payments.module.css';
import { keepBulkPayment, RESOURCE } from './use-bulk-payment.ts';

/** Loaded when it is opened: only the second person needs it. */
const Approve = lazyPart(() => import('./approve.tsx'));

type Decision = 'approve' | 'stop' | 'cancel' | 'retry';

interface DecisionsProps {
  payment: BulkPayment;
  frame: Frame;
  /** The list's address. */
  list: string;
}

export default function Decisions({ payment, frame, list }: DecisionsProps) {
  const { t } = useLingui();
  const [opened, setOpened] = useState<Decision | null>(null);
  const offered = useOffered(payment);
  const names: Record<Decision, string> = {
    approve: t`Approve`,
    stop: t`Stop`,
    cancel: t`Cancel it`,
    retry: t`Retry the failed rows`,
  };
  const close = () => setOpened(null);
  const props = { payment, frame, list, onClose: close };
  return (
    <>
      <WhoApproves payment={payment} />
      {opened === null && offered.length > 0 && (
        <div className={classes.buttons}>
          {offered.map((each) => (
            <Button
              key={each}
              size="md"
              variant={each === 'approve' || each === 'retry' ? 'filled' : 'default'}
              onClick={() => setOpened(each)}
            >
              {names[each]}
            </Button>
          ))}
        </div>
      )}
      {opened === 'approve' && (
        <Suspense fallback={<Busy />}>
          <Approve {...props} />
        </Suspense>
      )}
      {opened !== null && opened !== 'approve' && <Change key={opened} decision={opened} {...props} />}
    </>
  );
}

function useOffered({ status, uploaded_by, failed_count, ended_at, processor_id }: BulkPayment): Decision[] {
  const { id, role } = useUser();
  const can = useCan();
  const isOwn = uploaded_by === id;
  // Only a merchant's own logins change its bulk payments; staff see them.
  const mayChange = (permission: string) => can(permission) && (processor_id === null || role === 'processor');
  const decisions: [Decision, boolean][] = [
    ['approve', status === 'checked' && !isOwn && mayChange('bulk-payments:approve')],
    ['stop', (status === 'approved' || status === 'running') && mayChange('bulk-payments:write')],
    ['retry', ended_at !== null && failed_count > 0 && status !== 'cancelled' && mayChange('bulk-payments:write')],
    ['cancel', (status === 'checking' || status === 'checked') && mayChange('bulk-payments:write')],
  ];
  return decisions.filter(([, isOffered]) => isOffered).map(([decision]) => decision);
}

function WhoApproves({ payment: { status, uploaded_by } }: Pick<DecisionsProps, 'payment'>) {
  const { id } = useUser();
  const can = useCan();
  if (status !== 'checked' || uploaded_by !== id || !can('bulk-payments:write')) return null;
  return (
    <Text size="sm">
      <Trans>You uploaded it, so another login approves it. Nobody can send the money alone.</Trans>
    </Text>
  );
}

interface ChangeProps extends DecisionsProps {
  decision: Exclude<Decision, 'approve'>;
  onClose: () => void;
}

function Change({ payment, decision, frame: Form, list, onClose }: ChangeProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { id, failed_count, failed_amount } = payment;
  const sum = money(failed_amount);
  const call: Record<typeof decision, Call<{ bulk_payment: BulkPayment }>> = {
    stop: (client) => client.bulkPayments.stop(id),
    cancel: (client) => client.bulkPayments.cancel(id),
    retry: (client) => client.bulkPayments.retryFailed(id),
  };
  const texts = {
    stop: {
      title: t`Stop the payments`,
      description: t`Rows that are paid stay paid. The others are not paid, and their money is available again. It cannot be resumed.`,
      submitLabel: t`Stop`,
      doneMessage: t`Stopped.`,
    },
    cancel: {
      title: t`Cancel the bulk payment`,
      description: t`Nobody is paid. The same file can be uploaded again.`,
      submitLabel: t`Cancel it`,
      doneMessage: t`Cancelled.`,
    },
    retry: {
      title: t`Retry the failed rows`,
      description: (
        <>
          <Plural value={failed_count} one="# row of" other="# rows of" /> {sum}.{' '}
          <Trans>They become a new bulk payment, which is checked and needs an approval again.</Trans>
        </>
      ),
      submitLabel: t`Retry`,
      doneMessage: t`The failed rows are being checked.`,
    },
  };
  return (
    <Form
      {...texts[decision]}
      onClose={onClose}
      isDangerous={decision !== 'retry'}
      call={decided(call[decision])}
      changes={[RESOURCE, 'own-merchant']}
      onDone={(reply) => {
        keepBulkPayment(reply as { bulk_payment: BulkPayment });
        if (decision === 'retry')
          void navigate({ to: `${list}/${(reply as { bulk_payment: BulkPayment }).bulk_payment.id}` });
      }}
    />
  );
}

/** After a refusal the record shows what has happened to it. */
function decided<Reply>(call: Call<Reply>): Call<Reply> {
  return async (client) => {
    try {
      return await call(client);
    } catch (error) {
      await readAgain(RESOURCE);
      throw error;
    }
  };
}
