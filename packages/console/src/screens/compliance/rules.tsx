// The monitoring rules.
import type { ComplianceRule } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import type { ListDefinition } from '../../components/list/definition.ts';
import { RecordList } from '../../components/list/list.tsx';
import { Page } from '../../components/page.tsx';
import { Instant, Status } from '../../components/values.tsx';
import classes from './compliance.module.css';
import { KINDS, ruleInWords, severityTone, TYPES, thresholdInWords, typeName } from './words.ts';

export default function Rules() {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  return (
    <Page
      title={t`Monitoring rules`}
      description={t`Every payment is checked against the rules that are on. A change applies from the next payment.`}
      actions={
        can('compliance:write') && (
          <Button
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => void navigate({ to: '/rules/new' })}
          >{t`New rule`}</Button>
        )
      }
    >
      <RecordList definition={useDefinition()} />
    </Page>
  );
}

function useDefinition(): ListDefinition<ComplianceRule> {
  const { t } = useLingui();
  return {
    resource: 'rules',
    noun: t`rules`,
    fileName: 'monitoring-rules',
    items: 'rules',
    read: (client, query, options) => client.rules.list(query as never, options),
    keyOf: ({ id }) => id,
    linkOf: ({ id }) => `/rules/${id}`,
    filters: [
      {
        kind: 'choice',
        name: 'enabled',
        label: t`State`,
        options: [
          { value: 'true', label: t`On` },
          { value: 'false', label: t`Off` },
        ],
      },
      {
        kind: 'choice',
        name: 'outcome',
        label: t`Outcome`,
        options: [
          { value: 'flag', label: t`Flags` },
          { value: 'block', label: t`Blocks` },
        ],
      },
      {
        kind: 'choice',
        name: 'kind',
        label: t`Compares`,
        options: Object.entries(KINDS).map(([value, label]) => ({ value, label })),
      },
      {
        kind: 'choice',
        name: 'transaction_type',
        label: t`Type of payment`,
        options: TYPES.map(([value]) => ({ value, label: typeName(value) })),
      },
    ],
    columns: [
      {
        title: t`Rule`,
        keep: 'title',
        cell: (rule) => (
          <div className={classes.alert}>
            <Text fw={600} inherit>
              {rule.name}
            </Text>
            <Text size="xs" c="dimmed">
              {ruleInWords(rule)}
            </Text>
          </div>
        ),
      },
      {
        title: t`Allowed`,
        align: 'end',
        keep: 'tablet',
        cell: ({ kind, threshold }) => thresholdInWords(kind, threshold),
      },
      {
        title: t`Outcome`,
        cell: ({ outcome }) => (
          <Status value={outcome === 'block' ? t`Blocks` : t`Flags`} tone={outcome === 'block' ? 'red' : 'yellow'} />
        ),
      },
      {
        title: t`Severity`,
        keep: 'desktop',
        cell: ({ severity }) => <Status value={severity} tone={severityTone(severity)} />,
      },
      { title: t`Changed`, keep: 'desktop', cell: ({ updated_at }) => <Instant at={updated_at} /> },
      {
        title: t`State`,
        cell: ({ enabled }) => <Status value={enabled ? t`On` : t`Off`} tone={enabled ? 'kissi' : 'gray'} />,
      },
    ],
  };
}
