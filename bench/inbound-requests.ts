// Signed inbound credit requests for the load generators, as partner banks send them.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { LoadJob, RequestFactory, SigningKey } from './load-job.ts';

const PATH = '/api/v1/inbound/credit';

/** Rotates through the partners and credits subscribers of the test population by phone number. */
export function inboundCreditRequests({ host, partnerKeys, subscriberCount, runId }: LoadJob): RequestFactory {
  return (n) => {
    const { keyId, secret } = partnerKeys[n % partnerKeys.length] as SigningKey;
    // A stride by a prime, so that consecutive requests credit different wallets.
    const msisdn = `+23230${String(1 + ((n * 7919) % subscriberCount)).padStart(6, '0')}`;
    const body = `{"reference":"${runId}-${n}","amount":100,"msisdn":"${msisdn}","narration":"Rent"}`;
    const timestamp = new Date().toISOString();
    const [nonce, idempotencyKey] = [randomUUID(), `op-${n}`];
    const hash = createHash('sha256').update(body).digest('hex');
    const signed = ['POST', PATH, timestamp, nonce, idempotencyKey, hash].join('\n');
    const signature = createHmac('sha256', secret).update(signed).digest('hex');
    const headers = [
      `POST ${PATH} HTTP/1.1`,
      `Host: ${host}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `X-API-Key-ID: ${keyId}`,
      `X-Timestamp: ${timestamp}`,
      `X-Nonce: ${nonce}`,
      `X-Idempotency-Key: ${idempotencyKey}`,
      `X-Signature: ${signature}`,
    ];
    return `${headers.join('\r\n')}\r\n\r\n${body}`;
  };
}
