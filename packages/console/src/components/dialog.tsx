// A dialog above the screen, with a close button that screen readers can name.
import { useLingui } from '@lingui/react/macro';
import { Modal, type ModalProps } from '@mantine/core';
import { useRef } from 'react';
import { useFocusReturn } from './focus-return.ts';
import { NO_BANNER } from './no-banner.ts';
import { mayClose } from './unsaved.ts';

/** Rendered while it is open. Escape, a click beside it and its close button ask before typed text is lost. */
export function Dialog({ onClose, ...props }: Omit<ModalProps, 'opened'>) {
  const { t } = useLingui();
  const root = useRef<HTMLDivElement>(null);
  useFocusReturn();
  const close = async () => {
    if (await mayClose(root.current)) onClose();
  };
  return (
    <Modal
      ref={root}
      opened
      returnFocus={false}
      attributes={{ header: NO_BANNER }}
      closeButtonProps={{ 'aria-label': t`Close` }}
      onClose={() => void close()}
      {...props}
    />
  );
}
