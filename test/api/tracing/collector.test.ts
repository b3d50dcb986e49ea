// Tests that a collector which is down, slow or refuses spans slows and fails nothing, and that without one nothing is loaded.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { startTracing } from '../../../src/app/start.ts';
import { createLoggers } from '../../../src/http/log.ts';
import { loadConfig } from '../../../src/kernel/config/config.ts';
import type { OpenTracing } from '../../../src/tracing/open.ts';
import { assertStatus, testGateway } from '../../support/gateway.ts';
import { scrape } from '../../support/metrics.ts';
import { createBank, PIN } from '../../support/money.ts';
import { accept, type Collector, collector, exported } from '../../support/otlp.ts';
import { newRequestId } from '../../support/terminal.ts';
import { waitFor } from '../../support/wait.ts';

/** More than may wait for the collector. */
const MANY = 10_000;
const MAX_WAITING = 8_192;

let at: Collector;
beforeEach(async () => {
  at = await collector();
});
afterEach(() => at.close());

/** Tracing as the service starts it, and what it logs. */
async function traced(settings: Record<string, string> = {}): Promise<{ tracing: OpenTracing; logs: string[] }> {
  const logs: string[] = [];
  const { logger } = createLoggers({ level: 'info', destination: { write: (line) => void logs.push(line) } });
  const config = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: at.url, ...settings });
  return { tracing: (await startTracing(config, logger)) ?? assert.fail(), logs };
}

function request(tracing: OpenTracing, traceparent?: string): void {
  const trace = tracing.request({ id: 'req_1', method: 'GET', route: '/health', operation: 'health', traceparent });
  trace.end({ status: 200, refusedWith: null });
}

const countsOf = ({ counts }: OpenTracing) =>
  Object.fromEntries(Object.entries(counts).map(([outcome, { value }]) => [outcome, value]));

/** Never answers, and keeps what it did not answer. */
function hang(): ServerResponse[] {
  const held: ServerResponse[] = [];
  at.react((response) => void held.push(response));
  return held;
}

describe('a collector', () => {
  test('that does not answer: payments go on, spans that are too many are dropped and counted', async () => {
    hang();
    const kissi = await testGateway({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: at.url } });
    after(() => kissi.close());
    const tracing = kissi.tracing ?? assert.fail();
    const bank = await createBank(kissi);
    const [payer, payee] = [await bank.wallet(10_000), await bank.wallet()];
    for (let n = 0; n < MANY; n++) request(tracing);
    const body = { sender_id: payer.id, recipient_id: payee.id, amount: 400, pin: PIN, request_id: newRequestId() };
    assertStatus(await bank.post('/wallet/transfer', body), 200);
    assert.equal(await bank.balance(payee.id), 400);
    assert.equal(tracing.counts.exported.value, 0);
    const { series } = await scrape(kissi);
    assert.ok((series.get('kissi_tracing_spans_total{outcome="dropped"}') ?? 0) >= MANY - MAX_WAITING);
  });

  test('that does not answer does not hold up a stop', async () => {
    const held = hang();
    const { tracing } = await traced();
    request(tracing);
    const stopped = tracing.close();
    await waitFor('the export', () => held.length > 0);
    await stopped;
    // The exporter has not given up yet: the stop did.
    assert.ok(held.every(({ socket }) => socket && !socket.destroyed));
    assert.deepEqual(countsOf(tracing), { exported: 0, dropped: 1, failed: 0 });
  });

  test('that is down is logged once, and once more when it is back', async () => {
    const { tracing, logs } = await traced();
    at.react((response) => void response.writeHead(400).end());
    for (let n = 1; n <= 2; n++) {
      request(tracing);
      await tracing.flush();
      assert.deepEqual(countsOf(tracing), { exported: 0, dropped: 0, failed: n });
    }
    at.react(accept);
    request(tracing);
    assert.equal((await exported(tracing, at)).length, 1);
    assert.deepEqual(
      logs.map((line) => JSON.parse(line).msg),
      ['spans cannot be exported', 'spans are exported again'],
    );
    await tracing.close();
  });

  test('gets what has ended when the service stops', async () => {
    const { tracing } = await traced();
    for (let n = 0; n < 1_500; n++) request(tracing);
    await tracing.close();
    assert.equal(at.spans().length, 1_500);
    assert.deepEqual(countsOf(tracing), { exported: 1_500, dropped: 0, failed: 0 });
  });
});

describe('sampling', () => {
  const SAMPLED = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const UNSAMPLED = SAMPLED.replace(/1$/, '0');
  /** Of three requests (without a parent, with a sampled one, with one that is not), those that are exported. */
  const cases: [settings: Record<string, string>, kept: [boolean, boolean, boolean]][] = [
    [{}, [true, true, false]],
    [{ OTEL_TRACES_SAMPLER: 'always_on' }, [true, true, true]],
    [{ OTEL_TRACES_SAMPLER: 'always_off' }, [false, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, [false, true, false]],
    [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, [false, false, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, [false, true, false]],
    [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '1' }, [true, true, false]],
  ];
  for (const [settings, kept] of cases) {
    test(`with ${JSON.stringify(settings)}`, async () => {
      const { tracing } = await traced(settings);
      const found: boolean[] = [];
      for (const [index, traceparent] of [undefined, SAMPLED, UNSAMPLED].entries()) {
        const before = at.spans().length;
        request(tracing, traceparent);
        found[index] = (await exported(tracing, at)).length > before;
      }
      assert.deepEqual(found, kept);
      await tracing.close();
    });
  }

  test('keeps a share of traces', async () => {
    const { tracing } = await traced({ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' });
    for (let n = 0; n < 4_000; n++) request(tracing);
    await tracing.close();
    const kept = at.spans().length;
    // Eight standard deviations.
    assert.ok(kept > 780 && kept < 1_220, `${kept} of 4,000`);
  });
});

test('without the variable nothing of OpenTelemetry is loaded', async () => {
  // But its API package, which prom-client loads.
  const file = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({ resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (/@opentelemetry\\/(?!api\\/)|src\\/tracing/.test(found.url)) loaded.add(found.url);
      return found;
    } });
    const { startTracing } = await import(${file('app/start.ts')});
    const { loadConfig } = await import(${file('kernel/config/config.ts')});
    const tracing = await startTracing(loadConfig({}), null);
    const before = loaded.size;
    await startTracing(loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }), null);
    console.log(JSON.stringify({ tracing, before, after: loaded.size > 5 }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
  assert.deepEqual(JSON.parse(stdout), { tracing: null, before: 0, after: true });
});
