// Copies the call of an action as a curl command.
import type { Kissi } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { curlOf } from '../api/curl.ts';
import { useCan } from '../api/user.ts';
import { notify } from './notices.tsx';

type Call = (client: Kissi) => PromiseLike<unknown>;

export function useCopyCurl(): (call: Call) => Promise<void> {
  const { t } = useLingui();
  return async (call) => {
    await navigator.clipboard.writeText(await curlOf(call));
    notify(t`Copied. Put an access token into KISSI_TOKEN to run it.`);
  };
}

/** For users who work with keys: for others it is one more button beside the one they look for. */
export const useWorksWithKeys = () => useCan()('api-keys');

interface CopyCurlProps {
  call: Call;
  disabled?: boolean;
  /** Who sees it, if not the users who manage API keys. */
  isShown?: boolean;
}

export function CopyCurl({ call, disabled = false, isShown }: CopyCurlProps) {
  const copy = useCopyCurl();
  const worksWithKeys = useWorksWithKeys();
  if (!(isShown ?? worksWithKeys)) return <span />;
  return (
    <Button variant="subtle" color="gray" size="compact-sm" disabled={disabled} onClick={() => copy(call)}>
      <Trans>Copy as curl</Trans>
    </Button>
  );
}
