// A dialog to raise an alert about something that no rule detects.
import { Trans, useLingui } from '@lingui/react/macro';
import { Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { trimmed } from '../../components/form-values.ts';
import { PartyPicker } from '../../components/party-picker.tsx';

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
  const form = useForm({ initialValues: { severity: 'HIGH' as Severity, description: '', id: about } });
  const { severity, description, id } = trimmed(form.values);
  const field = FIELDS[id.split('_')[0] ?? ''];
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
      description={t`For anything no rule detects, such as a customer's call.`}
      submitLabel={t`Raise the alert`}
      isReady={description !== ''}
      call={(client) => client.alerts.raise({ severity, description, ...(field && id ? { [field]: id } : {}) })}
      doneMessage={t`The alert was raised.`}
      changes={['alerts']}
      onDone={(reply) => void navigate({ to: `/alerts/${reply.alert.id}` })}
    >
      <Textarea
        label={t`What was observed`}
        {...form.getInputProps('description')}
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
          {...form.getInputProps('severity')}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {due}
        </Text>
      </div>
      <PartyPicker
        label={<Trans>Customer, agent, merchant or transaction</Trans>}
        description={t`Optional`}
        types={['subscriber', 'agent', 'processor', 'transaction']}
        value={form.values.id}
        onChange={(picked) => form.setFieldValue('id', picked)}
      />
    </Action>
  );
}
