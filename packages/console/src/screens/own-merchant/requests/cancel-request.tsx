// Ends a payment request that is still open. A charge is cancelled with one tap; for a link the merchant confirms.
import type { PaymentRequest } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { OwnAction } from '../../../components/own/own-action.tsx';
import { RefusalNotice } from '../../../components/states.tsx';
import { useSubmit } from '../../../components/use-submit.ts';
import { useKeepRequest } from './use-request.ts';

export function CancelRequest({ request: { id, single_use } }: { request: PaymentRequest }) {
  const { t } = useLingui();
  const keep = useKeepRequest();
  const [isOpen, setOpen] = useState(false);
  // A refusal says that it was paid or ended a moment ago, which the record shows.
  const { submit, error, isRunning } = useSubmit(
    (client) => client.paymentRequests.cancel(id),
    keep,
    () => readAgain('own-merchant'),
  );
  if (isOpen) {
    return (
      <OwnAction
        onClose={() => setOpen(false)}
        title={t`Cancel the link`}
        description={t`Nobody can pay with it any more. Payments already made stay as they are.`}
        submitLabel={t`Cancel the link`}
        isDangerous
        call={(client) => client.paymentRequests.cancel(id)}
        doneMessage={t`The link is cancelled.`}
        changes={['own-merchant']}
        onDone={keep}
      />
    );
  }
  return (
    <>
      <RefusalNotice error={error} />
      <Button
        size="lg"
        variant="default"
        loading={isRunning}
        onClick={() => (single_use ? void submit() : setOpen(true))}
      >
        {single_use ? <Trans>Cancel the charge</Trans> : <Trans>Cancel the link</Trans>}
      </Button>
    </>
  );
}
