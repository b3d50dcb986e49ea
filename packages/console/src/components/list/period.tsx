// The dates of a list's filters, and the usual periods: today, yesterday, this week.
import { useLingui } from '@lingui/react/macro';
import { Group, NativeSelect } from '@mantine/core';
import { type PeriodName, periods } from '../../format/read-date.ts';
import { DateInput } from '../date-input.tsx';
import type { Filter, Query } from './definition.ts';

interface PeriodProps {
  dates: Filter[];
  values: Query;
  onChange: (changes: Query) => void;
}

export default function Period({ dates, values, onChange }: PeriodProps) {
  const { t } = useLingui();
  const known = periods();
  const titles: Record<PeriodName, string> = {
    today: t`Today`,
    yesterday: t`Yesterday`,
    'this week': t`This week`,
    'last week': t`Last week`,
    'this month': t`This month`,
    'last month': t`Last month`,
  };
  const { from = '', to = '' } = values;
  const names = Object.keys(known) as PeriodName[];
  const current = names.find((name) => known[name].from === from && known[name].to === to);
  const isPeriod = ['from', 'to'].every((name) => dates.some((each) => each.name === name));
  const own = from || to ? [{ value: 'own', label: t`Own dates` }] : [];
  const choose = (value: string) => {
    if (value !== 'own') onChange({ ...(known[value as PeriodName] ?? { from: '', to: '' }) });
  };
  return (
    <Group gap="xs" align="flex-end">
      {isPeriod && (
        <NativeSelect
          aria-label={t`Period`}
          data={[
            { value: '', label: t`Any time` },
            ...names.map((name) => ({ value: name, label: titles[name] })),
            ...(current ? [] : own),
          ]}
          value={current ?? own[0]?.value ?? ''}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          w={{ base: '100%', xs: 125 }}
        />
      )}
      {dates.map(({ name, label }) => (
        <DateInput
          key={name}
          label={label}
          labelProps={{ size: 'xs' }}
          value={values[name] ?? ''}
          onChange={(value) => onChange({ [name]: value })}
          w={{ base: 'calc(50vw - 1.5rem)', xs: 125 }}
        />
      ))}
    </Group>
  );
}
