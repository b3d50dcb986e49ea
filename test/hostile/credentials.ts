// Valid credentials for any bytes, for each scheme.

import type { Random } from '@kissi/testkit/random';
import * as signing from '@kissi/testkit/signing';
import type { Scheme } from './operations.ts';

export interface Keyring {
  /** Bearer values of staff, agents, processors and API keys. */
  bearers: string[];
  terminal: signing.Key;
  partner: signing.Key & { partnerId: string };
  service: { name: string; secret: string };
  webhookSecret: string;
  appSecret: string;
}

export interface Unsigned {
  method: string;
  target: string;
  body: Buffer;
  /** The time of the service's clock, in milliseconds since 1970. */
  now: number;
}

export type Headers = [name: string, value: string][];

export function credentialHeaders(
  scheme: Scheme,
  request: Unsigned,
  keyring: Keyring,
  { random, bearer, idempotencyKey }: { random: Random; bearer: string; idempotencyKey: string },
): Headers {
  const { body } = request;
  switch (scheme) {
    case 'none':
    case 'metrics':
      return [];
    case 'bearer':
      return [['authorization', `Bearer ${bearer}`]];
    case 'pos':
      return Object.entries(signing.terminalHeaders(keyring.terminal, request));
    case 'partner':
      return Object.entries(signing.partnerHeaders(keyring.partner, keyring.partner.partnerId, request));
    case 'inbound':
      return Object.entries(signing.inboundHeaders(keyring.partner, request, { nonce: random.uuid(), idempotencyKey }));
    case 'webhook':
      return Object.entries(signing.cashInHeaders(keyring.webhookSecret, body));
    case 'same-origin':
      return [
        ['sec-fetch-site', 'same-origin'],
        ['cookie', `kissi_session=${bearer}`],
      ];
    case 'hub':
      return Object.entries(signing.hubHeaders(keyring.appSecret, body));
  }
}

export function serviceHeaders(request: Unsigned, service: Keyring['service']): Headers {
  return Object.entries(signing.serviceHeaders(service, request));
}

/** The PIN for a card, encrypted with a key derived from the signing secret. */
export function encryptPin(secret: string, content: { pin: string; card_serial: string }, random: Random): string {
  return signing.encryptedPin(secret, content, random.bytes(12));
}
