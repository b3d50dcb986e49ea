// One payment request of the merchant: read, kept up to date while it is open, and put into the cache when it changes.
import type { PaymentRequest } from '@kissi/client';
import { useRef } from 'react';
import { queryClient, useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useMerchantId } from '../own-merchant.ts';

/** While the customer confirms on their phone. */
const OPEN_MS = 3_000;

const keyOf = (merchantId: string, id: string) => ['own-merchant', merchantId, 'request', id];

export function useRequest(id: string) {
  const merchantId = useMerchantId();
  return useRead(keyOf(merchantId, id), (options) => kissi.paymentRequests.get(id, options), {
    everyMs: OPEN_MS,
    isPolled: ({ payment_request }) => payment_request.status === 'open',
  });
}

/** What a change replied is shown at once, without another round trip. */
export function useKeepRequest(): (reply: { payment_request: PaymentRequest }) => void {
  const merchantId = useMerchantId();
  return ({ payment_request }) => queryClient.setQueryData(keyOf(merchantId, payment_request.id), { payment_request });
}

/** The same id for the same contents: a request that is sent again after a lost connection is not made twice. */
export function useRequestId(): (contents: object) => string {
  const sent = useRef({ contents: '', id: '' });
  return (contents) => {
    const text = JSON.stringify(contents);
    if (sent.current.contents !== text) sent.current = { contents: text, id: crypto.randomUUID() };
    return sent.current.id;
  };
}
