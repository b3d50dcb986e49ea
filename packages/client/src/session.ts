// A user's tokens: logs in, renews them before they expire, and once for all calls that wait for them.
import { KissiAuthenticationError, KissiError } from './errors.ts';
import type { Login, Time, TokenSource, Tokens } from './options.ts';

/** The reply to a login or a renewal. */
interface TokenReply {
  token: string;
  refresh_token: string;
  expires_in: number;
}

export interface SessionRequests {
  login(body: { email: string; password: string }): Promise<TokenReply>;
  finishLogin(body: object): Promise<TokenReply>;
  refresh(body: { refresh_token: string }): Promise<TokenReply>;
}

export interface SessionOptions {
  requests: SessionRequests;
  time: Time;
  login: Login | undefined;
  tokens: Tokens | undefined;
  onTokens: ((tokens: Tokens) => void | Promise<void>) | undefined;
}

/** Renewed this long before the end, so that a token does not expire on its way. */
const RENEW_BEFORE_MS = 30_000;

export class Session implements TokenSource {
  readonly #options: SessionOptions;
  #tokens: Tokens | null;
  #renewal: Promise<Tokens> | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#tokens = options.tokens ?? null;
  }

  get tokens(): Tokens | null {
    return this.#tokens;
  }

  async accessToken(): Promise<string> {
    const current = this.#tokens;
    if (current && this.#options.time.now() < current.expiresAt - RENEW_BEFORE_MS) return current.token;
    return (await this.#renew()).token;
  }

  async renew(): Promise<boolean> {
    try {
      await this.#renew();
      return true;
    } catch (error) {
      if (error instanceof KissiAuthenticationError) return false;
      throw error;
    }
  }

  /** Parallel calls share one renewal: a refresh token that is used twice ends the session. */
  #renew(): Promise<Tokens> {
    this.#renewal ??= this.#newTokens().finally(() => {
      this.#renewal = null;
    });
    return this.#renewal;
  }

  async #newTokens(): Promise<Tokens> {
    const { time, onTokens } = this.#options;
    const reply = (await this.#refresh()) ?? (await this.#logIn());
    const expiresAt = time.now() + reply.expires_in * 1000;
    this.#tokens = { token: reply.token, refreshToken: reply.refresh_token, expiresAt };
    await onTokens?.(this.#tokens);
    return this.#tokens;
  }

  /** Null if there is no refresh token, or if the session has ended and the client can log in again. */
  async #refresh(): Promise<TokenReply | null> {
    const current = this.#tokens;
    if (!current) return null;
    try {
      return await this.#options.requests.refresh({ refresh_token: current.refreshToken });
    } catch (error) {
      if (!(error instanceof KissiAuthenticationError)) throw error;
      this.#tokens = null;
      if (this.#options.login) return null;
      throw error;
    }
  }

  async #logIn(): Promise<TokenReply> {
    const { login, requests } = this.#options;
    if (!login) {
      const message = 'The session has ended: log in again.';
      throw new KissiAuthenticationError({ code: 'CREDENTIALS_MISSING', message });
    }
    try {
      return await requests.login({ email: login.email, password: login.password });
    } catch (error) {
      if (!(error instanceof KissiError) || error.code !== 'SECOND_FACTOR_REQUIRED' || !login.secondFactor) throw error;
      const challenge = String(error.fields.challenge);
      return requests.finishLogin({ challenge, ...(await login.secondFactor(challenge, error.fields)) });
    }
  }
}
