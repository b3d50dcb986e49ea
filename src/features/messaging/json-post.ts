// One POST of JSON to a service that may hang, drip, redirect or never end its answer.
export interface Posting {
  url: URL;
  headers: Record<string, string>;
  body: unknown;
  /** For the whole of it: connection, sending, and the answer to its last byte. */
  timeoutMs: number;
  /** Breaks it off. */
  signal: AbortSignal;
}

export interface Answered {
  status: number;
  text: string;
}

/** An answer that is longer is no answer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Rejects when there is no whole answer in time. Redirects are answers like any other: nothing is followed elsewhere. */
export async function postJson({ url, headers, body, timeoutMs, signal }: Posting): Promise<Answered> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/json', 'User-Agent': 'Kissi', ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MAX_ANSWER_BYTES) throw Object.assign(new Error('too long'), { code: 'TOO_LONG' });
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString('utf8') };
}

/** What a log may say of why there was none: the system's code, since what an error says of itself may quote what was sent. */
export function reasonOf(error: unknown): string {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'no answer in time';
  return `no answer (${String(cause?.code ?? (typeof code === 'string' ? code : name))})`;
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
