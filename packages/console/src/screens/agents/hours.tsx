// How long a float lasts at the current pace.
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { DANGER_TEXT } from '../../components/theme.ts';
import { count } from '../../format/money.ts';
import { DRY_WITHIN_HOURS } from './dry-hours.ts';

const LONG_HOURS = 72;
/** Nobody needs to know how long a float lasts that is hardly used. */
const MOST_HOURS = 90 * 24;

/** Null: the float does not shrink. */
export function Hours({ value }: { value: number | null }) {
  const { t } = useLingui();
  if (value === null) {
    return <Text component="span" inherit c="dimmed">{t`Does not shrink`}</Text>;
  }
  const isLong = value >= LONG_HOURS;
  const number = count(isLong ? Math.floor(value / 24) : Math.floor(value));
  return (
    <Text component="span" inherit {...(value < DRY_WITHIN_HOURS ? { c: DANGER_TEXT, fw: 600 } : {})}>
      {value > MOST_HOURS ? (
        <Trans>Over 90 days</Trans>
      ) : isLong ? (
        <Trans>{number} days</Trans>
      ) : (
        <Trans>{number} hours</Trans>
      )}
    </Text>
  );
}
