// Posts JSON, or a text, to a service that may hang, trickle, redirect or send an endless response.
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

/** Rejects if there is no complete response in time, or a longer one. Redirects are returned, not followed. */
export function postJson({ headers, body, ...post }: JsonPost): Promise<PostResponse> {
  return postText({ ...post, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) });
}

/** `headers` must have the content type. */
export async function postText({ url, headers, body, timeoutMs, signal }: TextPost): Promise<PostResponse> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'User-Agent': 'Kissi', ...headers },
    body,
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // An exception inside the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) throw Object.assign(new Error('too long'), { code: 'TOO_LONG' });
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString('utf8') };
}

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
