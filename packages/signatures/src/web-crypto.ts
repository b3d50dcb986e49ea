// HMAC-SHA256, SHA-256 and encodings over WebCrypto.

const encoder = new TextEncoder();

export type Bytes = Uint8Array<ArrayBuffer>;

export function utf8(text: string): Bytes {
  return encoder.encode(text);
}

export function concat(...parts: Bytes[]): Bytes {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function hex(bytes: ArrayBuffer | Bytes): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Null unless the text is hexadecimal digits. */
export function fromHex(text: string): Bytes | null {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** Null unless the text is base64. */
export function fromBase64(text: string): Bytes | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
}

export function base64url(bytes: ArrayBuffer | Bytes): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

export async function sha256Hex(bytes: Bytes): Promise<string> {
  return hex(await crypto.subtle.digest('SHA-256', bytes));
}

/** The key is the text of the secret itself; hexadecimal secrets are not decoded. */
export function hmacKey(secret: string | Bytes): Promise<CryptoKey> {
  const key = typeof secret === 'string' ? utf8(secret) : secret;
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

export async function hmacHex(secret: string, signed: Bytes): Promise<string> {
  return hex(await crypto.subtle.sign('HMAC', await hmacKey(secret), signed));
}

/** Compares in constant time, which crypto.subtle.verify does. */
export async function hmacMatches(key: CryptoKey, signatureHex: string, signed: Bytes): Promise<boolean> {
  const signature = fromHex(signatureHex);
  return signature?.length === 32 && crypto.subtle.verify('HMAC', key, signature, signed);
}
