// A dialog at the side of the screen, for the details of a row.
import { useLingui } from '@lingui/react/macro';
import { Drawer, type DrawerProps } from '@mantine/core';
import { useFocusReturn } from './focus-return.ts';
import { NO_BANNER } from './no-banner.ts';

/** Rendered while it is open. */
export function SideDialog(props: Pick<DrawerProps, 'title' | 'onClose' | 'children'>) {
  const { t } = useLingui();
  useFocusReturn();
  return (
    <Drawer
      opened
      returnFocus={false}
      attributes={{ header: NO_BANNER }}
      position="right"
      size="lg"
      closeButtonProps={{ 'aria-label': t`Close` }}
      {...props}
    />
  );
}
