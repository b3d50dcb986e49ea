// The form fields of a monitoring rule.
import { Trans, useLingui } from '@lingui/react/macro';
import { Checkbox, Group, SegmentedControl, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { type RuleDraft, readCount, termsOf } from './rule-draft.ts';
import { KINDS, ruleInWords, type TransactionType, TYPES, typeName } from './words.ts';

interface RuleFormProps {
  draft: RuleDraft;
  onChange: (changes: Partial<RuleDraft>) => void;
  disabled: boolean;
}

export function RuleForm({ draft, onChange, disabled }: RuleFormProps) {
  const { t } = useLingui();
  const terms = termsOf(draft);
  return (
    <Stack gap="md">
      <TextInput
        label={t`Name`}
        description={t`Reviewers see it on alerts.`}
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
        maxLength={100}
        required
        disabled={disabled}
        autoComplete="off"
      />
      <Checkbox.Group
        label={t`Types of payment`}
        description={t`At least one`}
        required
        value={draft.types}
        onChange={(types) => onChange({ types: types as TransactionType[] })}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" mt="xs">
          {TYPES.map(([value]) => (
            <Checkbox key={value} value={value} label={typeName(value)} disabled={disabled} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <ChoiceInput
        label={t`Compares`}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: (kind ?? 'amount') as RuleDraft['kind'], threshold: '' })}
        disabled={disabled}
      />
      <Threshold draft={draft} onChange={onChange} disabled={disabled} />
      <Choice label={t`Counts for`}>
        <SegmentedControl
          fullWidth
          aria-label={t`Counts for`}
          value={draft.side}
          onChange={(side) => onChange({ side: side as RuleDraft['side'] })}
          disabled={disabled}
          data={[
            { value: 'payer', label: t`Payer` },
            { value: 'payee', label: t`Recipient` },
          ]}
        />
      </Choice>
      <Outcome draft={draft} onChange={onChange} disabled={disabled} />
      <Switch
        label={t`The rule is on`}
        checked={draft.enabled}
        onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })}
        disabled={disabled}
      />
      {terms && (
        <Text size="sm" c="dimmed" aria-live="polite">
          {ruleInWords(terms)}
        </Text>
      )}
    </Stack>
  );
}

function Threshold({ draft, onChange, disabled }: RuleFormProps) {
  const { t } = useLingui();
  const isCount = draft.kind === 'velocity_count';
  const isWrong = (text: string) => text.trim() !== '' && readCount(text) === null;
  return (
    <fieldset disabled={disabled} style={{ all: 'unset', display: 'contents' }}>
      {isCount ? (
        <TextInput
          label={t`Highest allowed number`}
          value={draft.threshold}
          onChange={({ currentTarget }) => onChange({ threshold: currentTarget.value })}
          inputMode="numeric"
          placeholder="20"
          required
          autoComplete="off"
          error={isWrong(draft.threshold) ? t`Enter a whole number` : null}
        />
      ) : (
        <MoneyInput
          label={draft.kind === 'amount' ? t`Highest allowed amount` : t`Highest allowed sum`}
          value={draft.threshold}
          onChange={(threshold) => onChange({ threshold })}
        />
      )}
      {draft.kind !== 'amount' && (
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            label={t`Within`}
            value={draft.window}
            onChange={({ currentTarget }) => onChange({ window: currentTarget.value })}
            inputMode="numeric"
            required
            autoComplete="off"
            error={isWrong(draft.window)}
            flex={1}
          />
          <ChoiceInput
            aria-label={t`Period unit`}
            data={[
              { value: '60', label: t`minutes` },
              { value: '3600', label: t`hours` },
              { value: '86400', label: t`days` },
            ]}
            value={draft.windowUnit}
            onChange={(unit) => onChange({ windowUnit: (unit ?? '86400') as RuleDraft['windowUnit'] })}
            flex={1}
          />
        </Group>
      )}
    </fieldset>
  );
}

function Outcome({ draft, onChange, disabled }: RuleFormProps) {
  const { t } = useLingui();
  return (
    <>
      <Choice label={t`Outcome`}>
        <SegmentedControl
          fullWidth
          aria-label={t`Outcome`}
          value={draft.outcome}
          onChange={(outcome) => onChange({ outcome: outcome as RuleDraft['outcome'] })}
          disabled={disabled}
          data={[
            { value: 'flag', label: t`Flag` },
            { value: 'block', label: t`Block` },
          ]}
        />
        <Text size="xs" c="dimmed" mt={4}>
          {draft.outcome === 'block' ? (
            <Trans>The payment is refused, and a critical alert is raised.</Trans>
          ) : (
            <Trans>The payment is made, and an alert is raised.</Trans>
          )}
        </Text>
      </Choice>
      {draft.outcome === 'flag' && (
        <ChoiceInput
          label={t`Alert severity`}
          data={[
            { value: 'CRITICAL', label: t`Critical: due at once` },
            { value: 'HIGH', label: t`High: due in 24 hours` },
            { value: 'MEDIUM', label: t`Medium: due in 48 hours` },
            { value: 'LOW', label: t`Low: no due time` },
          ]}
          value={draft.severity}
          onChange={(severity) => onChange({ severity: severity })}
          disabled={disabled}
        />
      )}
    </>
  );
}

function Choice({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4}>
        {label}
      </Text>
      {children}
    </div>
  );
}
