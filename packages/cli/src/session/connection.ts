// A command's connection to the service: address and credentials from flags, environment and profile.
import type { Client, KissiOptions, ResponseInfo } from '@kissi/client';
import type { Operation } from '../command-table.ts';
import { addHint, isKissiError, UsageError } from '../errors.ts';
import { type Profile, ProfileFile, type StoredTokens } from './profile.ts';

export interface ConnectionFlags {
  profile?: string;
  url?: string;
  /** Milliseconds for each attempt. */
  timeoutMs?: number;
}

/** Reads the global flags. */
export function connectionFlags({ profile, url, timeout }: { profile?: string; url?: string; timeout?: string }) {
  const timeoutMs = timeout === undefined ? undefined : Number(timeout) * 1000;
  if (timeoutMs !== undefined && !(timeoutMs > 0)) throw new UsageError('--timeout must be a number of seconds.');
  return {
    ...(profile === undefined ? {} : { profile }),
    ...(url === undefined ? {} : { url }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}

export interface CallParts {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  accept?: string;
  contentType?: string;
  idempotencyKey?: string;
  signal?: AbortSignal;
}

export const DEFAULT_URL = 'http://127.0.0.1:8080';
/** Longer than the client's margin, so that a token lasts for the call. */
const RENEW_BEFORE_MS = 60_000;

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;

export class Connection {
  readonly file: ProfileFile;
  readonly url: string;
  readonly #flags: ConnectionFlags;
  readonly #env: NodeJS.ProcessEnv;

  constructor(flags: ConnectionFlags, env: NodeJS.ProcessEnv = process.env) {
    this.#flags = flags;
    this.#env = env;
    this.file = new ProfileFile(flags.profile ?? env.KISSI_PROFILE ?? 'default');
    this.url = checkedUrl(flags.url ?? env.KISSI_URL ?? this.file.read().url ?? DEFAULT_URL);
  }

  /** The profile, with what the environment replaces. Another address never gets the profile's credentials. */
  get profile(): Profile {
    const usable: Profile = this.#profileElsewhere === null ? this.file.read() : {};
    const { KISSI_TOKEN, KISSI_KEY_ID, KISSI_SECRET, KISSI_PARTNER_ID, KISSI_WEBHOOK_SECRET } = this.#env;
    const key = KISSI_KEY_ID && KISSI_SECRET ? { keyId: KISSI_KEY_ID, secret: KISSI_SECRET } : {};
    return {
      ...usable,
      ...key,
      ...(KISSI_PARTNER_ID ? { partnerId: KISSI_PARTNER_ID } : {}),
      ...(KISSI_WEBHOOK_SECRET ? { webhookSecret: KISSI_WEBHOOK_SECRET } : {}),
      ...(KISSI_TOKEN ? { apiKey: KISSI_TOKEN } : {}),
    };
  }

  /** The address that the profile's credentials are for, if it is not this one. */
  get #profileElsewhere(): string | null {
    const { url } = this.file.read();
    return url === undefined || checkedUrl(url) === this.url ? null : checkedUrl(url);
  }

  /** Carries out an operation and returns its reply. Renews the user's tokens once if the service refuses them. */
  async call(operation: Pick<Operation, 'method' | 'url'>, parts: CallParts = {}): Promise<Reply> {
    const { apiKey } = this.profile;
    const token = apiKey ?? (await this.#userToken(null));
    try {
      return await this.#send(operation, parts, token);
    } catch (error) {
      const refused = isKissiError(error) && error.code === 'UNAUTHORIZED' && error.status === 401;
      if (!refused || apiKey !== undefined || token === undefined) throw error;
      const renewed = await this.#userToken(token);
      if (renewed === undefined || renewed === token) throw error;
      return this.#send(operation, parts, renewed);
    }
  }

  /** A client with the credentials of the profile and without a user, for operations that sign. */
  async client(credentials: Partial<KissiOptions> = {}): Promise<Client> {
    const { createClient } = await import('@kissi/client');
    const { timeoutMs } = this.#flags;
    const options = { baseUrl: this.url, headers: { 'User-Agent': 'kissi-cli' }, ...credentials };
    return createClient(timeoutMs === undefined ? options : { ...options, timeoutMs });
  }

  async #send({ method, url }: Pick<Operation, 'method' | 'url'>, parts: CallParts, token: string | undefined) {
    const { keyId, secret, partnerId } = this.profile;
    const key = keyId && secret ? { keyId, secret } : {};
    const client = await this.client({ ...key, partnerId, apiKey: token });
    try {
      return (await client[METHODS[method]]({ url, ...parts })) as Reply;
    } catch (error) {
      if (isKissiError(error) && error.code === 'CREDENTIALS_MISSING') this.#nameAddresses(error);
      throw error;
    }
  }

  #nameAddresses(error: Error): void {
    const other = this.#profileElsewhere;
    if (other === null) return;
    const own = `Profile ${this.file.name} has credentials for ${other}, and this is ${this.url}.`;
    addHint(error, `${own} Set KISSI_URL or --url to ${other}, or log in here with: kissi login`);
  }

  /** The user's access token; a new one if it expires soon or is the refused one. One process renews it at a time. */
  async #userToken(refused: string | null): Promise<string | undefined> {
    const { tokens } = this.profile;
    if (!tokens) return undefined;
    if (isUsable(tokens, refused)) return tokens.token;
    const { tokens: renewed } = await this.file.update(async (current) => {
      if (!current.tokens || isUsable(current.tokens, refused)) return current;
      return { ...current, tokens: await this.#renew(current.tokens) };
    });
    return renewed?.token;
  }

  async #renew({ refreshToken }: StoredTokens): Promise<StoredTokens> {
    const client = await this.client();
    const body = { refresh_token: refreshToken };
    return tokensOf((await client.post({ url: '/api/v1/admin/refresh', body })) as unknown as TokenReply);
  }
}

/** A reply with the details of its HTTP response. Undefined for replies without a body; text and files have no details. */
export type Reply = (Record<string, unknown> & { readonly lastResponse?: ResponseInfo }) | undefined;

export interface TokenReply {
  token: string;
  refresh_token: string;
  expires_in: number;
}

export function tokensOf({ token, refresh_token, expires_in }: TokenReply, now = Date.now()): StoredTokens {
  return { token, refreshToken: refresh_token, expiresAt: now + expires_in * 1000 };
}

function isUsable({ token, expiresAt }: StoredTokens, refused: string | null): boolean {
  return token !== refused && Date.now() < expiresAt - RENEW_BEFORE_MS;
}

function checkedUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageError(`${text} is not a service's address: http(s)://host`);
  return url.href.replace(/\/+$/, '');
}
