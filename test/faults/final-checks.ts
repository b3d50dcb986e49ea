// What is looked at in the end: the processes, the service's own word, the tables, and ledger:verify.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { audit, expectedBalances } from './auditor.ts';
import { auditDeliveries } from './deliveries.ts';
import { takeSnapshot } from './snapshot.ts';
import type { World } from './world.ts';

export async function examine(world: World): Promise<string[]> {
  const { book, database, gateways } = world;
  const chain = await auditChain(world);
  const told = await balancesByApi(world);
  const unsent = await auditDeliveries(database.url());
  for (const gateway of gateways) await gateway.stop();
  const tables = await takeSnapshot(database.url());
  const expected = expectedBalances(book, tables);
  return [
    ...audit(book, tables),
    ...(await verifyLedger(database.url())),
    ...gateways.flatMap(({ deaths }) => deaths),
    ...chain,
    ...unsent,
    ...[...told]
      .filter(([id, balance]) => balance !== (expected.get(id) ?? 0))
      .map(([id, balance]) => `the service says that ${id} holds ${balance}, and it should be ${expected.get(id)}`),
  ];
}

async function auditChain({ gateways, people }: World): Promise<string[]> {
  const headers = { authorization: `Bearer ${people.adminToken}` };
  const response = await fetch(`${gateways[0]?.url}/api/v1/audit/verify`, { headers });
  const text = await response.text();
  const { valid } = JSON.parse(text) as { valid?: boolean };
  return response.status === 200 && valid === true ? [] : [`the audit chain does not hold: ${response.status} ${text}`];
}

/** What the service says of balances, through either gateway. */
async function balancesByApi({ gateways, people }: World): Promise<Map<string, number | undefined>> {
  const told = new Map<string, number | undefined>();
  const headers = { authorization: `Bearer ${people.key.bearer}` };
  for (const [n, { id }] of people.wallets.entries()) {
    const response = await fetch(`${gateways[n % gateways.length]?.url}/api/v1/balance/${id}`, { headers });
    told.set(id, ((await response.json()) as { balance?: number }).balance);
  }
  return told;
}

const VERIFY = fileURLToPath(new URL('../../scripts/ledger-verify.ts', import.meta.url));

async function verifyLedger(url: string): Promise<string[]> {
  const env = { PATH: process.env.PATH ?? '', DATABASE_URL: url };
  try {
    await promisify(execFile)(process.execPath, [VERIFY], { env });
    return [];
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return [`ledger:verify does not hold: ${stdout}${stderr}`];
  }
}
