// Sends requests: signs each attempt, retries those that may be repeated, and reads the reply.
import { authenticate, schemeFor } from './authentication.ts';
import { readBaseUrl } from './base-url.ts';
import { errorOf, KissiError, readRefusal } from './errors.ts';
import { TRAITS } from './generated/traits.gen.ts';
import type { CallOptions, Client, FetchBody, OperationRequest, ResponseInfo } from './low-level.ts';
import { type Authenticator, type KissiOptions, SYSTEM_TIME, type Time } from './options.ts';
import { type PreparedRequest, prepareRequest } from './request.ts';
import { readRetryAfter, retryDelayMs } from './retry.ts';
import type { Scheme } from './traits.ts';

const DEFAULTS = { timeoutMs: 30_000, maxRetries: 4, maxRetryDelayMs: 30_000 };

/** Everything about a call that stays the same between attempts. */
interface Call extends PreparedRequest {
  scheme: Scheme | null;
  options: CallOptions & { accept?: string };
}

export class Transport implements Client {
  readonly #options: KissiOptions;
  readonly #credentials: Authenticator;
  readonly #base: string;
  readonly time: Time;
  readonly get: Client['get'];
  readonly post: Client['post'];
  readonly put: Client['put'];
  readonly delete: Client['delete'];

  constructor(options: KissiOptions, credentials: Authenticator) {
    this.#options = options;
    this.#credentials = credentials;
    this.#base = readBaseUrl(options.baseUrl);
    this.time = options.time ?? SYSTEM_TIME;
    const sender = (method: string) => ((request: OperationRequest) => this.#call(method, request)) as Client['get'];
    this.get = sender('GET');
    this.post = sender('POST');
    this.put = sender('PUT');
    this.delete = sender('DELETE');
  }

  async #call(method: string, request: OperationRequest): Promise<unknown> {
    const traits = TRAITS[`${method} ${request.url}`] ?? {};
    const scheme = schemeFor(traits, this.#credentials);
    const prepared = await prepareRequest(method, request, traits, this.#credentials.secret);
    const call: Call = { ...prepared, scheme, options: request };
    let renewed = false;
    for (let attempts = 1; ; attempts++) {
      const outcome = await this.#attempt(call, attempts);
      if (!(outcome instanceof KissiError)) return outcome;
      if (!call.canRepeat) throw outcome;
      if (!renewed && (await this.#renewsToken(call, outcome))) {
        renewed = true;
        continue;
      }
      await this.#waitForRetry(call, outcome, attempts);
    }
  }

  /** Returns the reply, or the attempt's error. Throws only if the caller aborted. */
  async #attempt(call: Call, attempts: number): Promise<unknown> {
    const { signal, timeoutMs = this.#options.timeoutMs ?? DEFAULTS.timeoutMs } = call.options;
    signal?.throwIfAborted();
    const sent = await this.#signed(call);
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    try {
      const response = await (this.#options.fetch ?? fetch)(this.#base + sent.target, {
        method: call.method,
        headers: sent.headers,
        redirect: 'error',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(call.body === undefined ? {} : bodyInit(call.body)),
      });
      return await this.#read(response, call, attempts);
    } catch (cause) {
      signal?.throwIfAborted();
      return noReply(cause, { call, attempts, base: this.#base, timedOut: timeout.signal.aborted, timeoutMs });
    } finally {
      // A CSV file is read by the caller, for as long as that takes.
      clearTimeout(timer);
    }
  }

  async #signed(call: Call): Promise<{ headers: Record<string, string>; target: string }> {
    const { method, target, bytes, contentType, scheme, keyHeader, options } = call;
    const request = { method, target, body: bytes, now: this.time.now() };
    const authenticated = await authenticate(scheme, request, this.#credentials, keyHeader);
    const { 'Content-Type': _, ...headers } = options.headers ?? {};
    return {
      target: authenticated.target,
      headers: {
        Accept: options.accept ?? 'application/json, */*;q=0.5',
        ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
        ...this.#options.headers,
        ...headers,
        ...authenticated.headers,
      },
    };
  }

  /** A reply that is not the service's, such as a proxy's, is an error too. */
  async #read(response: Response, call: Call, attempts: number): Promise<unknown> {
    const info = infoOf(response, call, attempts);
    if (!response.ok) return this.#refusal(response, info);
    if (call.options.accept === 'text/csv') return response.body;
    const type = response.headers.get('content-type') ?? '';
    if (response.status === 204) return undefined;
    if (type.startsWith('text/html')) return this.#page(info);
    if (!type.startsWith('application/json')) return type.startsWith('text/') ? response.text() : response.blob();
    const json: unknown = await response.json();
    if (typeof json === 'object' && json !== null) Object.defineProperty(json, 'lastResponse', { value: info });
    return json;
  }

  async #refusal(response: Response, info: ResponseInfo): Promise<KissiError> {
    const text = await response.text();
    // A page of a proxy in front of the service has a status of 500 or more.
    if (response.status < 500 && response.headers.get('content-type')?.startsWith('text/html')) return this.#page(info);
    const { status, requestId, idempotencyKey, attempts } = info;
    const retryAfterMs = readRetryAfter(response.headers.get('retry-after'), this.time.now());
    return errorOf({ ...readRefusal(status, parsed(text)), status, requestId, idempotencyKey, attempts, retryAfterMs });
  }

  /** The service never answers with a page: something else has this address. */
  #page({ status, idempotencyKey, attempts }: ResponseInfo): KissiError {
    const message = `${this.#base} answered with a page (HTTP status ${status}) instead of JSON: it is not the address of the API. Check baseUrl.`;
    return new KissiError({ code: 'NOT_THE_SERVICE', message, status, idempotencyKey, attempts });
  }

  async #renewsToken({ scheme }: Call, { code }: KissiError): Promise<boolean> {
    const { session, apiKey } = this.#credentials;
    if (scheme !== 'bearer' || apiKey || !session || code !== 'UNAUTHORIZED') return false;
    return session.renew();
  }

