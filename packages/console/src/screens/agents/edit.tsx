// Changes an agent's record.
import type { GetAgentResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useForm } from '@mantine/form';
import { Action } from '../../components/action.tsx';
import { changeRequest, formOf, isComplete } from './agent-form.ts';
import { AgentFields } from './fields.tsx';

export function EditAgent({ reply, onClose }: { reply: GetAgentResponse; onClose: () => void }) {
  const { t } = useLingui();
  const form = useForm({ initialValues: formOf(reply) });
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${reply.agent.business_name}`}
      submitLabel={t`Save`}
      isReady={isComplete(form.values)}
      call={(client) => client.agents.update(reply.agent.id, changeRequest(form.values))}
      doneMessage={t`The record is changed.`}
      changes={['agent', 'agents', 'agent-floats']}
    >
      <AgentFields form={form} />
    </Action>
  );
}
