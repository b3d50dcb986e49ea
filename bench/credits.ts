// Signed inbound credits for the load generator: what a partner bank sends.
import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { Job } from './requests.ts';
import type { Signer } from './signed.ts';

const PATH = '/api/v1/inbound/credit';

/** The n-th request of a run, as text, from the partners in turn, to the phone numbers of the population. */
export function creditRequests({ host, partners, people, runId }: Job): (n: number) => string {
  return (n) => {
    const { keyId, secret } = partners[n % partners.length] as Signer;
    const msisdn = `+23230${String(1 + ((n * 7919) % people)).padStart(6, '0')}`;
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
