// Signed POS requests for the load generators: card payments with encrypted PINs, and refunds.
import { pinEncrypter } from '@kissi/signatures/node';
import { type Headers, terminalHeaders } from '@kissi/testkit/signing';
import type { LoadJob, Merchant, RequestFactory } from './load-job.ts';

/** Each card's PIN is encrypted once and reused, so that the generator spends its time on load and not on encryption. */
export function posRequests(job: LoadJob): RequestFactory {
  const { signingKey, cardSerials, merchants, refundableIds, runId } = job;
  const encryptedPins = new Map<string, string>();
  const encryptPin = pinEncrypter(signingKey.secret);

  function payment(n: number): string {
    const serial = cardSerials[(n * 7919) % cardSerials.length] ?? '';
    const { processorId, merchantId } = merchants[n % merchants.length] as Merchant;
    const pin = encryptedPins.get(serial) ?? encryptPin({ pin: PIN, cardSerial: serial });
    encryptedPins.set(serial, pin);
    const parties = `"merchant_id":"${merchantId}","processor_id":"${processorId}","card_serial":"${serial}"`;
    return `{"request_id":"${runId}-${n}",${parties},"amount":100,"terminal_id":"T-1","encrypted_pin":"${pin}"}`;
  }

  /** Shifts by one on every pass: in a mix, where n advances by ten, the same few payments would be refunded until empty. */
  function refund(n: number): string {
    const { length } = refundableIds;
    const transactionId = refundableIds[(n + Math.floor(n / length)) % length];
    return `{"request_id":"${runId}-${n}","transaction_id":"${transactionId}","amount":1}`;
  }

  if (job.kind === 'pos') return (n) => signedRequest(job, '/api/v1/pos/payment', payment(n));
  return (n) => signedRequest(job, '/api/v1/pos/refund', refund(n));
}

function signedRequest({ host, signingKey: { keyId, secret } }: LoadJob, path: string, body: string): string {
  return rawRequest(host, path, terminalHeaders({ id: keyId, secret }, { target: path, body }), body);
}

/** The text of a signed POST request with an ASCII body. */
export function rawRequest(host: string, path: string, headers: Headers, body: string): string {
  const signed = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${signed.join('')}${content}\r\n${body}`;
}

const PIN = '4821';
