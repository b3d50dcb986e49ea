// Registers an agent. The temporary password and the PIN go to the phone number.
import { useLingui } from '@lingui/react/macro';
import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { EMPTY_FORM, isComplete, registerRequest } from './agent-form.ts';
import { AgentFields } from './fields.tsx';

export function RegisterAgent({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm({ initialValues: EMPTY_FORM });
  const [type, setType] = useState<'super_agent' | 'sub_agent'>('sub_agent');
  const [parent, setParent] = useState<string | null>(null);
  const hasParent = type === 'super_agent' || parent !== null;
  return (
    <Action
      onClose={onClose}
      title={t`Register an agent`}
      description={t`The temporary password and the PIN are sent to the phone number.`}
      submitLabel={t`Register`}
      isReady={isComplete(form.values) && form.values.email.includes('@') && hasParent}
      call={(client) =>
        client.agents.register({
          agent_type: type,
          ...registerRequest(form.values),
          ...(type === 'sub_agent' && parent ? { parent_agent_id: parent } : {}),
        })
      }
      doneMessage={t`The agent is registered.`}
      changes={['agents', 'agent-floats']}
      onDone={(reply) => {
        const { agent_id } = reply as { agent_id?: string };
        if (agent_id) void navigate({ to: `/agents/${agent_id}` });
      }}
    >
      <ChoiceInput
        label={t`Type`}
        value={type}
        onChange={setType}
        data={[
          { value: 'super_agent', label: t`Super-agent` },
          { value: 'sub_agent', label: t`Sub-agent` },
        ]}
      />
      {type === 'sub_agent' && <ParentField value={parent} onChange={setParent} />}
      <AgentFields form={form} withEmail />
    </Action>
  );
}

function ParentField({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { t } = useLingui();
  const [search, setSearch] = useState('');
  const query = { type: 'super_agent' as const, status: 'active' as const, limit: '50', ...(search ? { search } : {}) };
  const { data } = useRead(['agents', 'parents', search], (options) => kissi.agents.list(query, options), {
    keepPrevious: true,
  });
  return (
    <Select
      label={t`Super-agent`}
      required
      searchable
      nothingFoundMessage={t`No super-agent has this name`}
      filter={({ options }) => options}
      onSearchChange={(text) => setSearch(data?.agents.some(({ business_name }) => business_name === text) ? '' : text)}
      value={value}
      onChange={onChange}
      data={(data?.agents ?? []).map(({ id, business_name }) => ({ value: id, label: business_name }))}
    />
  );
}
