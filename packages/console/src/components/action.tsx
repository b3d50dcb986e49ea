// A dialog that makes one change: its fields, the refusal of the service, and the same call as a curl command.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { CopyCurl } from './copy-curl.tsx';
import { RefusalNotice } from './states.tsx';
import { type ActionProps, useCall } from './use-call.ts';

export function Action<Reply>(props: ActionProps<Reply>) {
  const {
    opened,
    onClose,
    title,
    description,
    children,
    submitLabel,
    isDangerous,
    isReady = true,
    call,
    isSecret,
  } = props;
  const { t } = useLingui();
  const { run, error, isRunning } = useCall(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t`Close` }}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {description && <Text size="sm">{description}</Text>}
          {children}
          <RefusalNotice error={error} />
          <Group justify="space-between">
            {isSecret ? <span /> : <CopyCurl call={call} disabled={!isReady} />}
            <Group gap="xs">
              <Button variant="default" onClick={onClose}>
                <Trans>Cancel</Trans>
              </Button>
              <Button
                type="submit"
                loading={isRunning}
                disabled={!isReady}
                {...(isDangerous ? { color: 'red.8' } : {})}
              >
                {submitLabel}
              </Button>
            </Group>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
