// A gateway process that does not answer is ended.
import assert from 'node:assert/strict';
import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { GatewayProcess, type StartOrder } from './gateway-process.ts';

const LONGEST_START_MS = 120_000;
const LONGEST_STOP_MS = 15_000;

/** A process that is connected and answers nothing. */
class SilentWorker extends EventEmitter {
  readonly signals: string[] = [];
  readonly process = {
    kill: (signal: string) => {
      this.signals.push(signal);
      this.emit('exit');
    },
  };
  isConnected = () => true;
  send = () => true;
}

test('a start without an answer fails after its time limit, and the process is then killed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const worker = new SilentWorker();
  const gateway = new GatewayProcess(worker as unknown as Worker, {});
  const starting = gateway.start({} as StartOrder);
  t.mock.timers.tick(LONGEST_START_MS);
  assert.deepEqual(await starting, {
    failure: 'A gateway process did not start: no reply to start within 120000 ms.',
  });
  const stopped = gateway.stop();
  assert.deepEqual(worker.signals, []);
  t.mock.timers.tick(LONGEST_STOP_MS);
  await stopped;
  assert.deepEqual(worker.signals, ['SIGKILL']);
});
