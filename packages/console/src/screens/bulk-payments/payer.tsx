// Who pays a bulk payment: a merchant, a partner or the treasury.
import type { BulkPayment } from '@kissi/client';
import { Trans } from '@lingui/react/macro';
import { Party } from '../../components/party.tsx';

export function Payer({ payment: { processor_id, partner_id, payer_name } }: { payment: BulkPayment }) {
  const id = processor_id ?? partner_id;
  return id === null ? <Trans>Treasury</Trans> : <Party id={id} name={payer_name} />;
}
