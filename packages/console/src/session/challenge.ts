// What the service asks for after the password of a user who has a second factor.
import type { KissiError } from '@kissi/client';

export interface Challenge {
  id: string;
  methods: string[];
  /** The options for a passkey, if the user has one. */
  webauthn: PublicKeyCredentialRequestOptionsJSON | null;
}

/** The challenge for a login that needs a second factor; null for any other refusal. */
export function challengeOf({ code, fields }: KissiError): Challenge | null {
  if (code !== 'SECOND_FACTOR_REQUIRED') return null;
  const { challenge, methods, webauthn } = fields as { challenge: string } & Partial<Omit<Challenge, 'id'>>;
  return { id: challenge, methods: methods ?? [], webauthn: webauthn ?? null };
}
