// The states of a delivery.
import type { MantineColor } from '@mantine/core';

export const deliveryTone = (status: string): MantineColor =>
  ({ delivered: 'kissi', pending: 'yellow', abandoned: 'red' })[status] ?? 'gray';
