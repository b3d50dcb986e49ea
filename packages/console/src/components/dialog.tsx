// A dialog above the screen, with a close button that screen readers can name.
import { useLingui } from '@lingui/react/macro';
import { Modal, type ModalProps } from '@mantine/core';

export function Dialog({ opened = true, ...props }: Omit<ModalProps, 'opened'> & { opened?: boolean }) {
  const { t } = useLingui();
  return <Modal opened={opened} closeButtonProps={{ 'aria-label': t`Close` }} {...props} />;
}
