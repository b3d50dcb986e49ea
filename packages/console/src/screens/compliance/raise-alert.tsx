// A dialog to raise an alert about something that no rule detects.
import { Trans, useLingui } from '@lingui/react/macro';
import { Text, Textarea, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';

const SEVERITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
type Severity = (typeof SEVERITIES)[number];

const FIELDS: Record<string, 'subscriber_id' | 'agent_id' | 'processor_id' | 'transaction_id'> = {
  sub: 'subscriber_id',
  agent: 'agent_id',
  proc: 'processor_id',
  txn: 'transaction_id',
};

export function RaiseAlert({ about = '', onClose }: { about?: string; onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [severity, setSeverity] = useState<Severity>('HIGH');
  const [description, setDescription] = useState('');
  const [id, setId] = useState(about);
  const field = FIELDS[id.trim().split('_')[0] ?? ''];
  const isKnown = id.trim() === '' || field !== undefined;
  const due = {
    CRITICAL: t`The review is due at once.`,
    HIGH: t`The review is due in 24 hours.`,
    MEDIUM: t`The review is due in 48 hours.`,
    LOW: t`The review has no due time.`,
  }[severity];
  return (
    <Action
      onClose={onClose}
      title={t`Raise an alert`}
      description={t`For what no rule detects, such as a call of a customer.`}
      submitLabel={t`Raise the alert`}
      isReady={description.trim() !== '' && isKnown}
      call={(client) =>
        client.alerts.raise({ severity, description, ...(field && id.trim() ? { [field]: id.trim() } : {}) })
      }
      doneMessage={t`The alert was raised.`}
      changes={['alerts']}
      onDone={(reply) => void navigate({ to: `/alerts/${reply.alert.id}` })}
    >
      <Textarea
        label={t`What was observed`}
        value={description}
        onChange={({ currentTarget }) => setDescription(currentTarget.value)}
        maxLength={2000}
        autosize
        minRows={3}
        required
        data-autofocus
      />
      <div>
        <ChoiceInput
          label={t`Severity`}
          data={[
            { value: 'CRITICAL', label: t`Critical` },
            { value: 'HIGH', label: t`High` },
            { value: 'MEDIUM', label: t`Medium` },
            { value: 'LOW', label: t`Low` },
          ]}
          value={severity}
          onChange={setSeverity}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {due}
        </Text>
      </div>
      <TextInput
        label={<Trans>Customer, agent, merchant or transaction</Trans>}
        description={t`Its id, such as sub_… or txn_…. It can be left empty.`}
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
        error={isKnown ? null : t`An id begins with sub_, agent_, proc_ or txn_.`}
        autoComplete="off"
      />
    </Action>
  );
}
