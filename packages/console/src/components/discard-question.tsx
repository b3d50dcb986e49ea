// Asks before typed text is lost.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useFocusReturn } from './focus-return.ts';
import { NO_BANNER } from './no-banner.ts';

/** `answer`: true to discard it. */
export function DiscardQuestion({ answer }: { answer: (isDiscarded: boolean) => void }) {
  const { t } = useLingui();
  useFocusReturn();
  const onKeyDown = (event: KeyboardEvent) => void (event.key === 'Escape' && answer(false));
  // A dialog below must not hear Escape.
  const button = { 'data-mantine-stop-propagation': 'true', onKeyDown };
  return (
    <Modal
      opened
      returnFocus={false}
      attributes={{ header: NO_BANNER }}
      withCloseButton={false}
      closeOnEscape={false}
      onClose={() => answer(false)}
      title={t`Discard what you typed?`}
      size="sm"
    >
      <Stack gap="md">
        <Text size="sm">{t`It has not been sent yet, and would be lost.`}</Text>
        <Group justify="flex-end" gap="xs">
          <Button {...button} color="red.8" onClick={() => answer(true)}>
            <Trans>Discard</Trans>
          </Button>
          <Button {...button} variant="default" data-autofocus onClick={() => answer(false)}>
            <Trans>Keep editing</Trans>
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
