// Schemas of customers' logins, and the device as replies show it.
import { Type } from 'typebox';
import { line, phoneNumber, pin, timestamp } from '../../http/fields.ts';
import { iso } from '../../kernel/clock.ts';
import type { DeviceRow } from './device-store.ts';
import type { DeviceLogin } from './sessions.ts';

const MAX_TOKEN = 128;
const token = (description: string) => Type.String({ minLength: 1, maxLength: MAX_TOKEN, description });

export const loginBody = Type.Object({ phone_number: phoneNumber() });

export const challengeReply = Type.Object(
  {
    success: Type.Literal(true),
    message: Type.String(),
    challenge: Type.String({ description: 'For POST /me/login/verify.' }),
    expires_in: Type.Integer({ description: 'Seconds.' }),
  },
  { title: 'CustomerChallenge' },
);

export const verifyBody = Type.Object({
  challenge: token('From POST /me/login.'),
  code: Type.String({
    minLength: 1,
    maxLength: 16,
    description: 'The six digits of the message, or those shown by USSD.',
  }),
  pin: pin(),
  device_name: line(60, 'What the customer calls this phone or browser, for the list of devices.'),
});

export const deviceLoginBody = Type.Object({ device_token: token('From the last login on this device.'), pin: pin() });

export const refreshBody = Type.Object({ refresh_token: token('From the login or the last refresh.') });

export const device = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: timestamp('When it logged in first.'),
    last_used_at: timestamp('When it logged in last.'),
    restricted_until: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'Set while the device is new: until then it can do less. ISO 8601, UTC.',
    }),
  },
  { title: 'CustomerDevice' },
);

const tokens = {
  success: Type.Literal(true),
  token: Type.String({ description: 'The access token, for Authorization: Bearer.' }),
  refresh_token: Type.String({ description: 'For POST /me/refresh; works once.' }),
  expires_in: Type.Integer({ description: 'How long the access token is valid. Seconds.' }),
};

export const tokensReply = Type.Object(tokens, { title: 'CustomerTokens' });

export const deviceLoginReply = Type.Object(
  {
    ...tokens,
    device_token: Type.String({ description: 'For the next POST /me/login/device on this device; works once.' }),
    device,
  },
  { title: 'CustomerLogin' },
);

export const doneReply = Type.Object(
  { success: Type.Literal(true), message: Type.String() },
  { title: 'MessageReply' },
);

export function deviceView({ id, name, created_at, last_used_at, restricted_until }: DeviceRow, now: number) {
  const isNew = restricted_until.getTime() > now;
  return {
    id,
    name,
    created_at: iso(created_at),
    last_used_at: iso(last_used_at),
    restricted_until: isNew ? iso(restricted_until) : null,
  };
}

export function loginView({ device: row, ...issued }: DeviceLogin, now: number) {
  return { success: true, ...issued, device: deviceView(row, now) };
}
