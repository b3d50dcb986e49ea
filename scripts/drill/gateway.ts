// The service in a drill: a process of its own, its administrator, and people with cards and money in it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface Gateway {
  address: string;
  stop(): Promise<void>;
}

export interface Key {
  bearer: string;
  id: string;
  secret: string;
}

export interface Person {
  id: string;
  serial: string;
}

export interface World {
  key: Key;
  people: Person[];
  shop: { processorId: string; merchantId: string };
}

export const PIN = '4821';
export const FUNDS = 20_000_000;
const ADMIN = { email: 'admin@example.com', password: 'Correct-Horse-7' };
const SCOPES = ['payments:read', 'payments:write', 'subscribers:read', 'balance:read'];

// What a database is of no use without: a restored one gets the same.
const SECRETS = {
  JWT_SECRET: 'drill-jwt-secret-0123456789abcdefghijklmn',
  MASTER_KEY: 'drill-master-key-0123456789abcdefghijklmn',
  PIN_PEPPER: 'drill-pin-pepper-0123456789abcdefghijklmn',
};

const pathOf = (file: string) => fileURLToPath(new URL(`../../${file}`, import.meta.url));

/** `databaseUrl` unset: the embedded server in `dataDir`. */
export interface Database {
  databaseUrl?: string;
  dataDir: string;
}

function environment({ databaseUrl, dataDir }: Database): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: dataDir,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    RATE_LIMIT_RPS: '1000000',
    USER_RATE_LIMIT_RPS: '1000000',
    BOOTSTRAP_ADMIN_EMAIL: ADMIN.email,
    BOOTSTRAP_ADMIN_PASSWORD: ADMIN.password,
    ...SECRETS,
  };
}

export async function startGateway(database: Database, logFolder: string): Promise<Gateway> {
  const log = await open(join(logFolder, 'kissi.log'), 'a');
  const child = spawn(process.execPath, [pathOf('src/main.ts')], {
    env: environment(database),
    stdio: ['ignore', 'pipe', log.fd],
  });
  await log.close();
  const said: string[] = [];
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    said.push(line);
    const address = line.match(/Health +(\S+)\/health/)?.[1];
    if (address) return { address, stop: async () => void (child.kill('SIGTERM') && (await once(child, 'exit'))) };
  }
  throw new Error(`the service did not start: ${said.join('\n')}`);
}

/** npm run ledger:verify; returns what it said, and throws when it found a fault. */
export async function verifyLedger(database: Database): Promise<string> {
  const script = pathOf('scripts/ledger-verify.ts');
  const child = spawn(process.execPath, [script], { env: environment(database), stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`ledger:verify exits ${code}: ${output}`);
  return output.trim();
}

/** Somebody who pays, somebody who is paid, and money, all made through the API. */
export async function populate({ address }: Gateway, count: number): Promise<World> {
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) };
    const reply = await fetch(`${address}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`);
    return (await reply.json()) as Record<string, unknown>;
  };
  const token = String((await post('/admin/login', ADMIN)).token);
  const partner = (await post('/admin/partners', { name: 'First Bank' }, token)).partner as { id: string };
  const people: Person[] = [];
  for (let n = 0; n < count; n++) {
    const name = {
      first_name: 'Fatmata',
      last_name: `Sesay ${n}`,
      phone_number: `+23276${String(n).padStart(6, '0')}`,
    };
    const id = String((await post('/subscribers', { ...name, pin: PIN }, token)).subscriber_id);
    const serial = `DRILL${String(n).padStart(6, '0')}`;
    await post('/cards/link', { card_serial: serial, subscriber_id: id }, token);
    await post('/wallet/fund-from-partner', { partner_id: partner.id, subscriber_id: id, amount: FUNDS }, token);
    people.push({ id, serial });
  }
  const contact = { contact_name: 'Musa Koroma', phone_number: '+23231000001', email: 'shop@example.com' };
  const shop = { business_name: 'Drill shop', merchant_id: 'DRILL-01', ...contact };
  const processorId = String((await post('/processors', shop, token)).processor_id);
  const made = await post('/admin/api-keys', { name: 'drill', scopes: SCOPES }, token);
  const key = { bearer: String(made.key), id: (made.api_key as { id: string }).id, secret: String(made.secret) };
  return { key, people, shop: { processorId, merchantId: shop.merchant_id } };
}
