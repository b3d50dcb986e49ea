// Signed inbound credit requests for the load generators, as partner banks send them.
import { inboundHeaders } from '@kissi/testkit/signing';
import type { LoadJob, RequestFactory, SigningKey } from './load-job.ts';
import { rawRequest } from './pos-requests.ts';

const PATH = '/api/v1/inbound/credit';

/** Rotates through the partners and credits subscribers of the test population by phone number. */
export function inboundCreditRequests({ host, partnerKeys, subscriberCount, runId }: LoadJob): RequestFactory {
  return (n) => {
    const { keyId, secret } = partnerKeys[n % partnerKeys.length] as SigningKey;
    // A stride by a prime, so that consecutive requests credit different wallets.
    const msisdn = `+23230${String(1 + ((n * 7919) % subscriberCount)).padStart(6, '0')}`;
    const body = `{"reference":"${runId}-${n}","amount":100,"msisdn":"${msisdn}","narration":"Rent"}`;
    const request = { target: PATH, body };
    return rawRequest(host, PATH, inboundHeaders({ id: keyId, secret }, request, { idempotencyKey: `op-${n}` }), body);
  };
}
