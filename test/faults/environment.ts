// The environment of a fault run: a database behind a proxy, two gateways, funded parties and a webhook receiver.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kissi } from '@kissi/client';
import { ownFolder } from '@kissi/testkit/guard';
import { type Journal, newJournal } from '@kissi/testkit/journal';
import { createLoad, fundParties, type Load } from '@kissi/testkit/load';
import { administrator, makeParties, type Parties, times } from '@kissi/testkit/parties';
import { type Random, seededRandom } from '@kissi/testkit/random';
import { isOnCluster } from '../support/citus.ts';
import { serverAddress } from '../support/database.ts';
import { makeAlertRules } from './alert-rules.ts';
import { type BulkLoad, createBulkLoad } from './bulk-load.ts';
import { startFaultyCluster } from './cluster.ts';
import { mountSmallDisk, startFaultyDatabase, unmount } from './database.ts';
import type { FaultTarget } from './faults.ts';
import { startGateway } from './gateways.ts';
import { startProxy } from './proxy.ts';
import { startReceiver, startSilentProvider } from './receiver.ts';

/** Ends everything that was started, in reverse order. */
export class Cleanup {
  private readonly steps: (() => Promise<void>)[] = [];

  add(step: () => Promise<void>): void {
    this.steps.push(step);
  }

  /** Runs all steps even if some fail, then throws the first error. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of this.steps.splice(0).reverse()) {
      await step().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

export interface Environment extends FaultTarget {
  journal: Journal;
  parties: Parties;
  load: Load;
  bulk: BulkLoad;
  folder: string;
}

export interface EnvironmentOptions {
  seed: number;
  /** The size of the small disk; null uses the ordinary disk, which cannot be filled. */
  smallDiskMb: number | null;
  gateways?: number;
  /** A Citus cluster instead of one server. By default, if the tests run on a cluster. */
  isCluster?: boolean;
}

export async function createEnvironment(cleanup: Cleanup, options: EnvironmentOptions): Promise<Environment> {
  const random: Random = seededRandom(options.seed);
  const { isCluster = isOnCluster } = options;
  const smallDiskMb = isCluster ? null : options.smallDiskMb;
  const folder = await mkdtemp(join(tmpdir(), 'kissi-faults-'));
  await chmod(folder, 0o755);
  ownFolder(folder);
  cleanup.add(() => rm(folder, { recursive: true, force: true }));
  const disk = smallDiskMb === null ? null : await mountSmallDisk(smallDiskMb);
  if (disk) {
    ownFolder(disk);
    cleanup.add(() => unmount(disk));
  }
  const database = await (isCluster ? startFaultyCluster() : startFaultyDatabase(disk ?? folder, disk !== null));
  cleanup.add(() => database.stop());
  const proxy = await startProxy(() => serverAddress(database.url()));
  cleanup.add(() => proxy.close());
  const journal = newJournal();
  const receiver = await startReceiver(journal, random.stream('receiver'));
  cleanup.add(() => receiver.close());
  const provider = await startSilentProvider();
  cleanup.add(() => provider.close());
  // The agents' PINs are read from the local outbox first; each gateway has the provider from its next start on.
  const variables: Record<string, string> = {};
  const start = async (n: number) => {
    const gateway = await startGateway(`gateway-${n}`, folder, throughProxy(database.url(), proxy.port), variables);
    cleanup.add(() => gateway.stop());
    return gateway;
  };
  // The first gateway creates the schema before the others start.
  const first = await start(1);
  const others = Array.from({ length: (options.gateways ?? 2) - 1 }, (_, n) => start(n + 2));
  const making = prepareParties(first.url, receiver.url).catch(async (error) => {
    throw new Error(`the setup failed before the first fault; the log is ${await readFile(first.logFile, 'utf8')}`, {
      cause: error,
    });
  });
  const [parties, ...more] = await Promise.all([making, ...others]);
  const gateways = [first, ...more];
  Object.assign(variables, { NOTICES: 'all', SMS_PROVIDER: 'http', SMS_URL: provider.url, SMS_BODY: '{text}' });
  receiver.secrets.push(...[...parties.partners, parties.limitedPartner].map(({ webhookSecret }) => webhookSecret));
  const load = createLoad({ urls: gateways.map(({ url }) => url), parties, journal, random: random.stream('load') });
  cleanup.add(() => load.stop());
  await fundParties(load);
  const bulk = createBulkLoad({ urls: gateways.map(({ url }) => url), parties, journal });
  return { bulk, database, gateways, proxy, random: random.stream('faults'), journal, parties, load, folder };
}

function throughProxy(url: string, port: number): string {
  const { username, password, pathname } = new URL(url);
  return `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}?sslmode=disable`;
}

async function prepareParties(url: string, webhookUrl: string): Promise<Parties> {
  const admin = administrator(url);
  await makeAlertRules(admin);
  const parties = await makeParties(admin, webhookUrl);
  return { ...parties, asked: await makeRequests(admin, parties) };
}

const ONCE = 60;

/** A link for each merchant, and requests that one of many clients pays. */
async function makeRequests(admin: Kissi, { merchants }: Parties): Promise<Parties['asked']> {
  const make = async (processor_id: string, amount: number | null) => {
    const terms = amount === null ? { single_use: false } : { amount };
    const { payment_request } = await admin.paymentRequests.create({ processor_id, description: 'Order', ...terms });
    return { id: payment_request.id, merchant: processor_id, amount };
  };
  const links = await times(merchants.length, (n) => make(merchants[n]?.id ?? '', null));
  return [...links, ...(await times(ONCE, (n) => make(merchants[n % merchants.length]?.id ?? '', 40)))];
}
