// Clients of a test gateway, and networks that lose or delay replies.
import { setImmediate } from 'node:timers/promises';
import type { TestGateway } from '../../../test/support/gateway.ts';
import { Kissi, type KissiOptions } from '../src/index.ts';

/** A request as it went over the network. */
export interface SentRequest {
  method: string;
  path: string;
  headers: Headers;
  body: Record<string, unknown>;
}

/** What happens to an attempt: it is answered, not sent, or its reply is lost or replaced. */
export type Fate = 'answered' | 'not sent' | 'reply lost' | 'never ends' | Response;

/** Sends requests to the service; attempt n meets fate n, further ones are answered. */
export class Network {
  readonly sent: SentRequest[] = [];
  readonly #fates: Fate[];

  constructor(fates: Fate[] = []) {
    this.#fates = fates;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const { pathname, search } = new URL(String(input));
    const text = init?.body instanceof Uint8Array ? new TextDecoder().decode(init.body) : '{}';
    const request = { method: init?.method ?? 'GET', path: pathname + search, headers: new Headers(init?.headers) };
    this.sent.push({ ...request, body: JSON.parse(text) });
    const fate = this.#fates.shift() ?? 'answered';
    if (fate === 'not sent') throw new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') });
    if (fate === 'never ends') return neverEnds(init?.signal);
    if (fate instanceof Response) return fate;
    const response = await fetch(input, init);
    if (fate === 'answered') return response;
    await response.arrayBuffer();
    throw new TypeError('terminated', { cause: new Error('other side closed') });
  };
}

function neverEnds(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
}

export interface TestClient {
  kissi: Kissi;
  network: Network;
  /** The waits between attempts, in milliseconds. Nothing really waits. */
  delays: number[];
}

export function clientOf(gateway: TestGateway, options: Partial<KissiOptions>, fates: Fate[] = []): TestClient {
  const network = new Network(fates);
  const delays: number[] = [];
  const time = {
    now: () => gateway.clock.now(),
    async wait(ms: number, signal: AbortSignal | undefined) {
      delays.push(ms);
      await setImmediate();
      signal?.throwIfAborted();
    },
  };
  return { kissi: new Kissi({ baseUrl: gateway.url, fetch: network.fetch, time, ...options }), network, delays };
}
