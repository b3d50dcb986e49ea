// Attempts of the transport on a network that the test controls: streams, time limits and path parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KissiRateLimitError } from './errors.ts';
import { Kissi } from './index.ts';

function clientOf(answer: (url: string, init: RequestInit) => Response) {
  const sent: string[] = [];
  const network = async (url: string, init: RequestInit) => {
    sent.push(url);
    return answer(url, init);
  };
  const time = { now: () => 0, wait: async () => undefined };
  const options = { baseUrl: 'http://127.0.0.1:9', apiKey: 'svc_test_1', fetch: network as typeof fetch };
  return { kissi: new Kissi({ ...options, time, timeoutMs: 30_000 }), sent };
}

test('a stream that was sent is not sent again, also not after a rate limit', async () => {
  const limited = () => Response.json({ code: 'RATE_LIMITED', error: 'Too many requests.' }, { status: 429 });
  const { kissi, sent } = clientOf(limited);
  const stream = new Blob(['serial\n']).stream();
  await assert.rejects(kissi.cards.upload(stream), KissiRateLimitError);
  assert.equal(sent.length, 1);
});

test('a CSV file can be read for longer than the timeout of the attempt', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let signal: AbortSignal | null | undefined;
  const { kissi } = clientOf((_url, init) => {
    signal = init.signal;
    return new Response('id\n', { headers: { 'content-type': 'text/csv' } });
  });
  const file = await kissi.subscribers.list().csv();
  t.mock.timers.tick(60_000);
  assert.equal(signal?.aborted, false);
  assert.equal(await new Response(file).text(), 'id\n');
});

test('a path parameter that URLs resolve is refused before anything is sent', async () => {
  const { kissi, sent } = clientOf(() => Response.json({}));
  for (const id of ['.', '..', '']) await assert.rejects(kissi.subscribers.get(id), TypeError, id);
  assert.deepEqual(sent, []);
  await kissi.subscribers.get('../x');
  assert.deepEqual(sent, ['http://127.0.0.1:9/api/v1/subscribers/..%2Fx']);
});
