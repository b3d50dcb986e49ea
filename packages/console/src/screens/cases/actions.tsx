// What the user's role may do with a case.
import type { CaseDetails, Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan, useUser } from '../../api/user.ts';
import { Choices, type Offered } from '../../components/choices.tsx';
import { AssignDialog } from './assign.tsx';
import { CHANGES, isClosed } from './words.ts';

/** The longest text that the service takes. */
export const MAX_TEXT = 2_000;

export function CaseActions({ details }: { details: CaseDetails }) {
  const can = useCan();
  const assignment = useAssignment(details);
  const [investigate, ...others] = useStateChoices(details);
  if (!can('cases:write') || isClosed(details)) return null;
  return (
    <Choices buttons={[...assignment.slice(0, 1), investigate ?? false]} more={[...assignment.slice(1), ...others]} />
  );
}

function useAssignment(details: CaseDetails): Offered[] {
  const { t } = useLingui();
  const can = useCan();
  const user = useUser();
  const { id, assignee_id } = details;
  const isMine = assignee_id === user.id;
  const assign = (client: Kissi, to?: string) => client.cases.assign(id, to === undefined ? {} : { assignee_id: to });
  return [
    !isMine && {
      label: t`Take the case`,
      icon: 'user',
      look: 'primary',
      action: {
        reason: 'none',
        title: t`Take the case`,
        description: t`Others see that you work on it.`,
        submitLabel: t`Take`,
        doneMessage: t`The case is yours.`,
        call: (client) => assign(client, user.id),
        changes: CHANGES,
      },
    },
    can('users') && {
      label: t`Assign`,
      icon: 'customers',
      dialog: (onClose) => <AssignDialog details={details} onClose={onClose} />,
    },
    assignee_id !== null && {
      label: t`Give it back`,
      icon: 'inbox',
      action: {
        reason: 'none',
        title: t`Give the case back`,
        description: t`Nobody works on it then.`,
        submitLabel: t`Give back`,
        doneMessage: t`The case is assigned to nobody.`,
        call: (client) => assign(client),
        changes: CHANGES,
      },
    },
  ];
}

function useStateChoices({ id, state, is_complex }: CaseDetails): Offered[] {
  const { t } = useLingui();
  const to = (next: CaseDetails['state']) => ({
    maxLength: MAX_TEXT,
    doneMessage: t`The state was changed.`,
    call: (client: Kissi, reason: string) => client.cases.changeState(id, { state: next, reason }),
    changes: CHANGES,
  });
  return [
    state !== 'investigating' && {
      label: t`Investigate`,
      icon: 'search',
      action: {
        ...to('investigating'),
        title: t`Investigate`,
        submitLabel: t`Investigate`,
        description: t`The customer is told that the case is being looked into.`,
      },
    },
    state !== 'waiting_customer' && {
      label: t`Wait for the customer`,
      icon: 'clock',
      action: {
        ...to('waiting_customer'),
        title: t`Wait for the customer`,
        submitLabel: t`Wait`,
        description: t`The customer is told that an answer is needed.`,
      },
    },
    state !== 'waiting_other_party' && {
      label: t`Wait for the other side`,
      icon: 'clock',
      action: {
        ...to('waiting_other_party'),
        title: t`Wait for the other side`,
        submitLabel: t`Wait`,
        description: t`The customer is told that the other side is asked.`,
      },
    },
    !is_complex && {
      label: t`Give it more time`,
      icon: 'clock',
      action: {
        maxLength: MAX_TEXT,
        title: t`Give the case more time`,
        description: t`Once, for a complex case. The customer is told, with the reason.`,
        submitLabel: t`Give more time`,
        doneMessage: t`The case has more time.`,
        call: (client, reason) => client.cases.markComplex(id, { reason }),
        changes: CHANGES,
      },
    },
    {
      label: t`Resolve`,
      icon: 'approve',
      action: {
        ...to('resolved'),
        title: t`Resolve the case`,
        submitLabel: t`Resolve`,
        description: t`This is final. The customer is told, and reads the reason.`,
      },
    },
    {
      label: t`Reject`,
      icon: 'close',
      look: 'danger',
      action: {
        ...to('rejected'),
        isDangerous: true,
        title: t`Reject the case`,
        submitLabel: t`Reject`,
        description: t`This is final. The customer is told, and reads the reason.`,
      },
    },
  ];
}
