// Posts JSON, or a text, to a service that may hang, trickle, redirect or send an endless response.
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
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

const MAX_ANSWER_BYTES = 64 * 1024;
// Shorter than the usual idle timeout of servers, so that few requests meet a connection that is being closed.
const IDLE_CONNECTION_MS = 4 * SECOND_MS;

/** Rejects if there is no complete response in time, or a longer one. Redirects are returned, not followed. */
export function postJson({ headers, body, ...post }: JsonPost): Promise<PostResponse> {
  return postText({ ...post, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

// node:http instead of fetch, which takes three times the CPU time, and an SMS is sent for every side of a payment.
const AGENTS = {
  'http:': new HttpAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: IDLE_CONNECTION_MS }),
};

/** `headers` must have the content type. */
export function postText({ url, headers, body, timeoutMs, signal }: TextPost): Promise<PostResponse> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      agent: AGENTS[isSecure ? 'https:' : 'http:'],
      headers: { 'User-Agent': 'Kissi', 'Content-Length': Buffer.byteLength(body), ...headers },
    };
    const request = isSecure ? httpsRequest(url, options) : httpRequest(url, options);
    const timer = setTimeout(() => end(named('TimeoutError')), timeoutMs);
    const abort = () => end(named('AbortError'));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();

    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    function end(error: Error): void {
      settle();
      reject(error);
      request.destroy();
    }
    request.on('error', end);
    request.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('error', end);
      response.on('aborted', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) end(Object.assign(new Error('too long'), { code: 'TOO_LONG' }));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        settle();
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    // A response that switches protocols closes the request without an error.
    request.once('close', () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    request.end(body);
  });
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
