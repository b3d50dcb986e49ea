// The period of a network: the usual ones, or days that the user chooses, such as those around an alert.
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, SegmentedControl, Text } from '@mantine/core';
import { DateInput } from '../../../components/date-input.tsx';
import { date } from '../../../format/time.ts';

/** The last days, or the days between two dates. */
export type NetworkPeriod = { days: string } | { from: string; to: string };

const DAY_MS = 24 * 3_600_000;
/** The days before and after the alert are shown too. */
const DAYS_AROUND = 7;
/** Of the periods that end now. */
const MOST_DAYS = 90;

const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);
const daysBefore = (days: number) => dayAt(Date.now() - days * DAY_MS);

/** Contains the alert and the days before it. */
export function periodFor(raisedAt: string | undefined): NetworkPeriod {
  const raised = raisedAt ? Date.parse(raisedAt) : Date.now();
  const needed = (Date.now() - raised) / DAY_MS + DAYS_AROUND;
  if (needed <= MOST_DAYS) return { days: needed > 30 ? '90' : '30' };
  return { from: dayAt(raised - 30 * DAY_MS), to: dayAt(raised + DAYS_AROUND * DAY_MS) };
}

interface PeriodProps {
  value: NetworkPeriod;
  onChange: (value: NetworkPeriod) => void;
}

export function PeriodChoice({ value, onChange }: PeriodProps) {
  const { t } = useLingui();
  const days = 'days' in value ? value.days : null;
  const choose = (next: string) =>
    onChange(next === 'own' ? { from: daysBefore(Number(days ?? 30)), to: daysBefore(0) } : { days: next });
  return (
    <SegmentedControl
      size="xs"
      aria-label={t`Period`}
      value={days ?? 'own'}
      onChange={choose}
      data={[
        { value: '7', label: t`7 days` },
        { value: '30', label: t`30 days` },
        { value: '90', label: t`90 days` },
        { value: 'own', label: t`Own dates` },
      ]}
    />
  );
}

/** Nothing for the periods that end now. A day that would turn the period round moves the other one. */
export function PeriodDates({ value, onChange }: PeriodProps) {
  const { t } = useLingui();
  if ('days' in value) return null;
  const { from, to } = value;
  const today = daysBefore(0);
  const field = { labelProps: { size: 'xs' as const }, max: today, w: { base: 'calc(50vw - 2.5rem)', xs: 135 } };
  return (
    <Group gap="xs" px="md" mb="xs" align="flex-start">
      <DateInput
        {...field}
        label={t`From`}
        value={from}
        onChange={(day) => day && onChange({ from: day, to: day > to ? day : to })}
      />
      <DateInput
        {...field}
        label={t`To`}
        value={to}
        onChange={(day) => day && onChange({ from: day < from ? day : from, to: day })}
      />
    </Group>
  );
}

interface CoveredProps {
  period: { from: string; to: string };
  raisedAt: string | undefined;
}

/** The days that the figures are of. */
export function Covered({ period, raisedAt }: CoveredProps) {
  const [first, last] = [date(period.from), date(period.to)];
  return (
    <Text size="xs" c="dimmed" px="md">
      <Trans>
        Payments from {first} to {last}.
      </Trans>{' '}
      {raisedAt && raisedAt < period.from && <Trans>The alert was raised before this period.</Trans>}
      {raisedAt && raisedAt > period.to && <Trans>The alert was raised after this period.</Trans>}
    </Text>
  );
}
