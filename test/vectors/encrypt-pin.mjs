// Example for integrators: encrypts a PIN for /api/v1/pos/payment and /api/v1/payment with Node's crypto module only.
//
//   SECRET=… node encrypt-pin.mjs PIN CARD_SERIAL
//
// SECRET is the signing secret of the request. IV (24 hex digits) is only for test vectors: leave it unset, because
// using an IV twice breaks the encryption.
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import process from 'node:process';

const { SECRET, IV } = process.env;
const [pin, card_serial] = process.argv.slice(2);
if (!SECRET || !pin || !card_serial) {
  process.stderr.write('SECRET=… node encrypt-pin.mjs PIN CARD_SERIAL\n');
  process.exit(2);
}

// 32 bytes by HKDF-SHA256 from the bytes of the secret as text; no salt.
const key = Buffer.from(hkdfSync('sha256', SECRET, '', 'pin-encryption-v1', 32));
const iv = IV ? Buffer.from(IV, 'hex') : randomBytes(12);

// A compact JWE: header, no encrypted key (the derived one is used directly), iv, ciphertext, tag.
const base64url = (bytes) => Buffer.from(bytes).toString('base64url');
const header = base64url('{"alg":"dir","enc":"A256GCM"}');
const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(header, 'ascii'));
const ciphertext = Buffer.concat([cipher.update(JSON.stringify({ pin, card_serial })), cipher.final()]);
process.stdout.write(`${header}..${base64url(iv)}.${base64url(ciphertext)}.${base64url(cipher.getAuthTag())}\n`);
