// What a webhook says: verified by its signature on the raw body, and only then believed.
import { type EndpointEvent, KissiWebhookError, verifyWebhook, type WebhookHeaders } from '@kissi/client';
import type { Checkout, Told } from './checkout.ts';

export interface Delivery {
  body: Uint8Array;
  headers: WebhookHeaders;
}

interface Context {
  checkout: Pick<Checkout, 'learn'>;
  /** During a rotation the old and the new one. */
  secrets: string[];
}

/** The HTTP status of the answer. The same event again changes nothing. */
export type Receive = (delivery: Delivery) => Promise<200 | 401>;

export function createReceive({ checkout, secrets }: Context): Receive {
  return async ({ body, headers }) => {
    try {
      const event = await verifyWebhook<EndpointEvent>(body, { headers, secrets });
      // The payment request as the API shows it, which the signature covers.
      const isNew = isAboutRequest(event) && checkout.learn(event.data.object as unknown as Told);
      process.stdout.write(`webhook ${event.type} ${event.id}${isNew ? '' : ' (nothing new)'}\n`);
      return 200;
    } catch (error) {
      if (error instanceof KissiWebhookError) return 401;
      // Answered with 500: Kissi delivers it again.
      throw error;
    }
  };
}

/** Test events are examples: they are of no payment request. */
function isAboutRequest({ type, data }: EndpointEvent): boolean {
  return type.startsWith('payment_request.') && !('example' in data.object);
}
