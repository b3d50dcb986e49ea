// Posts JSON, or a text, to a service that may hang, trickle, redirect or send an endless response.
import { Agent, type Dispatcher } from 'undici';
import { SECOND_MS } from '../../kernel/clock.ts';

export interface JsonPost extends Omit<TextPost, 'body'> {
  body: unknown;
}

export interface TextPost {
  url: URL;
  headers: Record<string, string>;
  body: string;
  /** For the whole exchange, up to the last byte of the response. */
  timeoutMs: number;
  signal: AbortSignal;
}

export interface PostResponse {
  status: number;
  text: string;
}

const MAX_RESPONSE_BYTES = 64 * 1024;
// Shorter than the usual idle timeout of servers, so that few requests meet a connection that is being closed.
const IDLE_CONNECTION_MS = 4 * SECOND_MS;

/** Rejects if there is no complete response in time, or a longer one. Redirects are returned, not followed. */
export function postJson({ headers, body, ...post }: JsonPost): Promise<PostResponse> {
  return postText({ ...post, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

// Its dispatch takes half the CPU time of node:http and a sixth of fetch's, and an SMS is sent for every side of a payment.
const agent = new Agent({
  pipelining: 1,
  keepAliveTimeout: IDLE_CONNECTION_MS,
  keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  maxResponseSize: MAX_RESPONSE_BYTES,
});

/** `headers` must have the content type. */
export function postText({ url, headers, body, timeoutMs, signal }: TextPost): Promise<PostResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<PostResponse>();
  let started: Dispatcher.DispatchController | undefined;
  let ended: Error | undefined;
  let status = 0;
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => end(named('TimeoutError')), timeoutMs);
  const abort = () => end(named('AbortError'));
  signal.addEventListener('abort', abort);

  function end(error: Error): void {
    ended ??= error;
    settle();
    reject(ended);
    started?.abort(ended);
  }
  function settle(): void {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
  if (signal.aborted) {
    abort();
    return promise;
  }
  const request = {
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'POST' as const,
    headers: { 'User-Agent': 'Kissi', ...headers },
    body,
  };
  agent.dispatch(request, {
    onRequestStart(controller) {
      started = controller;
      if (ended) controller.abort(ended);
    },
    onResponseStart(_, statusCode) {
      status = statusCode;
    },
    onResponseData(_, chunk) {
      chunks.push(chunk);
    },
    onResponseEnd() {
      settle();
      resolve({ status, text: Buffer.concat(chunks).toString('utf8') });
    },
    onResponseError(_, error) {
      end(error);
    },
  });
  return promise;
}

const named = (name: string) => Object.assign(new Error(name), { name });

/** For the log: the error code and not the error message, which may quote the request. */
export function reasonOf(error: unknown): string {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'no answer in time';
  return `no answer (${String(cause?.code ?? (typeof code === 'string' ? code : name))})`;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
