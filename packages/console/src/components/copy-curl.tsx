// Copies the call of an action as a curl command.
import type { Kissi } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { curlOf } from '../api/curl.ts';
import { notify } from './notices.tsx';

type Call = (client: Kissi) => PromiseLike<unknown>;

export function useCopyCurl(): (call: Call) => Promise<void> {
  const { t } = useLingui();
  return async (call) => {
    await navigator.clipboard.writeText(await curlOf(call));
    notify(t`Copied. Put an access token into KISSI_TOKEN to run it.`);
  };
}

export function CopyCurl({ call, disabled = false }: { call: Call; disabled?: boolean }) {
  const copy = useCopyCurl();
  return (
    <Button variant="subtle" color="gray" size="compact-sm" disabled={disabled} onClick={() => copy(call)}>
      <Trans>Copy as curl</Trans>
    </Button>
  );
}
