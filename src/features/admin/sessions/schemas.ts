// Request and response schemas for sessions.
import { Type } from 'typebox';
import { line } from '../../../http/fields.ts';
import { MAX_PASSWORD_LENGTH } from '../../../kernel/password-policy.ts';
import { assertion, secondFactorCode } from '../second-factor/service.ts';
import { newPassword, userRecord } from '../users/service.ts';

const password = () => Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH });

export const loginBody = Type.Object({
  // Any text is accepted: a malformed email gets the same reply as an unknown one.
  email: Type.String({
    ...line(254),
    description: "The email, or the phone number of an agent's or processor's user in any format.",
  }),
  password: password(),
});

export const secondFactorBody = Type.Object({
  challenge: Type.String({ minLength: 1, maxLength: 128, description: 'The challenge from POST /admin/login.' }),
  code: Type.Optional(secondFactorCode()),
  assertion: Type.Optional(assertion),
});

export const tokenBody = Type.Object(
  { refresh_token: Type.String({ minLength: 1, maxLength: 512 }) },
  { title: 'RefreshTokenRequest' },
);

export const everywhere = () =>
  Type.Boolean({ description: 'Also end every other session and every access token of the user.' });

export const logoutBody = Type.Object({ ...tokenBody.properties, everywhere: Type.Optional(everywhere()) });

export const tokensReply = Type.Object(
  {
    token: Type.String({ description: 'The access token, a JWT.' }),
    refresh_token: Type.String({ description: 'Valid for one refresh within 7 days.' }),
    expires_in: Type.Integer({ description: 'Seconds until the access token expires.' }),
  },
  { title: 'Tokens' },
);

export const currentUserReply = Type.Object(
  {
    ...Type.Omit(userRecord, ['second_factor_since']).properties,
    permissions: Type.Array(Type.String(), { description: 'All permissions of the user, sorted by name.' }),
    service: Type.Object({
      environment: Type.String({ description: 'APP_ENV of the service.' }),
      version: Type.String({ description: "The service's version." }),
      time_zone: Type.String({ description: 'The time zone in which the days of limits, closes and reports begin.' }),
    }),
  },
  { title: 'CurrentUser' },
);

export const changePasswordBody = Type.Object({ current_password: password(), new_password: newPassword() });

export const forgotPasswordBody = Type.Object({ email: loginBody.properties.email });

export const challengeReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    challenge: Type.String({ description: 'For POST /admin/recover-password. Valid for 10 minutes and 3 codes.' }),
  },
  { title: 'PasswordRecovery' },
);

export const recoverPasswordBody = Type.Object({
  challenge: Type.String({
    minLength: 1,
    maxLength: 128,
    description: 'The challenge from POST /admin/forgot-password.',
  }),
  code: Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits of the message.' }),
  new_password: newPassword(),
});

export const doneReply = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'MessageReply' },
);
