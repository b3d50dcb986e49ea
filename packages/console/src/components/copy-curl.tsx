// Copies the call of an action as a curl command.
import type { Kissi } from '@kissi/client';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { curlOf } from '../api/curl.ts';
import { notify } from './notices.tsx';

interface CopyCurlProps {
  call: (client: Kissi) => PromiseLike<unknown>;
  disabled?: boolean;
}

export function CopyCurl({ call, disabled = false }: CopyCurlProps) {
  const copy = async () => {
    await navigator.clipboard.writeText(await curlOf(call));
    notify('Copied. Put an access token into KISSI_TOKEN to run it.');
  };
  return (
    <Button variant="subtle" color="gray" size="compact-sm" disabled={disabled} onClick={copy}>
      <Trans>Copy as curl</Trans>
    </Button>
  );
}
