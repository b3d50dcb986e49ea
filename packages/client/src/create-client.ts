// Connects the transport with the client's credentials, among them a user's session.
import { finishLogin, login as logIn, refreshTokens } from './generated/sdk.gen.ts';
import type { Client } from './low-level.ts';
import { type Authenticator, type KissiOptions, SYSTEM_TIME } from './options.ts';
import { Session } from './session.ts';
import { Transport } from './transport.ts';

/** Carries out single operations of `@kissi/client/operations`, for programs that must be small. */
export function createClient(options: KissiOptions): Client {
  return connect(options).client;
}

export function connect(options: KissiOptions): { client: Client; session: Session | null } {
  const { keyId, secret, login, tokens, onTokens, tokenSource } = options;
  if ((keyId === undefined) !== (secret === undefined)) throw new TypeError('keyId and secret belong together');
  if (tokenSource && (login || tokens)) throw new TypeError('tokenSource replaces login and tokens');
  const credentials: Authenticator = { ...options, session: tokenSource ?? null };
  const client = new Transport(options, credentials);
  if (!login && !tokens) return { client, session: null };
  const requests = {
    login: (body: { email: string; password: string }) => logIn({ client, body }),
    finishLogin: (body: object) => finishLogin({ client, body: body as never }),
    refresh: (body: { refresh_token: string }) => refreshTokens({ client, body }),
  };
  const session = new Session({ requests, time: options.time ?? SYSTEM_TIME, login, tokens, onTokens });
  credentials.session = session;
  return { client, session };
}
