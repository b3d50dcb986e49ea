// The checks after a fault run: processes, balances by the API, webhook deliveries, tables, audit chain and ledger:verify.
import { runScript, SECRETS } from '@kissi/testkit/service';
import { audit, expectedBalances } from './auditor.ts';
import { auditDeliveries, auditNotices } from './deliveries.ts';
import type { Environment } from './environment.ts';
import { takeSnapshot } from './snapshot.ts';

export async function runFinalChecks(environment: Environment): Promise<string[]> {
  const { journal, database, gateways } = environment;
  const chain = await auditChain(environment);
  const reported = await balancesByApi(environment);
  const deliveries = await auditDeliveries(database.url());
  const notices = await auditNotices(database.url());
  for (const gateway of gateways) await gateway.stop();
  await database.settle();
  const tables = await takeSnapshot(database.url());
  const expected = expectedBalances(journal, tables);
  return [
    ...audit(journal, tables),
    ...(await verifyLedger(database.url())),
    ...gateways.flatMap(({ unexpectedExits }) => unexpectedExits),
    ...chain,
    ...deliveries,
    ...notices,
    ...[...reported]
      .filter(([id, balance]) => balance !== (expected.get(id) ?? 0))
      .map(([id, balance]) => `the API reports a balance of ${balance} for ${id}, expected ${expected.get(id)}`),
  ];
}

async function auditChain({ gateways, parties }: Environment): Promise<string[]> {
  const headers = { authorization: `Bearer ${parties.adminToken}` };
  const response = await fetch(`${gateways[0]?.url}/api/v1/audit/verify`, { headers });
  const text = await response.text();
  const { valid } = JSON.parse(text) as { valid?: boolean };
  return response.status === 200 && valid === true ? [] : [`the audit chain is invalid: ${response.status} ${text}`];
}

/** The balances that the API reports, from both gateways in turn. */
async function balancesByApi({ gateways, parties }: Environment): Promise<Map<string, number | undefined>> {
  const reported = new Map<string, number | undefined>();
  const headers = { authorization: `Bearer ${parties.key.bearer}` };
  for (const [n, { id }] of parties.wallets.entries()) {
    const response = await fetch(`${gateways[n % gateways.length]?.url}/api/v1/balance/${id}`, { headers });
    reported.set(id, ((await response.json()) as { balance?: number }).balance);
  }
  return reported;
}

async function verifyLedger(url: string): Promise<string[]> {
  const env = { DATABASE_URL: url, MASTER_KEY: SECRETS.MASTER_KEY };
  const { code, output } = await runScript('scripts/ledger-verify.ts', env);
  return code === 0 ? [] : [`ledger:verify failed: ${output}`];
}