  async #waitForRetry({ isIdempotent, options }: Call, error: KissiError, attempts: number): Promise<void> {
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? DEFAULTS.maxRetries;
    const maxRetryDelayMs = this.#options.maxRetryDelayMs ?? DEFAULTS.maxRetryDelayMs;
    const delay = retryDelayMs(error, { attempts, maxRetries, maxRetryDelayMs, isIdempotent }, Math.random());
    if (delay === null) throw error;
    await this.time.wait(delay, options.signal);
  }
}

function infoOf(response: Response, { idempotencyKey }: Call, attempts: number): ResponseInfo {
  const { status, headers } = response;
  const isReplay = headers.get('idempotent-replayed') === 'true';
  return { status, headers, requestId: headers.get('x-request-id'), attempts, isReplay, idempotencyKey };
}

interface Failure {
  call: Call;
  attempts: number;
  base: string;
  timedOut: boolean;
  timeoutMs: number;
}

function noReply(cause: unknown, { call, attempts, base, timedOut, timeoutMs }: Failure): KissiError {
  if (cause instanceof KissiError) throw cause;
  const reason = timedOut ? `within ${timeoutMs} ms` : `(${messageOf(cause)})`;
  const hint = neverConnected(cause) ? ` Is the service running at ${base} (baseUrl)?` : '';
  return errorOf({
    code: timedOut ? 'TIMEOUT' : 'CONNECTION_FAILED',
    message: `${call.method} ${call.target} got no complete reply ${reason}.${hint}`,
    idempotencyKey: call.idempotencyKey,
    attempts,
    cause,
  });
}

const NOT_CONNECTED = /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;

/** Known in Node.js only: browsers do not say why a request failed. */
function neverConnected(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return NOT_CONNECTED.test(String((cause as { code?: unknown } | undefined)?.code));
}

/** fetch hides the reason, such as ECONNREFUSED, in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** fetch sends a stream only in half-duplex mode. */
function bodyInit(body: FetchBody): RequestInit {
  return body instanceof ReadableStream ? ({ body, duplex: 'half' } as RequestInit) : { body };
}
