// Gateways with several keys on one database, as in a rolling restart, and the rotation of their keys.
import assert from 'node:assert/strict';
import { type Announcement, announceKeys } from '../../src/app/keys/announcement.ts';
import { type Rotation, rotateKeys } from '../../src/app/keys/rotation.ts';
import { checkMasterKey, checkSecrets } from '../../src/app/keys/secret-checks.ts';
import { verifyBooks } from '../../src/app/verification.ts';
import { auditReportOf, verifyAudit } from '../../src/audit/verification.ts';
import { openDatabase } from '../../src/db/database.ts';
import { type KeyRing, ringOf } from '../../src/kernel/key-ring.ts';
import { reportOf } from '../../src/ledger/verification/verify.ts';
import { LONG_TIMEOUTS, type TestDatabase } from './database.ts';
import { SECRETS, type TestGateway, testGateway } from './gateway.ts';

const [MASTER_2, PEPPER_2] = ['second-master-key-0123456789abcdefghijklm', 'second-pin-pepper-0123456789abcdefghijklm'];

export const BEFORE = { MASTER_KEY: `k1:${SECRETS.MASTER_KEY}`, PIN_PEPPER: `k1:${SECRETS.PIN_PEPPER}` };
export const AFTER = { MASTER_KEY: `k2:${MASTER_2}`, PIN_PEPPER: `k2:${PEPPER_2}` };
export const BOTH = {
  MASTER_KEY: `${AFTER.MASTER_KEY},${BEFORE.MASTER_KEY}`,
  PIN_PEPPER: `${AFTER.PIN_PEPPER},${BEFORE.PIN_PEPPER}`,
};
/** What remains until every holder has used their PIN. */
export const BOTH_PEPPERS = { MASTER_KEY: AFTER.MASTER_KEY, PIN_PEPPER: BOTH.PIN_PEPPER };

type Texts = typeof BEFORE;

export interface KeyedGateway extends TestGateway {
  rings: { MASTER_KEY: KeyRing; PIN_PEPPER: KeyRing };
  announcement: Announcement;
}

const ringsOf = ({ MASTER_KEY, PIN_PEPPER }: Texts) => ({
  ...{ MASTER_KEY: ringOf(MASTER_KEY), PIN_PEPPER: ringOf(PIN_PEPPER) },
});

let gateways = 0;

/** Starts as the service does: checks the keys, announces them, serves. */
export async function keyedGateway(texts: Texts, first?: TestGateway): Promise<KeyedGateway> {
  const rings = ringsOf(texts);
  const { MASTER_KEY, PIN_PEPPER } = rings;
  const options = { secrets: { ...SECRETS, MASTER_KEY, PIN_PEPPER } };
  if (!first) {
    const kissi = await testGateway(options);
    return { ...kissi, rings, announcement: await announce(kissi.db, rings) };
  }
  const { db, clock } = first;
  await checkSecrets(db.database.queries, rings, clock);
  const announcement = await announce(db, rings);
  return { ...(await testGateway({ ...options, db, clock })), rings, announcement };
}

function announce({ database }: TestDatabase, secrets: KeyedGateway['rings']): Promise<Announcement> {
  gateways += 1;
  return announceKeys({ database, secrets, holder: `gateway ${gateways}`, onChange: () => undefined });
}

export async function stopGateway({ announcement, close }: KeyedGateway): Promise<void> {
  await announcement.withdraw();
  await close();
}

/** As npm run keys:rotate does, without the wait for what was begun under the old keys. */
export async function rotate(
  { db, clock }: TestGateway,
  texts: Texts = BOTH,
  options: Partial<Pick<Rotation, 'stopping' | 'report' | 'settledSeconds'>> = {},
): Promise<{ finished: boolean; lines: string[] }> {
  const database = openDatabase({ url: db.url, poolSize: 4, timeouts: LONG_TIMEOUTS });
  const lines: string[] = [];
  const report = (line: string) => void lines.push(line);
  try {
    const secrets = ringsOf(texts);
    await checkSecrets(database.queries, secrets, clock);
    const result = await rotateKeys({ database, clock, secrets, report, settledSeconds: 0, ...options });
    return { ...result, lines };
  } finally {
    await database.close();
  }
}

/** Verifies ledger and audit log with these keys and what the database keeps of older ones. */
export async function verifyWith({ db }: TestGateway, masterKey: string) {
  const ring = ringOf(masterKey);
  await checkMasterKey(db.database.queries, ring);
  return {
    books: await verifyBooks(db.url, ring),
    audit: await verifyAudit(db.database, { masterKey: ring }),
  };
}

export async function assertVerified(kissi: TestGateway, masterKey: string): Promise<void> {
  const { books, audit } = await verifyWith(kissi, masterKey);
  assert.ok(books.clean, reportOf(books));
  assert.ok(audit.clean, auditReportOf(audit));
}
