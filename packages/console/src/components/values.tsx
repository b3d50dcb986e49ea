// Shows a record's values: amounts, instants and identifiers.
import { CopyButton, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { amount, minorUnitsOf } from '../format/money.ts';
import { fromNow, fullInstant, instant } from '../format/time.ts';
import { Icon } from './icon.tsx';
import { Absent } from './status.tsx';
import classes from './values.module.css';

export { Absent, label, Status, toneOf } from './status.tsx';

/** `value`: minor units, or text such as `80.00 SLE`. `signed`: with + or − and a colour, for account movements. */
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

/** The first cell of a row: the record's name, and a second line to tell it from others. */
export function Titled({ name, note }: { name: ReactNode; note?: ReactNode }) {
  return (
    <>
      <Text fw={600} inherit style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {note && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} lineClamp={2}>
          {note}
        </Text>
      )}
    </>
  );
}

/** The title has the exact time and its zone. */
export function Instant({ at, relative = false }: { at: string | null | undefined; relative?: boolean }) {
  if (!at) return <Absent />;
  return (
    <time dateTime={at} title={fullInstant(at)} className={classes.number}>
      {relative ? fromNow(at) : instant(at)}
    </time>
  );
}

/** An identifier that can be copied. */
export function Id({ value, short = false }: { value: string | null | undefined; short?: boolean }) {
  if (!value) return <Absent />;
  const shown = short && value.length > 14 ? `${value.slice(0, 5)}…${value.slice(-6)}` : value;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <UnstyledButton className={classes.id} data-short={short || undefined} onClick={copy} title={`Copy ${value}`}>
          <span>{shown}</span>
          <Icon name={copied ? 'approve' : 'copy'} size={13} />
        </UnstyledButton>
      )}
    </CopyButton>
  );
}
