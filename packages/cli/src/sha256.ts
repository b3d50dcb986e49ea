// HMAC-SHA256 in hexadecimal digits.
import { createHmac } from 'node:crypto';

export function hmac(secret: string, bytes: Buffer): string {
  return createHmac('sha256', secret).update(bytes).digest('hex');
}
