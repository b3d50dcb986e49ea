// The fields of an agent's record.
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { type AgentForm, isPercent } from './agent-form.ts';

interface AgentFieldsProps {
  form: UseFormReturnType<AgentForm>;
  withEmail?: boolean;
}

export function AgentFields({ form, withEmail = false }: AgentFieldsProps) {
  const { t } = useLingui();
  const { commission_tier, commission_percent } = form.values;
  const field = (name: keyof AgentForm) => ({ maxLength: 100, autoComplete: 'off', ...form.getInputProps(name) });
  return (
    <>
      <TextInput label={t`Business name`} required {...field('business_name')} />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label={t`First name`} required {...field('first_name')} />
        <TextInput label={t`Last name`} required {...field('last_name')} />
        <TextInput label={t`Phone number`} required {...field('phone_number')} />
        {withEmail && <TextInput label={t`Email`} required {...field('email')} />}
        <TextInput label={t`Location`} {...field('location')} maxLength={200} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <ChoiceInput
          label={t`Commission tier`}
          {...form.getInputProps('commission_tier')}
          data={[
            { value: 'standard', label: t`Standard` },
            { value: 'premium', label: t`Premium` },
            { value: 'custom', label: t`Custom` },
          ]}
        />
        {commission_tier === 'custom' && (
          <TextInput
            label={t`Share of the commissions (%)`}
            inputMode="decimal"
            {...form.getInputProps('commission_percent')}
            error={commission_percent === '' || isPercent(commission_percent) ? null : t`0 to 500`}
          />
        )}
        <ChoiceInput
          label={t`Commission is paid`}
          {...form.getInputProps('settlement_mode')}
          data={[
            { value: 'instant', label: t`At once` },
            { value: 'daily', label: t`After each day` },
            { value: 'weekly', label: t`After each week` },
          ]}
        />
      </SimpleGrid>
    </>
  );
}
