// Time-based one-time passwords (RFC 6238): secrets, the URI and QR code for an authenticator app, and verification.
import { Secret, TOTP } from 'otpauth';
import { encodeQR } from 'qr';
import { SECOND_MS } from '../../../kernel/clock.ts';

const ISSUER = 'Kissi';
// The values that every authenticator app supports.
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const SECRET_BYTES = 20;
/** Accepts the previous and the next code too, because the clocks of phones differ. */
const WINDOW_STEPS = 1;

/** Base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

export function otpauthUri(secret: string, account: string): string {
  return totpOf(secret, account).toString();
}

/** An SVG image as a data URI. */
export function qrCode(text: string): string {
  const svg = encodeQR(text, 'svg', { ecc: 'medium' });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}

/** The time step that the code belongs to; null if the code is wrong. */
export function matchingStep(secret: string, code: string, now: number): number | null {
  const offset = totpOf(secret).validate({ token: code, timestamp: now, window: WINDOW_STEPS });
  return offset === null ? null : Math.floor(now / (PARAMETERS.period * SECOND_MS)) + offset;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ ...PARAMETERS, issuer: ISSUER, label, secret: Secret.fromBase32(secret) });
}
