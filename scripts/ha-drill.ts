// npm run ha:drill: kills the leader of a PostgreSQL cluster under load, again and again, and proves that nothing that was
// acknowledged is lost. Exits 0 when that holds, or when the programs it needs are not installed; else 1.
import { type Gateway, populate, startGateway, verifyLedger } from './drill/gateway.ts';
import { type Cluster, type Node, type Programs, startCluster, TTL_SECONDS } from './drill/patroni.ts';
import { type Book, holdAgainst, newBook, payOn } from './drill/payments.ts';
import { drill, findPostgresql, findProgram, say, TO_INSTALL, until, type Workshop } from './drill/workshop.ts';

const PAYERS = 6;
const FAILURES = ['node', 'postgres', 'node', 'patroni', 'node'] as const;
const WORDS = {
  node: 'kill -9 of PostgreSQL and Patroni',
  postgres: 'kill -9 of PostgreSQL alone',
  patroni: 'kill -9 of Patroni alone (PostgreSQL goes on)',
};
// So many payments before the next thing is done to the cluster.
const SOME = 100;

const programs = await findPrograms();
if (programs) await drill('ha', (workshop) => run(workshop, programs));

async function findPrograms(): Promise<Programs | null> {
  const [postgresql, patroni, etcd] = [await findPostgresql(), await findProgram('patroni'), await findProgram('etcd')];
  if (postgresql && patroni && etcd) return { postgresql, patroni, etcd };
  const missing = Object.entries({ PostgreSQL: postgresql, Patroni: patroni, etcd }).filter(([, path]) => !path);
  say(`Skipped: not installed here: ${missing.map(([name]) => name).join(', ')}. On Debian:\n  ${TO_INSTALL}`);
  return null;
}

async function run(workshop: Workshop, programs: Programs): Promise<void> {
  say(`Three servers of ${programs.postgresql} under Patroni, a leader may be silent for ${TTL_SECONDS} s …`);
  const began = performance.now();
  const cluster = await startCluster(workshop, programs);
  say(`They run after ${seconds(performance.now() - began)}.`);
  const database = { databaseUrl: cluster.url, dataDir: workshop.folder };
  const gateway = await startGateway(database, workshop.folder);
  try {
    await breakUnderLoad(cluster, gateway);
    say(await verifyLedger(database));
  } finally {
    await gateway.stop();
  }
}

async function breakUnderLoad(cluster: Cluster, gateway: Gateway): Promise<void> {
  const world = await populate(gateway, 20);
  const book = newBook(world);
  let paying = true;
  const payers = Array.from({ length: PAYERS }, (_, n) => payOn(gateway, world, book, `p${n}`, () => paying));
  const failed = Promise.all(payers);
  try {
    await Promise.race([failed, breakInTurn(cluster, book)]);
  } finally {
    paying = false;
  }
  await failed;
  say(
    `${book.answered.length} payments acknowledged, ${book.retried} of them sent more than once. Held against the service …`,
  );
  await holdAgainst(gateway, world, book);
  say('Every acknowledged payment is answered again to the byte, and every balance is what the answers make it.');
}

async function breakInTurn(cluster: Cluster, book: Book): Promise<void> {
  for (const what of FAILURES) {
    await cluster.healthy();
    await payments(book, SOME);
    const old = (await cluster.leader()) as Node;
    const at = performance.now();
    await cluster.kill(old, what);
    await until('another server leads', async () => ![null, old].includes(await cluster.leader()));
    const chosen = seconds(performance.now() - at);
    const leader = await cluster.leader();
    await payments(book, SOME);
    const { gap, back } = outage(book, at);
    say(
      `${WORDS[what]} on ${old.name}: ${leader?.name} leads after ${chosen}; ${gap} without a payment, over after ${back}`,
    );
    await cluster.revive(old);
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

/** Waits for so many more. */
async function payments(book: Book, count: number): Promise<void> {
  const goal = book.at.length + count;
  await until('payments go on', async () => book.at.length >= goal);
}

/** The longest time without an acknowledged payment since then, and when it was over. */
function outage({ at }: Book, since: number): { gap: string; back: string } {
  const times = [since, ...at.filter((time) => time > since).sort((a, b) => a - b)];
  let longest = { gap: 0, back: 0 };
  for (const [index, time] of times.entries()) {
    const gap = time - (times[index - 1] ?? time);
    if (gap > longest.gap) longest = { gap, back: time - since };
  }
  return { gap: seconds(longest.gap), back: seconds(longest.back) };
}
