// WebAuthn ceremonies of passkeys: options for the browser, and verification of what the authenticator returns.
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { WebAuthnConfig } from '../../../kernel/config/second-factor.ts';

const RP_NAME = 'Kissi';
/** The password is the other factor, so a touch is enough: security keys without a PIN are accepted. */
const USER_VERIFICATION = 'preferred';

/** ES256, EdDSA and RS256 as COSE numbers. Fixed, because the library's default depends on the runtime. */
const ALGORITHMS = [-7, -8, -257];

/** A verified credential of a user. */
export interface Credential {
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: string[];
}

export type CreationOptions = PublicKeyCredentialCreationOptionsJSON;
export type RequestOptions = PublicKeyCredentialRequestOptionsJSON;
export type Assertion = AuthenticationResponseJSON;
export type Registration = RegistrationResponseJSON;

/** Loaded at the first use: the library takes longer to load than the rest of the service. */
const library = () => import('@simplewebauthn/server');

export interface Challenge {
  bytes: Uint8Array<ArrayBuffer>;
  timeoutMs: number;
}

export async function creationOptions(
  { rpId }: WebAuthnConfig,
  user: { id: string; email: string; first_name: string; last_name: string },
  existing: Credential[],
  { bytes, timeoutMs }: Challenge,
): Promise<CreationOptions> {
  const { generateRegistrationOptions } = await library();
  return generateRegistrationOptions({
    rpName: RP_NAME,
    rpID: rpId,
    userID: new TextEncoder().encode(user.id),
    userName: user.email,
    userDisplayName: `${user.first_name} ${user.last_name}`,
    challenge: bytes,
    timeout: timeoutMs,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: descriptors(existing),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: USER_VERIFICATION },
  });
}

export async function requestOptions(
  { rpId }: WebAuthnConfig,
  credentials: Credential[],
  { bytes, timeoutMs }: Challenge,
): Promise<RequestOptions> {
  const { generateAuthenticationOptions } = await library();
  return generateAuthenticationOptions({
    rpID: rpId,
    challenge: bytes,
    timeout: timeoutMs,
    allowCredentials: descriptors(credentials),
    userVerification: USER_VERIFICATION,
  });
}

/** Null if the registration is not valid for this site and challenge. */
export async function verifyRegistration(
  { rpId, origins }: WebAuthnConfig,
  response: Registration,
  expectedChallenge: string,
): Promise<Credential | null> {
  const { verifyRegistrationResponse } = await library();
  const verified = await nullIfInvalid(
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    }),
  );
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  return { credential_id: id, public_key: Buffer.from(publicKey), counter, transports };
}

/** The new signature counter; null if the assertion is not valid or the counter did not grow. */
export async function verifyAssertion(
  { rpId, origins }: WebAuthnConfig,
  response: Assertion,
  expectedChallenge: string,
  credential: Credential,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await library();
  const verified = await nullIfInvalid(
    verifyAuthenticationResponse({
      response,
      expectedChallenge,
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      credential: {
        id: credential.credential_id,
        publicKey: new Uint8Array(credential.public_key),
        counter: credential.counter,
      },
      requireUserVerification: false,
    }),
  );
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

/** The challenge that the browser signed, not yet verified; null if the client data are malformed. */
export function challengeOf({ response }: Registration): string | null {
  try {
    const { challenge } = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) ?? {};
    return typeof challenge === 'string' ? challenge : null;
  } catch {
    return null;
  }
}

/** The library throws for every response that is malformed or that does not match. It uses no network and no database. */
async function nullIfInvalid<T>(verification: Promise<T>): Promise<T | null> {
  return verification.catch(() => null);
}

function descriptors(credentials: Credential[]) {
  return credentials.map(({ credential_id, transports }) => ({
    id: credential_id,
    transports: transports as AuthenticatorTransport[],
  }));
}
