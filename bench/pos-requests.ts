// Signed POS requests for the load generators: card payments with encrypted PINs, and refunds.
import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { LoadJob, Merchant, RequestFactory } from './load-job.ts';

/** Each card's PIN is encrypted once and reused, so that the generator spends its time on load and not on encryption. */
export function posRequests(job: LoadJob): RequestFactory {
  const { signingKey, cardSerials, merchants, refundableIds, runId } = job;
  const encryptedPins = new Map<string, string>();
  const encryptPin = pinEncrypter(signingKey.secret);

  function payment(n: number): string {
    const serial = cardSerials[(n * 7919) % cardSerials.length] ?? '';
    const { processorId, merchantId } = merchants[n % merchants.length] as Merchant;
    const pin = encryptedPins.get(serial) ?? encryptPin(serial);
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

function signedRequest({ host, signingKey }: LoadJob, path: string, body: string): string {
  const at = new Date().toISOString();
  const signature = createHmac('sha256', signingKey.secret).update(`POST\n${path}\n${at}\n${body}`).digest('hex');
  const authentication = `X-API-Key-ID: ${signingKey.keyId}\r\nX-Timestamp: ${at}\r\nX-Signature: ${signature}\r\n`;
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${authentication}${content}\r\n${body}`;
}

const PIN = '4821';

/** Encrypts to a compact JWE (dir, A256GCM) with a key derived from the secret. */
function pinEncrypter(secret: string): (cardSerial: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pin-encryption-v1', 32));
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  return (cardSerial) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
    const plaintext = JSON.stringify({ pin: PIN, card_serial: cardSerial });
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return `${header}..${[iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')}`;
  };
}
