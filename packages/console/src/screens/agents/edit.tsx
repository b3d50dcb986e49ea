// Changes the record of an agent.
import type { GetAgentResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { AgentFields, formOf, isComplete, termsOf } from './fields.tsx';

export function EditAgent({ reply, onClose }: { reply: GetAgentResponse; onClose: () => void }) {
  const { t } = useLingui();
  const [form, setForm] = useState(formOf(reply));
  return (
    <Action
      onClose={onClose}
      title={t`Edit ${reply.agent.business_name}`}
      submitLabel={t`Save`}
      isReady={isComplete(form)}
      call={(client) =>
        client.agents.update(reply.agent.id, {
          business_name: form.business_name.trim(),
          first_name: form.first_name.trim(),
          last_name: form.last_name.trim(),
          phone_number: form.phone_number.trim(),
          location: form.location.trim(),
          ...termsOf(form),
        })
      }
      doneMessage={t`The record is changed.`}
      changes={['agent', 'agents', 'agent-floats']}
    >
      <AgentFields form={form} onChange={setForm} />
    </Action>
  );
}
