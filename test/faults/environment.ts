// The world that things break in: a database behind a proxy, two gateways on it, people with money, and a receiver of webhooks.
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverAddress } from '../support/database.ts';
import { type Book, newBook } from './book.ts';
import { createLoad, type Load } from './clients.ts';
import { type FaultyDatabase, mountSmallDisk, startFaultyDatabase, unmount } from './database.ts';
import type { Broken } from './faults.ts';
import { startGateway } from './gateways.ts';
import { floatFunding, funding } from './payments.ts';
import { makePeople, type People } from './people.ts';
import { startProxy } from './proxy.ts';
import { type Random, randomFrom } from './random.ts';
import { startReceiver } from './receiver.ts';

/** What has been started, ended in reverse, whatever happens. */
export class Stage {
  private readonly enders: (() => Promise<void>)[] = [];

  add(ender: () => Promise<void>): void {
    this.enders.push(ender);
  }

  /** All of it, also when some of it fails. */
  async end(): Promise<void> {
    const failures: unknown[] = [];
    for (const ender of this.enders.splice(0).reverse()) {
      await ender().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }
}

export interface World extends Broken {
  book: Book;
  people: People;
  load: Load;
  folder: string;
}

export interface WorldOptions {
  seed: number;
  /** Of the small disk; null: on the ordinary one, which cannot be filled. */
  smallDiskMb: number | null;
  gateways?: number;
}

export async function makeWorld(stage: Stage, options: WorldOptions): Promise<World> {
  const random: Random = randomFrom(options.seed);
  const { smallDiskMb } = options;
  const folder = await mkdtemp(join(tmpdir(), 'kissi-faults-'));
  await chmod(folder, 0o755);
  stage.add(() => rm(folder, { recursive: true, force: true }));
  const disk = smallDiskMb === null ? null : await mountSmallDisk(smallDiskMb);
  if (disk) stage.add(() => unmount(disk));
  const database: FaultyDatabase = await startFaultyDatabase(disk ?? folder, disk !== null);
  stage.add(() => database.stop());
  const proxy = await startProxy(() => serverAddress(database.url()));
  stage.add(() => proxy.close());
  const book = newBook();
  const receiver = await startReceiver(book, random.fork('receiver'));
  stage.add(() => receiver.close());
  const start = async (n: number) => {
    const gateway = await startGateway(`gateway-${n}`, folder, throughProxy(database.url(), proxy.port));
    stage.add(() => gateway.stop());
    return gateway;
  };
  // The first one makes the schema; the others find it.
  const first = await start(1);
  const others = Array.from({ length: (options.gateways ?? 2) - 1 }, (_, n) => start(n + 2));
  const making = makePeople(first.url, receiver.url).catch(async (error) => {
    throw new Error(`nothing was broken yet, and the log says ${await readFile(first.logFile, 'utf8')}`, {
      cause: error,
    });
  });
  const [people, ...more] = await Promise.all([making, ...others]);
  const gateways = [first, ...more];
  receiver.secrets.push(...[...people.partners, people.poorPartner].map(({ webhookSecret }) => webhookSecret));
  const load = createLoad({ urls: gateways.map(({ url }) => url), people, book, random: random.fork('load') });
  stage.add(() => load.stop());
  await fundEverybody(load, people);
  return { database, gateways, proxy, random: random.fork('faults'), book, people, load, folder };
}

function throughProxy(url: string, port: number): string {
  const { username, password, pathname } = new URL(url);
  return `postgresql://${username}:${password}@127.0.0.1:${port}${pathname}?sslmode=disable`;
}

const RICH = 2_000_000;
const POOR = 2_000;

/** Every other wallet with next to nothing, so that some payments are refused. */
async function fundEverybody(load: Load, people: People): Promise<void> {
  const [bank] = people.partners;
  const wallets = people.wallets.map(({ id }, n) =>
    funding(load.drawing, bank?.id ?? '', id, n % 2 === 0 ? RICH : POOR),
  );
  const floats = [people.superAgent, ...people.subAgents].map(({ id }) => floatFunding(load.drawing, id, RICH));
  await Promise.all([...wallets, ...floats].map((payment) => load.carryOut(payment)));
}
