// Why a customer cannot pay now: blocked, not active yet, account locked, or limit reduced after a reset; and a pending reset.
import type { SubscriberView } from '@kissi/client';
import { Trans } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '../../components/icon.tsx';
import { money } from '../../format/money.ts';
import { clockTime, fullInstant, zoneName } from '../../format/time.ts';

export function Warnings({ customer }: { customer: SubscriberView }) {
  const { status, block_reason, blocked_at, blocked_by, pin_locked_until, pin_lock_reason } = customer;
  const { pin_reset_code_until, outgoing_reduced_until } = customer;
  const reduced = customer.reduced_daily_limit ?? null;
  const notices: ReactNode[] = [];
  if (status === 'BLOCKED') {
    notices.push(
      <Notice key="blocked" colour="red" title={<Trans>Blocked: the wallet neither pays nor receives</Trans>}>
        {block_reason} {blocked_at && <>· {fullInstant(blocked_at)}</>} {blocked_by && <Blocker customer={customer} />}
      </Notice>,
    );
  }
  if (customer.phone_verified === false) {
    notices.push(
      <Notice key="phone" colour="yellow" title={<Trans>The phone number is not verified</Trans>}>
        {status === 'PENDING' ? (
          <Trans>A code was sent to it. Without the code the registration ends after 24 hours.</Trans>
        ) : (
          <Trans>A code was sent to it. Until it is entered, money sent to this number does not arrive.</Trans>
        )}
      </Notice>,
    );
  } else if (status === 'PENDING') {
    notices.push(
      <Notice key="pending" colour="yellow" title={<Trans>Not active yet</Trans>}>
        <Trans>The wallet can be used after the activation.</Trans>
      </Notice>,
    );
  }
  if (pin_locked_until) {
    const until = fullInstant(pin_locked_until);
    notices.push(
      <Notice key="locked" colour="yellow" title={<Trans>The account is locked</Trans>}>
        {pin_lock_reason === 'wrong_on_one_day' ? (
          <Trans>
            Ten wrong PINs in one day, perhaps with right ones in between: somebody may be guessing. It can be used
            again from {until}.
          </Trans>
        ) : (
          <Trans>Too many wrong PINs. It can be used again from {until}.</Trans>
        )}
      </Notice>,
    );
  }
  if (pin_lock_reason === 'wrong_on_own_channels') {
    notices.push(
      <Notice key="own-locked" colour="yellow" title={<Trans>The app and USSD are locked</Trans>}>
        <Trans>Nine wrong PINs on the customer's own phone. Cards and agents go on. Reset the PIN to open them.</Trans>
      </Notice>,
    );
  }
  if (pin_reset_code_until) {
    const until = clockTime(pin_reset_code_until);
    const zone = zoneName();
    notices.push(
      <Notice key="reset" colour="blue" title={<Trans>A code for a new PIN was sent</Trans>}>
        <Trans>
          The customer can set a new PIN until {until} {zone}. The old PIN works until a new one is set.
        </Trans>
      </Notice>,
    );
  }
  if (outgoing_reduced_until) {
    const [until, limit] = [fullInstant(outgoing_reduced_until), reduced === null ? '' : money(reduced)];
    notices.push(
      <Notice key="reduced" colour="yellow" title={<Trans>The daily limit is reduced</Trans>}>
        <Trans>
          The PIN was reset. Until {until} the limit is {limit}.
        </Trans>
      </Notice>,
    );
  }
  return notices.length === 0 ? null : <Stack gap="sm">{notices}</Stack>;
}

/** Services have an id and no name. */
function Blocker({ customer: { blocked_by, blocked_by_name } }: { customer: SubscriberView }) {
  return (
    <>
      · <span title={blocked_by ?? ''}>{blocked_by_name ?? blocked_by}</span>
    </>
  );
}

function Notice({ colour, title, children }: { colour: string; title: ReactNode; children: ReactNode }) {
  return (
    <Alert color={colour} icon={<Icon name="alert" />}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </Alert>
  );
}
