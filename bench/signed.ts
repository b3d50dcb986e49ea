// Signed requests for the load generator: a terminal's payments with encrypted PINs, and refunds.
import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Job } from './requests.ts';

export interface Signer {
  keyId: string;
  secret: string;
}

export interface Shop {
  processorId: string;
  merchantId: string;
}

/** The n-th request of a run, as text. PINs are encrypted once for each card: the service is measured, not the terminals. */
export function signedRequests(job: Job): (n: number) => string {
  const { signer, serials, shops, transactions, runId } = job;
  const pins = new Map<string, string>();
  const pinFor = encryption(signer.secret);

  function payment(n: number): string {
    const serial = serials[(n * 7919) % serials.length] ?? '';
    const { processorId, merchantId } = shops[n % shops.length] as Shop;
    const pin = pins.get(serial) ?? pinFor(serial);
    pins.set(serial, pin);
    const parties = `"merchant_id":"${merchantId}","processor_id":"${processorId}","card_serial":"${serial}"`;
    return `{"request_id":"${runId}-${n}",${parties},"amount":100,"terminal_id":"T-1","encrypted_pin":"${pin}"}`;
  }

  /** One further each time round: among other payments, every tenth would find the same few until nothing is left of them. */
  function refund(n: number): string {
    const { length } = transactions;
    const paid = transactions[(n + Math.floor(n / length)) % length];
    return `{"request_id":"${runId}-${n}","transaction_id":"${paid}","amount":1}`;
  }

  if (job.kind === 'pos') return (n) => signed(job, '/api/v1/pos/payment', payment(n));
  return (n) => signed(job, '/api/v1/pos/refund', refund(n));
}

function signed({ host, signer }: Job, path: string, body: string): string {
  const at = new Date().toISOString();
  const signature = createHmac('sha256', signer.secret).update(`POST\n${path}\n${at}\n${body}`).digest('hex');
  const credential = `X-API-Key-ID: ${signer.keyId}\r\nX-Timestamp: ${at}\r\nX-Signature: ${signature}\r\n`;
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${credential}${content}\r\n${body}`;
}

const PIN = '4821';

function encryption(secret: string): (serial: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'pin-encryption-v1', 32));
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  return (serial) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header));
    const sealed = Buffer.concat([cipher.update(JSON.stringify({ pin: PIN, card_serial: serial })), cipher.final()]);
    return `${header}..${[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')}`;
  };
}
