// The demo with GATEWAYS: its history is made by one gateway, and then several serve at the same address.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { runService, temporaryFolder } from '@kissi/testkit/service';
import { waitFor } from '../support/wait.ts';

const folder = await temporaryFolder();
const start = (...args: string[]) =>
  runService({ GATEWAYS: '2', DATA_DIR: folder.path }, undefined, ['scripts/demo.ts', ...args]);
const demo = await start('--subscribers', '100', '--days', '3', '--rate', '5');
after(async () => {
  await demo.stop('SIGTERM');
  await folder.remove();
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${demo.url}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

test('as many gateways as GATEWAYS says serve the demo, and its live payments go on', async () => {
  assert.notEqual(demo.url, '', demo.stdout() + demo.stderr());
  assert.match(demo.stdout(), /Starting 2 gateways/);
  await waitFor('two gateways serve', async () => (await metric('kissi_gateways_ready')) === 2);
  const paid = () => metric('kissi_ledger_movements_total');
  const before = await paid();
  await waitFor('a live payment', async () => (await paid()) > before);
  assert.equal(await demo.stop('SIGTERM'), 0, demo.stderr());
});
