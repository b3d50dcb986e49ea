// The form of one change: its fields, the refusal of the service, and its buttons. A dialog or a part of the page frames it.
import { useLingui } from '@lingui/react/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RefusalNotice } from './states.tsx';
import type { ActionProps, useCall } from './use-call.ts';

interface ActionFormProps {
  action: Omit<ActionProps<never>, 'call' | 'onDone'>;
  state: ReturnType<typeof useCall>;
  /** Large targets, for phones. */
  large?: boolean;
  title?: ReactNode;
  /** Beside the buttons. */
  aside?: ReactNode;
}

export function ActionForm({ action, state, large = false, title, aside }: ActionFormProps) {
  const { t } = useLingui();
  const { description, children, submitLabel, isDangerous = false, isReady = true, onClose } = action;
  const { run, error, isRunning } = state;
  const size = large ? 'lg' : 'sm';
  const buttons = (
    <Group gap="xs" grow={large} preventGrowOverflow={false} {...(large ? { flex: 1 } : {})}>
      <Button size={size} variant="default" onClick={onClose}>{t`Cancel`}</Button>
      <Button
        type="submit"
        size={size}
        loading={isRunning}
        disabled={!isReady}
        {...(isDangerous ? { color: 'red.8' } : {})}
      >
        {submitLabel}
      </Button>
    </Group>
  );
  return (
    <form onSubmit={run}>
      <Stack gap="md">
        {title}
        {description && <Text size={large ? 'md' : 'sm'}>{description}</Text>}
        {children}
        <RefusalNotice error={error} />
        <Group justify="space-between">
          {aside}
          {buttons}
        </Group>
      </Stack>
    </form>
  );
}
