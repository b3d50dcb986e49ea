// An icon beside a small button that copies the button's call as a curl command.
import type { Kissi } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { ActionIcon, type ActionIconProps } from '@mantine/core';
import { useCopyCurl, useWorksWithKeys } from './copy-curl.tsx';
import { Icon } from './icon.tsx';

interface CopyCurlIconProps extends Pick<ActionIconProps, 'size'> {
  /** What the button beside it does, such as "Release". */
  action: string;
  call: (client: Kissi) => PromiseLike<unknown>;
}

export function CopyCurlIcon({ action, call, size = 'md' }: CopyCurlIconProps) {
  const { t } = useLingui();
  const copy = useCopyCurl();
  const isShown = useWorksWithKeys();
  if (!isShown) return null;
  const name = t`Copy as curl: ${action}`;
  return (
    <ActionIcon variant="subtle" color="gray" size={size} aria-label={name} title={name} onClick={() => copy(call)}>
      <Icon name="copy" size={14} />
    </ActionIcon>
  );
}
