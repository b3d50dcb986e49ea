// What a reviewer does with an alert: take it into review, keep notes, block the customer, dismiss it, or resolve it.
import type { Alert } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useUser } from '../../api/user.ts';
import { type Choice, Choices } from '../../components/choices.tsx';
import { useBlock } from './block.ts';
import { CloseAlert } from './close-alert.tsx';
import { isClosed } from './words.ts';

const COMMON = { changes: ['alerts'], maxLength: 2000 };

export function ReviewActions({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const { id, notes } = alert;
  const assignment = useAssignment(alert);
  const block = useBlock(alert);
  if (isClosed(alert)) return <Choices />;
  return (
    <Choices
      buttons={[
        assignment,
        block,
        alert.status === 'open' && {
          label: t`Start review`,
          action: {
            ...COMMON,
            title: t`Start the review`,
            description: t`Tells others that somebody is working on it.`,
            label: t`Notes`,
            initial: notes ?? '',
            reason: 'optional',
            submitLabel: t`Start review`,
            doneMessage: t`The alert is in review.`,
            call: (client, text) => client.alerts.update(id, { status: 'in_review', ...(text ? { notes: text } : {}) }),
          },
        },
        {
          label: notes ? t`Edit notes` : t`Add notes`,
          action: {
            ...COMMON,
            title: t`Notes`,
            description: t`The text replaces the existing notes. The history keeps them.`,
            label: t`Notes`,
            initial: notes ?? '',
            submitLabel: t`Save`,
            doneMessage: t`The notes were saved.`,
            call: (client, text) => client.alerts.update(id, { notes: text }),
          },
        },
        {
          label: t`Dismiss`,
          dialog: (onClose) => <CloseAlert alert={alert} status="dismissed" onClose={onClose} />,
        },
        {
          label: t`Resolve`,
          look: 'primary',
          dialog: (onClose) => <CloseAlert alert={alert} status="resolved" onClose={onClose} />,
        },
      ]}
    />
  );
}

function useAssignment({ id, assigned_to, assignee_name: other }: Alert): Choice {
  const { t } = useLingui();
  const isOwn = useUser().id === assigned_to;
  const release = {
    title: t`Release the alert`,
    description: t`It will have no reviewer.`,
    submitLabel: t`Release`,
    doneMessage: t`The alert has no reviewer.`,
  };
  const assign = {
    title: t`Assign the alert to me`,
    description: other ? t`It is assigned to ${other} now.` : t`You review it.`,
    submitLabel: t`Assign to me`,
    doneMessage: t`The alert is yours.`,
  };
  const props = isOwn ? release : assign;
  return {
    label: props.submitLabel,
    action: {
      reason: 'none',
      ...props,
      call: (client) => client.alerts[isOwn ? 'release' : 'assign'](id),
      changes: ['alerts'],
    },
  };
}
