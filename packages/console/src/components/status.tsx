// Badges for the status of a record, and the mark for an absent value.
import { i18n } from '@lingui/core';
import { useLingui } from '@lingui/react';
import { Badge, type MantineColor, Text } from '@mantine/core';
import classes from './values.module.css';

export const Absent = () => (
  <Text component="span" c="dimmed" inherit>
    –
  </Text>
);

const GOOD = /^(active|completed|executed|approved|succeeded|delivered|matched|resolved|verified|success|ok)$/i;
const WAITING = /^(pending|open|in_transit|suggested|investigating|in_review|waiting|sending|scheduled)$/i;
const BAD =
  /^(blocked|suspended|failed|rejected|terminated|refused|locked|revoked|reversed|dead|critical|expired|overdue|high)$/i;

export function toneOf(status: string): MantineColor {
  if (GOOD.test(status)) return 'kissi';
  if (WAITING.test(status)) return 'yellow';
  return BAD.test(status) ? 'red' : 'gray';
}

/** `text`: shown as is, instead of the value's label, such as an abbreviation. */
export function Status({ value, tone, text }: { value: string; tone?: MantineColor; text?: string }) {
  // Re-renders when the language changes.
  useLingui();
  return (
    <Badge variant="light" color={tone ?? toneOf(value)} radius="sm" className={classes.badge}>
      {text ?? label(value)}
    </Badge>
  );
}

const ABBREVIATIONS = /\b(api|id|ip|kyc|p2p|pep|pin|url)\b/g;

/** `float_transfer` as `Float transfer`, or its translation if it has one. */
export function label(value: string): string {
  const words = value
    .replaceAll(/[._-]/g, ' ')
    .toLowerCase()
    .replaceAll(ABBREVIATIONS, (word) => word.toUpperCase());
  return i18n._(words.charAt(0).toUpperCase() + words.slice(1));
}
