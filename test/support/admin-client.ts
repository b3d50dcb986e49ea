// A client of the first administrator that sends through a test's caller, so that every reply is validated against OpenAPI.
import { Kissi } from '@kissi/client';
import type { Json, TestGateway } from './gateway.ts';

type Caller = Pick<TestGateway, 'url' | 'call' | 'adminToken'>;

export function adminClient({ url, call, adminToken }: Caller, onReply: (json: Json) => void = () => undefined): Kissi {
  const send: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const raw = init?.body instanceof Uint8Array ? { raw: Uint8Array.from(init.body) } : {};
    const headers = Object.fromEntries(new Headers(init?.headers));
    const reply = await call(init?.method ?? 'GET', pathname + search, { ...raw, headers });
    onReply(reply.json);
    return new Response(reply.text || null, { status: reply.status, headers: reply.headers });
  };
  const tokenSource = { accessToken: adminToken, renew: async () => false };
  return new Kissi({ baseUrl: url, fetch: send, maxRetries: 0, tokenSource });
}
