// Runs the service as a separate process for a drill, and creates the subscribers, merchant and API key it needs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ADMIN, inheritedEnv, SECRETS, SERVICE, startProcess, UNLIMITED } from '@kissi/testkit/service';

export interface Service {
  /** Base URL. */
  address: string;
  stop(): Promise<void>;
}

export interface ApiKey {
  bearer: string;
  id: string;
  secret: string;
}

export interface Subscriber {
  id: string;
  cardSerial: string;
}

export interface Fixtures {
  key: ApiKey;
  subscribers: Subscriber[];
  merchant: { processorId: string; merchantId: string };
}

export const PIN = '4821';
export const INITIAL_BALANCE = 20_000_000;
const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'];

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** Without `databaseUrl`, the service uses the embedded server in `dataDir`. */
export interface DatabaseLocation {
  databaseUrl?: string;
  dataDir: string;
}

function environment({ databaseUrl, dataDir }: DatabaseLocation): Record<string, string> {
  return {
    ...inheritedEnv(),
    ...UNLIMITED,
    ...SECRETS,
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
}

/** Resolves when the service has printed its address. Its log goes to `kissi.log`. */
export async function startService(database: DatabaseLocation, logDirectory: string): Promise<Service> {
  const log = await open(join(logDirectory, 'kissi.log'), 'a');
  const started = await startProcess(SERVICE, environment(database), { stderr: log.fd });
  await log.close();
  if (!started) throw new Error(`the service did not start: see ${join(logDirectory, 'kissi.log')}`);
  const { url, child } = started;
  return { address: url, stop: async () => void (child.kill('SIGTERM') && (await once(child, 'exit'))) };
}

/** Runs ledger:verify and returns its output; throws if it finds a fault. */
export async function verifyLedger(database: DatabaseLocation): Promise<string> {
  const script = pathOf('scripts/ledger-verify.ts');
  const child = spawn(process.execPath, [script], { env: environment(database), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`ledger:verify exited with code ${code}: ${output}`);
  return output.trim();
}

/** Creates subscribers with cards and money, a merchant and an API key, all through the API. */
export async function createFixtures({ address }: Service, subscriberCount: number): Promise<Fixtures> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const reply = await fetch(`${address}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const token = String((await post('/admin/login', ADMIN)).token);
  const partner = (await post('/admin/partners', { name: 'First Bank' }, token)).partner as { id: string };
  const subscribers: Subscriber[] = [];
  for (let n = 0; n < subscriberCount; n++) {
    const name = {
      first_name: 'Fatmata',
      last_name: `Sesay ${n}`,
      phone_number: `+23276${String(n).padStart(6, '0')}`,
    };
    const id = String((await post('/subscribers', { ...name, pin: PIN }, token)).subscriber_id);
    const cardSerial = `DRILL${String(n).padStart(6, '0')}`;
    await post('/cards/link', { card_serial: cardSerial, subscriber_id: id }, token);
    const funding = { partner_id: partner.id, subscriber_id: id, amount: INITIAL_BALANCE };
    await post('/wallet/fund-from-partner', funding, token);
    subscribers.push({ id, cardSerial });
  }
  const contact = { contact_name: 'Musa Koroma', phone_number: '+23231000001', email: 'shop@example.com' };
  const shop = { business_name: 'Drill shop', merchant_id: 'DRILL-01', ...contact };
  const processorId = String((await post('/processors', shop, token)).processor_id);
  const created = await post('/admin/api-keys', { name: 'drill', scopes: SCOPES }, token);
  const key = {
    bearer: String(created.key),
    id: (created.api_key as { id: string }).id,
    secret: String(created.secret),
  };
  return { key, subscribers, merchant: { processorId, merchantId: shop.merchant_id } };
}
