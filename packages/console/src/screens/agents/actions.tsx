// What staff can change about an agent: record, float, status and PIN.
import type { GetAgentResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { useStatusChange } from '../../components/status-change.tsx';
import { FloatPayment } from './float-payment.tsx';

/** Loaded when it is opened. */
const EditAgent = lazyPart(async () => ({ default: (await import('./edit.tsx')).EditAgent }));

const CHANGES = ['agent', 'agents', 'agent-floats'];

export function AgentActions({ reply }: { reply: GetAgentResponse }) {
  const { t } = useLingui();
  const can = useCan();
  const { agent } = reply;
  const { id, business_name: name, status } = agent;
  const changeStatus = useStatusChange({
    name,
    isActive: status === 'active',
    note: t`It can neither pay nor receive until it is reactivated. Its float stays.`,
    doneMessages: [t`The agent is suspended.`, t`The agent is active again.`],
    changes: CHANGES,
    suspend: (client, reason) => client.agents.suspend(id, { reason }),
    reactivate: (client) => client.agents.reactivate(id),
  });
  if (status === 'terminated') return null;
  const [mayWrite, mayFund] = [can('agents:write'), can('agents:fund')];
  return (
    <Choices
      buttons={[
        mayFund &&
          status === 'active' && {
            label: t`Fund`,
            look: 'primary',
            dialog: (onClose) => <FloatPayment kind="fund" agent={agent} onClose={onClose} />,
          },
        mayFund && {
          label: t`Return float`,
          dialog: (onClose) => <FloatPayment kind="return" agent={agent} onClose={onClose} />,
        },
      ]}
      more={[
        mayWrite && { label: t`Edit`, dialog: (onClose) => <EditAgent reply={reply} onClose={onClose} /> },
        can('pins:reset') && {
          label: t`Reset PIN`,
          action: {
            reason: 'optional',
            title: t`Reset the PIN of ${name}`,
            description: t`A code is sent to the phone number. Within 15 minutes the agent sets a new PIN with it. The old PIN works until then. After the PIN is changed, only a tenth of the float can leave it for 24 hours.`,
            submitLabel: t`Send the code`,
            call: (client, reason) => client.agents.resetPin(id, reason ? { reason } : {}),
            doneMessage: t`The code is sent.`,
            changes: CHANGES,
          },
        },
        mayWrite && changeStatus,
        mayWrite && {
          label: t`Terminate`,
          look: 'danger',
          action: {
            reason: 'optional',
            title: t`Terminate ${name}`,
            description: t`This is final. The float must be returned first; accrued commission is settled beforehand.`,
            submitLabel: t`Terminate`,
            isDangerous: true,
            call: (client, reason) => client.agents.terminate(id, reason ? { reason } : {}),
            doneMessage: t`The agent is terminated.`,
            changes: CHANGES,
          },
        },
      ]}
    />
  );
}
