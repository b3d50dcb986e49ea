// The fields of an agent's record.
import type { GetAgentResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { SimpleGrid, TextInput } from '@mantine/core';
import { ChoiceInput } from '../../components/choice-input.tsx';

export interface AgentForm {
  business_name: string;
  first_name: string;
  last_name: string;
  phone_number: string;
  email: string;
  location: string;
  commission_tier: 'standard' | 'premium' | 'custom';
  /** As it is typed; of the tier custom only. */
  commission_percent: string;
  settlement_mode: 'instant' | 'daily' | 'weekly';
}

export const EMPTY_FORM: AgentForm = {
  business_name: '',
  first_name: '',
  last_name: '',
  phone_number: '',
  email: '',
  location: '',
  commission_tier: 'standard',
  commission_percent: '',
  settlement_mode: 'instant',
};

export function formOf({ agent }: GetAgentResponse): AgentForm {
  const { commission_percent, location, ...rest } = agent;
  return { ...rest, location: location ?? '', commission_percent: String(commission_percent ?? '') };
}

export function isComplete(form: AgentForm): boolean {
  const { business_name, first_name, last_name, phone_number, commission_percent } = form;
  const isFilled = [business_name, first_name, last_name, phone_number].every((text) => text.trim() !== '');
  return isFilled && (commission_percent === '' || isPercent(commission_percent));
}

const isPercent = (text: string) => /^\d{1,3}(\.\d{1,4})?$/.test(text) && Number(text) <= 500;

/** What the agent earns, and when it is paid. */
export function termsOf({ commission_tier, commission_percent, settlement_mode }: AgentForm) {
  return {
    commission_tier,
    settlement_mode,
    ...(commission_tier === 'custom' && commission_percent !== ''
      ? { commission_percent: Number(commission_percent) }
      : {}),
  };
}

interface AgentFieldsProps {
  form: AgentForm;
  onChange: (form: AgentForm) => void;
  withEmail?: boolean;
}

export function AgentFields({ form, onChange, withEmail = false }: AgentFieldsProps) {
  const { t } = useLingui();
  const text = (name: keyof AgentForm, label: string, required = true) => (
    <TextInput
      label={label}
      required={required}
      maxLength={name === 'location' ? 200 : 100}
      autoComplete="off"
      value={String(form[name] ?? '')}
      onChange={({ currentTarget }) => onChange({ ...form, [name]: currentTarget.value })}
    />
  );
  return (
    <>
      {text('business_name', t`Business name`)}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {text('first_name', t`First name`)}
        {text('last_name', t`Last name`)}
        {text('phone_number', t`Phone number`)}
        {withEmail && text('email', t`Email`)}
        {text('location', t`Location`, false)}
      </SimpleGrid>
      <Terms form={form} onChange={onChange} />
    </>
  );
}

function Terms({ form, onChange }: AgentFieldsProps) {
  const { t } = useLingui();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <ChoiceInput
        label={t`Commission tier`}
        value={form.commission_tier}
        onChange={(commission_tier) => onChange({ ...form, commission_tier })}
        data={[
          { value: 'standard', label: t`Standard` },
          { value: 'premium', label: t`Premium` },
          { value: 'custom', label: t`Custom` },
        ]}
      />
      {form.commission_tier === 'custom' && (
        <TextInput
          label={t`Share of the commissions (%)`}
          inputMode="decimal"
          value={form.commission_percent}
          onChange={({ currentTarget }) => onChange({ ...form, commission_percent: currentTarget.value })}
          error={form.commission_percent === '' || isPercent(form.commission_percent) ? null : t`0 to 500`}
        />
      )}
      <ChoiceInput
        label={t`Commission is paid`}
        value={form.settlement_mode}
        onChange={(settlement_mode) => onChange({ ...form, settlement_mode })}
        data={[
          { value: 'instant', label: t`At once` },
          { value: 'daily', label: t`After each day` },
          { value: 'weekly', label: t`After each week` },
        ]}
      />
    </SimpleGrid>
  );
}
