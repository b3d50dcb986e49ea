// A change in an agent's or merchant's own login: its form is a part of the page, so that a phone loads no dialog.
import { Trans } from '@lingui/react/macro';
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, useEffect, useRef } from 'react';
import { RefusalNotice } from '../states.tsx';
import { type ActionProps, useCall } from '../use-call.ts';

export function OwnAction<Reply>(props: ActionProps<Reply>) {
  const { title, description, children, submitLabel, isDangerous, isReady = true, onClose } = props;
  const { run, error, isRunning } = useCall(props);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('[data-autofocus], button')?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return (
    <Paper withBorder p="md" radius="md">
      <form ref={form} onSubmit={submit}>
        <Stack gap="md">
          <Title order={2} size="h3">
            {title}
          </Title>
          {description && <Text>{description}</Text>}
          {children}
          <RefusalNotice error={error} />
          <Group grow preventGrowOverflow={false} gap="xs">
            <Button size="lg" variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button
              type="submit"
              size="lg"
              loading={isRunning}
              disabled={!isReady}
              {...(isDangerous ? { color: 'red.8' } : {})}
            >
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
