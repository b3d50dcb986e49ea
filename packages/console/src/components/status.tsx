// States of records, and values that are absent.
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

/** `text`: shown as it is, such as an abbreviation. */
export function Status({ value, tone, text }: { value: string; tone?: MantineColor; text?: string }) {
  return (
    <Badge variant="light" color={tone ?? toneOf(value)} radius="sm" className={classes.badge}>
      {text ?? label(value)}
    </Badge>
  );
}

/** `float_transfer` as `Float transfer`. */
export function label(value: string): string {
  const words = value.replaceAll(/[._-]/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
