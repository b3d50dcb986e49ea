// Verifies archives: their records and files, and that the live books begin with the opening balances.
import type { Connection } from '../../db/driver/connection.ts';
import { statement } from '../../db/driver/statement.ts';
import { plural } from '../../kernel/plural.ts';
import { type ArchiveSeal, archiveMac, NO_ARCHIVE } from '../archive/format.ts';
import { createArchiveTables, loadArchive } from '../archive/load.ts';
import { openingsDigest, seqAt } from '../archive/openings.ts';
import { type Findings, rowsOf } from './findings.ts';
import type { SealKeysInTime } from './key-closings.ts';

export const ARCHIVE_RULES = {
  archive_missing: "an archive's file is missing",
  archive_differs: "an archive's file was changed or exchanged",
  archive_record_differs: "an archive's record was changed or removed",
  openings_differ: 'the opening balances do not match the last archive',
  archived_row: 'a movement or posting of an archived period is in the books',
} as const;

export interface StoredArchive {
  seal: ArchiveSeal;
  mac: string;
  /** The key of the MAC. */
  keyId: string;
  complete: boolean;
}

const ARCHIVES = statement(
  'verify-archives',
  `select number, (extract(epoch from before) * 1000)::bigint, movements, postings, encode(sha256, 'hex'),
    encode(openings, 'hex'), encode(mac, 'hex'), complete, key_id from ledger_archives order by number`,
  ([number, before, movements, postings, sha256, openings, mac, complete, keyId]): StoredArchive => ({
    seal: {
      ...{ number: Number(number), before: Number(before), movements: Number(movements), postings: Number(postings) },
      ...{ sha256: sha256 as string, openings: openings as string },
    },
    mac: mac as string,
    keyId: keyId as string,
    complete: complete === 't',
  }),
);
const SCHEMA = statement(
  'verify-schema',
  `select relnamespace::regnamespace::text from pg_class where oid = 'seals'::regclass`,
  ([schema]) => schema as string,
);

/** The schema of the ledger's tables. `seals` is never a temporary table. */
export async function schemaOf(connection: Connection): Promise<string> {
  const [schema = 'public'] = await connection.run(SCHEMA);
  return schema;
}

export interface LoadedArchives {
  archives: readonly StoredArchive[];
  faults: readonly { rule: string; about: string; detail: string }[];
  /** Movements and postings of the archives are at hand, to be read with those of the books. */
  loaded: boolean;
}

/** Before the snapshot of the verification. `directory`: null if the archives are not at hand. */
export async function loadArchives(connection: Connection, directory: string | null): Promise<LoadedArchives> {
  const archives = await connection.run(ARCHIVES);
  if (archives.some(({ complete }) => !complete)) {
    throw new Error('an archive is not complete: wait for npm run ledger:archive, or run it again');
  }
  if (directory === null || archives.length === 0) return { archives, faults: [], loaded: false };
  await createArchiveTables(connection);
  const faults = [];
  for (const { seal } of archives) {
    const fault = await loadArchive(connection, directory, seal);
    if (fault) faults.push({ ...fault, about: `archive ${seal.number}` });
  }
  return { archives, faults, loaded: faults.length === 0 };
}

/** In the snapshot. Says in the findings from when on the books are complete. */
export async function verifyArchives(
  connection: Connection,
  findings: Findings,
  keys: SealKeysInTime | null,
  { archives, faults, loaded }: LoadedArchives,
): Promise<void> {
  if ((await connection.run(ARCHIVES)).length !== archives.length) {
    throw new Error('an archive was written during the verification: run it again');
  }
  for (const { rule, about, detail } of faults) findings.fault(rule, about, detail);
  const last = archives.at(-1);
  if (!last) return;
  if (keys) verifyRecords(findings, keys, archives);
  const { before } = last.seal;
  if ((await openingsDigest(connection, before)) !== last.seal.openings) {
    findings.fault('openings_differ', `before ${new Date(before).toISOString()}`, 'their digest does not match');
  }
  if (loaded) return;
  findings.archivedBefore = before;
  await verifyNoneLeft(connection, findings, before);
  findings.notice(
    `Movements before ${new Date(before).toISOString()} are in ${plural(archives.length, 'archive')} and were NOT verified. ` +
      'Verify them together with the books with -- --archive DIR.',
  );
}

function verifyRecords(findings: Findings, keys: SealKeysInTime, archives: readonly StoredArchive[]): void {
  let [previous, number] = [NO_ARCHIVE, 0];
  for (const { seal, mac, keyId } of archives) {
    number += 1;
    const about = `archive ${seal.number}`;
    const key = keys.find(keyId);
    if (seal.number !== number || (key && archiveMac(key.key, previous, seal).toString('hex') !== mac)) {
      findings.fault('archive_record_differs', about, 'its MAC does not match');
    }
    keys.inTime(keyId, about, ({ archive }) => seal.number <= archive);
    previous = Buffer.from(mac, 'hex');
  }
}

async function verifyNoneLeft(connection: Connection, findings: Findings, before: number): Promise<void> {
  const movements = `select 'movement', id from movements where at < to_timestamp(${before}::double precision / 1000)`;
  const postings = `select 'posting', account_id || ' at seq ' || seq from postings where seq < ${seqAt(before)}`;
  for await (const [what, id] of rowsOf(connection, 'archived_rows', `${movements} union all ${postings}`)) {
    findings.fault('archived_row', id as string, `a ${what}`);
  }
}
