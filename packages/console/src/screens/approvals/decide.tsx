// Decisions about a request: approve, reject with a reason, withdraw. A second decision gets the first one as its answer.
import { type Approval, type Kissi, KissiError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../api/queries.ts';
import { useCan, useUser } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Icon } from '../../components/icon.tsx';
import { ReasonInput } from '../../components/reason-input.tsx';
import type { Call } from '../../components/use-call.ts';
import { fromNow } from '../../format/time.ts';
import { sentenceOf } from './words.ts';

type Decision = 'approve' | 'reject' | 'withdraw';

export function Decisions({ approval }: { approval: Approval }) {
  const can = useCan();
  const { id, role } = useUser();
  const [decision, setDecision] = useState<Decision | null>(null);
  const isOwn = approval.requested_by === id;
  const isOpen = approval.status === 'pending';
  if (!can('approvals:write') || (!isOpen && decision === null)) return null;
  return (
    <>
      {isOpen && isOwn && (
        <Button variant="default" onClick={() => setDecision('withdraw')}>
          <Trans>Withdraw</Trans>
        </Button>
      )}
      {isOpen && !isOwn && role !== 'processor' && (
        <>
          <Button variant="default" onClick={() => setDecision('reject')}>
            <Trans>Reject</Trans>
          </Button>
          {!approval.not_independent && (
            <Button leftSection={<Icon name="approve" size={16} />} onClick={() => setDecision('approve')}>
              <Trans>Approve</Trans>
            </Button>
          )}
        </>
      )}
      {decision && <DecisionDialog approval={approval} decision={decision} onClose={() => setDecision(null)} />}
    </>
  );
}

interface DialogProps {
  approval: Approval;
  decision: Decision;
  onClose: () => void;
}

function DecisionDialog({ approval, decision, onClose }: DialogProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const { id, status } = approval;
  const isOpen = status === 'pending';
  const texts = {
    approve: { title: t`Approve this request`, submitLabel: t`Approve`, doneMessage: t`Approved and executed.` },
    reject: { title: t`Reject this request`, submitLabel: t`Reject`, doneMessage: t`Rejected. Nothing was changed.` },
    withdraw: {
      title: t`Withdraw your request`,
      submitLabel: t`Withdraw`,
      doneMessage: t`Withdrawn. Nothing was changed.`,
    },
  };
  return (
    <Action
      {...texts[decision]}
      onClose={onClose}
      description={sentenceOf(approval)}
      isDangerous={decision === 'reject'}
      isReady={isOpen && (decision !== 'reject' || reason.trim() !== '')}
      call={decided<unknown>(({ approvals }) =>
        decision === 'reject' ? approvals.reject(id, { reason }) : approvals[decision](id),
      )}
    >
      {!isOpen && <DecidedMeanwhile approval={approval} />}
      {isOpen && decision === 'approve' && (
        <Text size="sm" c="dimmed">
          <Trans>It is checked again and executed at once, on the requester's behalf.</Trans>
        </Text>
      )}
      {decision === 'reject' && (
        <ReasonInput label={t`Reason`} description={t`The requester sees it.`} value={reason} onChange={setReason} />
      )}
    </Action>
  );
}

/** After a refusal the request is read again, so that the dialog can say who decided. */
function decided<Reply>(call: Call<Reply>): Call<Reply> {
  return async (client: Kissi) => {
    try {
      return await call(client);
    } catch (error) {
      if (error instanceof KissiError && error.status !== undefined) await readAgain('approvals');
      throw error;
    }
  };
}

function DecidedMeanwhile({ approval }: { approval: Approval }) {
  const { decided_by_name, decided_at, finished_at, status } = approval;
  const { t } = useLingui();
  const name = decided_by_name ?? t`Another user`;
  const when = fromNow(decided_at ?? finished_at ?? approval.requested_at);
  return (
    <Alert color="yellow" icon={<Icon name="clock" />} role="status">
      <Text size="sm">
        {status === 'executed' || status === 'approved' ? (
          <Trans>
            {name} approved it {when}. It was executed once.
          </Trans>
        ) : status === 'failed' ? (
          <Trans>
            {name} approved it {when}, and its execution was refused.
          </Trans>
        ) : status === 'rejected' ? (
          <Trans>
            {name} rejected it {when}.
          </Trans>
        ) : status === 'withdrawn' ? (
          <Trans>The requester withdrew it {when}.</Trans>
        ) : (
          <Trans>It expired {when}.</Trans>
        )}
      </Text>
    </Alert>
  );
}
