// Request and response schemas for second factors.
import { Type } from 'typebox';
import { line, timestamp } from '../../../http/fields.ts';
import { MAX_PASSWORD_LENGTH } from '../../../kernel/password-policy.ts';

const done = { success: Type.Literal(true), message: Type.String() };
export const doneReply = Type.Object(done, { title: 'MessageReply' });

const nullable = <T extends ReturnType<typeof timestamp>>(schema: T) => Type.Union([schema, Type.Null()]);

export const secondFactorCode = () =>
  Type.String({
    minLength: 1,
    maxLength: 32,
    description: "The authenticator app's six digits, or a recovery code.",
  });

/** Binary data of WebAuthn. The longest are attestations. */
const base64url = (maxLength = 8_192) => Type.String({ minLength: 1, maxLength, description: 'Base64url.' });
const credentialId = () => base64url(1_400);

const credentialFields = {
  id: credentialId(),
  rawId: credentialId(),
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Type.Unsafe<'platform' | 'cross-platform'>({ type: ['string', 'null'] })),
  clientExtensionResults: Type.Unsafe<Record<string, never>>({ type: 'object', description: 'Not used.' }),
};

/** The JSON form of PublicKeyCredential from navigator.credentials.get. */
export const assertion = Type.Object(
  {
    ...credentialFields,
    response: Type.Object({
      clientDataJSON: base64url(),
      authenticatorData: base64url(),
      signature: base64url(),
      userHandle: Type.Optional(Type.Unsafe<string>({ type: ['string', 'null'], maxLength: 200 })),
    }),
  },
  {
    title: 'PasskeyAssertion',
    description: 'The JSON form of the PublicKeyCredential that navigator.credentials.get returned.',
  },
);

const registration = Type.Object(
  {
    ...credentialFields,
    response: Type.Object({
      clientDataJSON: base64url(),
      attestationObject: base64url(32_768),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 10 })),
    }),
  },
  {
    title: 'PasskeyRegistration',
    description: 'The JSON form of the PublicKeyCredential that navigator.credentials.create returned.',
  },
);

export const proofBody = Type.Object(
  {
    password: Type.Optional(
      Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH, description: 'The password, or a code.' }),
    ),
    code: Type.Optional(secondFactorCode()),
  },
  { title: 'SecondFactorProof' },
);

export const confirmBody = Type.Object({ code: secondFactorCode() });

export const passkeyBody = Type.Object({ name: Type.Optional(line()), credential: registration });

const passkeyRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: timestamp(),
    last_used_at: nullable(timestamp()),
  },
  { title: 'Passkey' },
);

export const statusReply = Type.Object({
  enrolled: Type.Boolean(),
  required: Type.Boolean({ description: 'Whether the operator requires this user to have a second factor.' }),
  totp_since: nullable(timestamp()),
  passkeys: Type.Array(passkeyRecord),
  recovery_codes_remaining: Type.Integer(),
});

export const totpReply = Type.Object({
  ...done,
  secret: Type.String({ description: 'Base32, for apps that cannot read the QR code.' }),
  otpauth_uri: Type.String(),
  qr_code: Type.String({ description: 'The URI as an SVG image in a data URI.' }),
  expires_at: Type.String({ description: 'Confirm the enrolment with a code before this time. ISO 8601, UTC.' }),
});

const recoveryCodes = () =>
  Type.Array(Type.String(), { description: 'Shown once. Each replaces a second factor for one login.' });

export const confirmReply = Type.Object({ ...done, recovery_codes: Type.Optional(recoveryCodes()) });
export const recoveryCodesReply = Type.Object({ ...done, recovery_codes: recoveryCodes() });

export const passkeyOptionsReply = Type.Object({
  ...done,
  options: Type.Object(
    {},
    { additionalProperties: true, description: 'For navigator.credentials.create (parseCreationOptionsFromJSON).' },
  ),
});

export const passkeyReply = Type.Object({
  ...done,
  passkey: passkeyRecord,
  recovery_codes: Type.Optional(recoveryCodes()),
});
