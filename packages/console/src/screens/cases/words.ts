// What people call the kinds, states and steps of cases.
import type { Case, CaseEvent, Recall } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { money } from '../../format/money.ts';
import { instant } from '../../format/time.ts';

/** What a change of a case changes on the screen. */
export const CHANGES = ['cases', 'audit'];

export const isClosed = ({ state }: Pick<Case, 'state'>) => state === 'resolved' || state === 'rejected';

export const STATE_TONES: Record<Case['state'], string> = {
  open: 'yellow',
  waiting_customer: 'blue',
  waiting_other_party: 'blue',
  investigating: 'grape',
  resolved: 'kissi',
  rejected: 'gray',
};

export function useKindNames(): Record<Case['kind'], string> {
  const { t } = useLingui();
  return {
    wrong_transfer: t`Wrong transfer`,
    failed_payment: t`Failed payment`,
    fraud: t`Suspected fraud`,
    agent: t`An agent`,
    other: t`Other`,
  };
}

export function useStateNames(): Record<Case['state'], string> {
  const { t } = useLingui();
  return {
    open: t`Open`,
    waiting_customer: t`Waiting for the customer`,
    waiting_other_party: t`Waiting for the other side`,
    investigating: t`Investigating`,
    resolved: t`Resolved`,
    rejected: t`Rejected`,
  };
}

export function useRecallStates(): Record<Recall['state'], string> {
  const { t } = useLingui();
  return {
    staff_decides: t`Staff decide`,
    placing: t`Being held`,
    asked: t`Recipient asked`,
    nothing_left: t`Nothing left`,
    returned: t`Returned`,
    contested: t`Contested`,
    expired: t`No answer`,
  };
}

/** What an event of the timeline was, in a sentence. */
export function useEventText(): (event: CaseEvent) => string {
  const { t } = useLingui();
  const states: Record<string, string> = useStateNames();
  return ({ kind, details }) => {
    const value = (name: string) => details[name] as never;
    const texts: Record<string, () => string> = {
      opened: () => t`Opened`,
      state: () => t`Now: ${states[value('to')] ?? ''}`,
      assign: () => (value('assignee_id') ? t`Assigned` : t`Assigned to nobody`),
      note: () => t`Note`,
      message: () => t`Message`,
      complex: () => t`More time, as a complex case`,
      file: () => t`File added`,
      recall_confirmed: () => t`The customer confirmed the recall with the PIN`,
      recall_decided: () => t`The recipient is asked outside the rules`,
      recall_asked: () => t`${money(Number(value('held')))} held; the recipient is asked`,
      hold_extended: () => t`The hold was extended until ${instant(value('until'))}`,
      contest: () => t`The recipient contests it`,
      recall_returned: () => t`${money(Number(value('returned')))} returned`,
      recall_contested: () => t`Contested: the hold has ended`,
      recall_expired: () => t`No answer in time: the hold has ended`,
      recall_nothing_left: () => t`Nothing was left in the recipient's wallet`,
      legal_order: () => t`Returned on a legal order`,
    };
    return texts[kind]?.() ?? kind;
  };
}
