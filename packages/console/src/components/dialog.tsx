// A dialog above the screen, with a close button that screen readers can name.
import { useLingui } from '@lingui/react/macro';
import { Modal, type ModalProps } from '@mantine/core';
import { useEffect } from 'react';

/** Rendered while it is open. */
export function Dialog(props: Omit<ModalProps, 'opened'>) {
  const { t } = useLingui();
  // It is removed when it is closed, so the focus goes back to what opened it.
  useEffect(() => {
    const opener = document.activeElement;
    return () => (opener instanceof HTMLElement ? opener.focus() : undefined);
  }, []);
  return <Modal opened closeButtonProps={{ 'aria-label': t`Close` }} {...props} />;
}
