// Options of the client.

/** How a user proves the second factor: a code from the authenticator app, a recovery code, or a passkey. */
export type SecondFactorAnswer = { code: string } | { assertion: unknown };

export interface Login {
  email: string;
  password: string;
  /** Called if the user has a second factor. `fields` has the options for a passkey, if the user has one. */
  secondFactor?: (challenge: string, fields: Readonly<Record<string, unknown>>) => Promise<SecondFactorAnswer>;
}

export interface Tokens {
  /** The access token; valid for minutes. */
  token: string;
  /** Works once: each renewal returns a new one. */
  refreshToken: string;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** Access tokens that the caller manages, for example in a browser, where a cookie has the refresh token. */
export interface TokenSource {
  /** Called for each attempt of a call. */
  accessToken(): Promise<string>;
  /**
   * Called when the service refused the token, once per call; the call is then repeated. False if there is no new
   * token. Parallel calls can be refused at the same time: renew the token once for all of them.
   */
  renew(): Promise<boolean>;
}

/** Credentials. A client can have several; each operation uses the one it needs. */
export interface Credentials {
  /** The bearer value of an API key, svc_live_… or svc_test_…. */
  apiKey?: string | undefined;
  /** The id of an API key that signs requests: terminals, apps and partner banks. */
  keyId?: string | undefined;
  /** The secret issued with the key. It also encrypts PINs. */
  secret?: string | undefined;
  /** The partner the key belongs to, for the partner API. */
  partnerId?: string | undefined;
  /** A user of the console. The client logs in when it needs to, and renews the tokens. */
  login?: Login | undefined;
  /** Tokens of an earlier login; with `login` too, the client logs in again when they have expired. */
  tokens?: Tokens | undefined;
  /** Called when the client got new tokens, for example to store them. */
  onTokens?: ((tokens: Tokens) => void | Promise<void>) | undefined;
  /** Instead of `login` and `tokens`, for callers that manage the access token of a user themselves. */
  tokenSource?: TokenSource | undefined;
  /** Another service of the operator. */
  service?: { name: string; secret: string } | undefined;
  /** Signs cash-in notifications (PARTNER_CASHIN_WEBHOOK_SECRET). */
  cashInSecret?: string | undefined;
  /** Signs posts of the messaging platform (MESSAGING_APP_SECRET). */
  hubSecret?: string | undefined;
  /** METRICS_TOKEN, for health.metrics. */
  metricsToken?: string | undefined;
}

export interface KissiOptions extends Credentials {
  /** Such as https://api.example.com, without /api/v1. */
  baseUrl: string | URL;
  /** For each attempt; 30 seconds by default. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one; 4 by default. */
  maxRetries?: number | undefined;
  /** The longest wait between two attempts; 30 seconds by default. A longer Retry-After ends the call. */
  maxRetryDelayMs?: number | undefined;
  /** Every request's headers. */
  headers?: Record<string, string> | undefined;
  /** Instead of the global fetch. */
  fetch?: typeof fetch | undefined;
  /** Instead of the clock of the system, for tests. */
  time?: Time | undefined;
}

export interface Time {
  now(): number;
  /** Resolves after the time, or rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const SYSTEM_TIME: Time = {
  now: () => Date.now(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    }),
};

/** The credentials of a client with its user's tokens, if it has one. */
export interface Authenticator extends Credentials {
  session: TokenSource | null;
}
