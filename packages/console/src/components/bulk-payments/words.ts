// The words for the states of bulk payments and their rows, and for the reasons why a row is not paid.
import type { BulkPayment, BulkPaymentRow } from '@kissi/client';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { MantineColor } from '@mantine/core';

type Words<State extends string> = Record<State, [name: MessageDescriptor, tone: MantineColor]>;

export const STATES: Words<BulkPayment['status']> = {
  checking: [msg`Checking`, 'gray'],
  checked: [msg`Waits for approval`, 'yellow'],
  approved: [msg`Approved`, 'kissi'],
  running: [msg`Being paid`, 'kissi'],
  completed: [msg`Completed`, 'kissi'],
  stopped: [msg`Stopped`, 'red'],
  cancelled: [msg`Cancelled`, 'gray'],
};

export const ROW_STATES: Words<BulkPaymentRow['status']> = {
  pending: [msg`Not checked yet`, 'gray'],
  valid: [msg`Can be paid`, 'gray'],
  invalid: [msg`Cannot be paid`, 'red'],
  paying: [msg`Being paid`, 'yellow'],
  paid: [msg`Paid`, 'kissi'],
  unclaimed: [msg`Code sent`, 'yellow'],
  returned: [msg`Code not used`, 'gray'],
  failed: [msg`Failed`, 'red'],
  cancelled: [msg`Cancelled`, 'gray'],
};

/** The service has the others in English only. */
export const REASONS: Record<string, MessageDescriptor> = {
  INVALID_PHONE_NUMBER: msg`This is not a phone number.`,
  RECIPIENT_UNAVAILABLE: msg`No active wallet has this number.`,
  DUPLICATE_REFERENCE: msg`An earlier row of the file has the same reference.`,
  REFERENCE_USED: msg`The reference was used in the last 90 days by a row that is paid or can still be paid.`,
};

export const WARNINGS: Record<BulkPaymentRow['warnings'][number], MessageDescriptor> = {
  REPEATED_RECIPIENT: msg`An earlier row pays the same wallet.`,
  COMPLIANCE_FLAG: msg`A monitoring rule will flag it.`,
  COMPLIANCE_BLOCK: msg`A monitoring rule would block it.`,
};
