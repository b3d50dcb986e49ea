// kissi login and logout: keep the credentials of a user or an API key in the profile.
import { isKissiError, UsageError } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { print } from '../output/terminal.ts';
import { canPrompt, prompt, readLine } from '../prompt.ts';
import { Connection, connectionFlags, type TokenReply, tokensOf } from '../session/connection.ts';
import type { Profile } from '../session/profile.ts';
import { whoami } from './whoami.ts';

export interface LoginFlags extends GlobalFlags {
  email?: string;
  passwordStdin?: boolean;
  code?: string;
  key?: string | true;
  keyId?: string;
  secret?: string;
  partnerId?: string;
  webhookSecret?: string;
}

export async function login(flags: LoginFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const { keyId, partnerId, webhookSecret } = flags;
  const others = { ...(partnerId ? { partnerId } : {}), ...(webhookSecret ? { webhookSecret } : {}) };
  const isKey = flags.key !== undefined || keyId !== undefined;
  const changes = isKey
    ? await keyCredentials(flags)
    : Object.keys(others).length > 0 && !flags.email
      ? {}
      : await userCredentials(connection, flags);
  await connection.file.update(async (current) => ({
    ...kept(current, connection.url),
    ...changes,
    ...others,
    url: connection.url,
  }));
  await whoami(flags);
}

/** A profile belongs to one service: another address starts with an empty one. */
function kept(current: Profile, url: string): Profile {
  return current.url === undefined || current.url === url ? current : {};
}

async function keyCredentials({ key, keyId, secret }: LoginFlags): Promise<Profile> {
  const given = typeof key === 'string' ? key : secret;
  const value = given === undefined || given === '-' ? await askKey(keyId) : given;
  if (keyId !== undefined) return { keyId, secret: value };
  if (!/^svc_(test|live)_/.test(value))
    throw new UsageError('The bearer value of a key starts with svc_. For a key that signs, add --key-id.');
  return { apiKey: value };
}

const askKey = (keyId: string | undefined) =>
  canPrompt()
    ? prompt(keyId === undefined ? "The key's bearer value: " : "The key's secret: ", { hidden: true })
    : readLine();

async function userCredentials(connection: Connection, flags: LoginFlags): Promise<Profile> {
  const email = flags.email ?? (await prompt('Email: '));
  const password =
    flags.passwordStdin || !canPrompt() ? await readLine() : await prompt('Password: ', { hidden: true });
  if (password === '') throw new UsageError('The password is empty.');
  const reply = await tokensFor(connection, { email, password }, flags.code);
  return { email, tokens: tokensOf(reply) };
}

async function tokensFor(
  connection: Connection,
  credentials: { email: string; password: string },
  code: string | undefined,
): Promise<TokenReply> {
  const client = await connection.client();
  try {
    return (await client.post({ url: '/api/v1/admin/login', body: credentials })) as unknown as TokenReply;
  } catch (error) {
    if (!isKissiError(error) || error.code !== 'SECOND_FACTOR_REQUIRED') throw error;
    const answer = code ?? (await prompt('Code from the authenticator app, or a recovery code: '));
    const body = { challenge: String(error.fields.challenge), code: answer.trim() };
    return (await client.post({ url: '/api/v1/admin/login/second-factor', body })) as unknown as TokenReply;
  }
}

export async function logout(flags: GlobalFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const { tokens } = connection.file.read();
  try {
    const body = { refresh_token: tokens?.refreshToken };
    if (tokens) await (await connection.client()).post({ url: '/api/v1/admin/logout', body });
  } finally {
    await connection.file.remove();
  }
  print(`Logged out. The profile ${connection.file.name} was removed.`);
}
