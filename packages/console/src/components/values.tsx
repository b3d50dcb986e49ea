// How values of records are shown: amounts, instants, states and identifiers.
import { Badge, CopyButton, type MantineColor, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { amount, minorUnitsOf } from '../format/money.ts';
import { fromNow, fullInstant, instant } from '../format/time.ts';
import { Icon } from './icon.tsx';
import classes from './values.module.css';

/** `value`: minor units, or an amount of a record such as `80.00 SLE`. `signed`: with + or − and a colour, for movements on an account. */
export function Money({ value, signed = false, size }: { value: number | string; signed?: boolean; size?: string }) {
  const minorUnits = minorUnitsOf(value);
  const sign = signed && minorUnits > 0 ? '+' : '';
  const tone = signed && minorUnits > 0 ? classes.credit : minorUnits < 0 ? classes.debit : undefined;
  return (
    <Text component="span" className={`${classes.number} ${tone ?? ''}`} {...(size ? { size } : { inherit: true })}>
      {sign}
      {amount(minorUnits)}
    </Text>
  );
}

/** The exact time with its zone is in the tooltip, and read by screen readers. */
export function Instant({ at, relative = false }: { at: string | null | undefined; relative?: boolean }) {
  if (!at) return <Absent />;
  return (
    <Tooltip label={fullInstant(at)} withArrow>
      <time dateTime={at} className={classes.number}>
        {relative ? fromNow(at) : instant(at)}
      </time>
    </Tooltip>
  );
}

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

export function Status({ value, tone }: { value: string; tone?: MantineColor }) {
  return (
    <Badge variant="light" color={tone ?? toneOf(value)} radius="sm" className={classes.badge}>
      {label(value)}
    </Badge>
  );
}

/** `float_transfer` as `Float transfer`. */
export function label(value: string): string {
  const words = value.replaceAll(/[._-]/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An identifier that can be copied. */
export function Id({ value, short = false }: { value: string | null | undefined; short?: boolean }) {
  if (!value) return <Absent />;
  const shown = short && value.length > 14 ? `${value.slice(0, 5)}…${value.slice(-6)}` : value;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.id} onClick={copy} title={`Copy ${value}`}>
          <span>{shown}</span>
          <Icon name={copied ? 'approve' : 'copy'} size={13} />
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
