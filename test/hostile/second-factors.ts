// Requests to second-factor operations that can succeed: each has its own user, prepared through the API.
import assert from 'node:assert/strict';
import { Authenticator } from '../support/authenticator.ts';
import type { Json } from '../support/gateway.ts';
import { codeAt, SITE } from '../support/second-factor.ts';
import type { Secrets } from './secrets.ts';
import type { Host, PreparedRequest } from './world.ts';

export interface FactorUser {
  id: string;
  email: string;
  password: string;
  token: string;
}

interface Tools {
  host: Host;
  secrets: Secrets;
  newUser(): Promise<FactorUser>;
}

const ADMIN = '/api/v1/admin';
const OWN = `${ADMIN}/second-factor`;

/** By the operation's name. Most work once, so they are prepared again periodically. */
export async function prepareSecondFactors(tools: Tools): Promise<Map<string, PreparedRequest>> {
  const { host, newUser } = tools;
  const call = async (path: string, body: Json, token?: string): Promise<Json> => {
    const reply = await host.call('POST', path, { body, ...(token ? { token } : {}) });
    assert.ok(reply.status < 300 || reply.json.challenge, `POST ${path}: ${reply.text}`);
    tools.secrets.collect(reply.json);
    return reply.json;
  };
  const begin = ({ password, token }: FactorUser) => call(`${OWN}/totp`, { password }, token);

  async function enrolled(): Promise<FactorUser & { codes: string[] }> {
    const user = await newUser();
    const { secret } = await begin(user);
    const { recovery_codes: codes } = await call(
      `${OWN}/totp/confirm`,
      { code: codeAt(secret, host.now()) },
      user.token,
    );
    for (const code of codes) tools.secrets.add(code);
    return { ...user, codes };
  }

  async function challenged({ email, password }: FactorUser): Promise<string> {
    return (await call(`${ADMIN}/login`, { email, password })).challenge;
  }

  /** The enrolment ends the session, so the user logs in again. */
  async function loggedIn<User extends FactorUser & { codes: string[] }>(user: User): Promise<User> {
    const body = { challenge: await challenged(user), code: user.codes.pop() };
    return { ...user, token: (await call(`${ADMIN}/login/second-factor`, body)).token };
  }

  async function passkeyOptions({ password, token }: FactorUser): Promise<Json> {
    return (await call(`${OWN}/passkeys/options`, { password }, token)).options;
  }

  const starting = await newUser();
  const confirming = await newUser();
  const { secret } = await begin(confirming);
  const [removing, renewing] = [await loggedIn(await enrolled()), await loggedIn(await enrolled())];
  const adding = await newUser();
  const credential = new Authenticator(SITE).create(await passkeyOptions(adding));
  const owner = await loggedIn(await enrolled());
  const second = new Authenticator(SITE).create(await passkeyOptions(owner));
  const { passkey } = await call(`${OWN}/passkeys`, { credential: second }, owner.token);
  const [lost, answering, atConsole] = [await enrolled(), await enrolled(), await enrolled()];
  const challenge = await challenged(answering);
  const { email, password } = await newUser();
  const { refresh_token } = await call(`${ADMIN}/login`, { email, password });
  const consoleChallenge = await challenged(atConsole);

  const withPassword = ({ token, password }: FactorUser): PreparedRequest => ({
    bearer: token,
    fields: () => ({ password }),
  });
  const requests: Record<string, PreparedRequest> = {
    [`${OWN}/totp`]: withPassword(starting),
    [`${OWN}/passkeys/options`]: withPassword(starting),
    [`${OWN}/totp/confirm`]: { bearer: confirming.token, fields: () => ({ code: codeAt(secret, host.now()) }) },
    [`${OWN}/totp/remove`]: withPassword(removing),
    [`${OWN}/recovery-codes`]: withPassword(renewing),
    [`${OWN}/passkeys`]: { bearer: adding.token, fields: () => ({ name: 'A phone', credential }) },
    [`${OWN}/passkeys/{id}/remove`]: { ...withPassword(owner), pathValue: passkey.id },
    [`${ADMIN}/users/{id}/reset-second-factor`]: { pathValue: lost.id, fields: () => ({}) },
    '/console/session/refresh': { bearer: refresh_token, fields: () => ({}) },
    '/console/session/second-factor': { fields: () => ({ challenge: consoleChallenge, code: atConsole.codes[0] }) },
    [`${ADMIN}/login/second-factor`]: { fields: () => ({ challenge, code: answering.codes[0] }) },
  };
  return new Map(Object.entries(requests).map(([path, request]) => [`POST ${path}`, request]));
}
