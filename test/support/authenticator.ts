// A software WebAuthn authenticator and the browser around it: ES256 keys, attestation "none", a signature counter.
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { Json } from './gateway.ts';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** What an attacker may change. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  counter?: number;
  flags?: number;
  /** Signs with this key instead of the credential's. */
  key?: KeyObject;
}

export class Authenticator {
  readonly origin: string;
  readonly rpId: string;
  readonly credentialId = randomBytes(32);
  counter = 0;
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(site: { origin: string; rpId: string }) {
    this.origin = site.origin;
    this.rpId = site.rpId;
  }

  /** navigator.credentials.create */
  create(options: Json, forgery: Forgery = {}): Json {
    const clientData = this.clientData('webauthn.create', options.challenge, forgery);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.credentialId.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, this.credentialId, this.publicKey()]);
    const authData = Buffer.concat([this.authenticatorData(ATTESTED, forgery), attested]);
    const attestationObject = cbor(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]),
    );
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** navigator.credentials.get */
  get(options: Json, forgery: Forgery = {}): Json {
    this.counter += 1;
    const clientData = this.clientData('webauthn.get', options.challenge, forgery);
    const authData = this.authenticatorData(0, forgery);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    const signature = createSign('sha256')
      .update(signed)
      .sign(forgery.key ?? this.keys.privateKey);
    return this.credential({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    });
  }

  /** A copy of the device that continues from an older counter. */
  clone(): Authenticator {
    return Object.assign(Object.create(Authenticator.prototype), this) as Authenticator;
  }

  private credential(response: Json): Json {
    const id = this.credentialId.toString('base64url');
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} };
  }

  private clientData(type: string, challenge: string, forgery: Forgery): Buffer {
    const { origin = this.origin } = forgery;
    const data = { type: forgery.type ?? type, challenge: forgery.challenge ?? challenge, origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  private authenticatorData(extraFlags: number, forgery: Forgery): Buffer {
    const rpIdHash = createHash('sha256')
      .update(forgery.rpId ?? this.rpId)
      .digest();
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(forgery.counter ?? this.counter);
    const flags = (forgery.flags ?? USER_PRESENT | USER_VERIFIED) | extraFlags;
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counter]);
  }

  /** COSE_Key of an ES256 key. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' });
    return cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ]),
    );
  }
}

/** The part of CBOR (RFC 8949) that WebAuthn uses. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (!(value instanceof Map)) throw new Error('this value has no CBOR form here');
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 256) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
