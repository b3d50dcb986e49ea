// The audit log and the records of a database that an earlier version without keys wrote.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { adoptRecords } from '../../src/audit/adoption.ts';
import { type AuditVerification, auditReportOf, verifyAudit } from '../../src/audit/verification.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { LONG_TIMEOUTS } from '../support/database.ts';
import { SECRETS, type TestGateway, testGateway } from '../support/gateway.ts';
import { staffMember } from '../support/staff.ts';

const options = { masterKey: SECRETS.MASTER_KEY };

let kissi: TestGateway;
let owner: Database;

before(async () => {
  kissi = await testGateway();
  owner = openDatabase({ url: kissi.db.url, poolSize: 3, timeouts: LONG_TIMEOUTS });
  await staffMember(kissi, 'support_user');
});
after(async () => {
  await owner.close();
  await kissi.close();
});

/** Without the triggers that protect the chain. */
const run = (statements: string) =>
  sql.raw(`set local session_replication_role = replica; ${statements}`).execute(owner.queries);
const verified = (): Promise<AuditVerification> => verifyAudit(owner, options);

/** As an earlier version leaves the database if it stops before it seals the entries in its inbox. */
async function asEarlierVersion(waiting: number): Promise<void> {
  await kissi.gateway.services.audit.seal();
  await run(`truncate audit_log, audit_inbox, seals, seal_chains;
    update audit_head set seq = 0, hash = '\\x${'00'.repeat(32)}', mac = null;
    insert into audit_inbox (id, at, actor_type, actor_id, action, details)
    select 'aud_0' || lpad(n::text, 6, '0'), now(), 'user', 'usr_x', 'user.login', '{}' from generate_series(1, ${waiting}) n`);
}

const SEAL_HISTORY = fileURLToPath(new URL('../../scripts/ledger-seal-history.ts', import.meta.url));

function sealHistory(env: Record<string, string>): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [SEAL_HISTORY],
      { env: { PATH: process.env.PATH ?? '', DATA_DIR: '/nonexistent', ...env } },
      (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), out: stdout + stderr }),
    );
  });
}

async function formats(): Promise<[format: number, action: string, entries: number][]> {
  const counted = await sql<{ format: number; action: string; entries: number }>`
    select format, action, count(*)::int as entries from audit_log group by 1, 2 order by min(seq)`.execute(
    owner.queries,
  );
  return counted.rows.map(({ format, action, entries }) => [format, action, entries]);
}

describe('entries without a MAC that an earlier version left in the inbox', () => {
  for (const waiting of [1, 2_001]) {
    test(`${waiting}: they precede the switch to keys, and the chain is valid`, async () => {
      await asEarlierVersion(waiting);
      await kissi.gateway.services.audit.begin();
      await kissi.gateway.services.audit.seal();
      assert.deepEqual(await formats(), [
        [0, 'user.login', waiting],
        [1, 'audit.keyed', 1],
      ]);
      const verification = await verified();
      assert.ok(verification.chain.valid, auditReportOf(verification));
    });
  }

  test('after the switch they are forged', async () => {
    await asEarlierVersion(1);
    await kissi.gateway.services.audit.begin();
    await run(`insert into audit_inbox (id, at, actor_type, actor_id, action, details)
      values ('aud_00', now(), 'user', 'usr_x', 'agent.fund', '{}')`);
    await kissi.gateway.services.audit.begin();
    await kissi.gateway.services.audit.seal();
    assert.deepEqual((await formats()).at(-1), [2, 'agent.fund', 1]);
    assert.equal((await verified()).chain.valid, false);
  });

  test('only the start of a gateway switches: a head that loses its MAC later is reported', async () => {
    await asEarlierVersion(2);
    await kissi.gateway.services.audit.begin();
    await run(`delete from audit_log where format = 1;
      update audit_head set (seq, hash, mac) = (select seq, hash, null::bytea from audit_log order by seq desc limit 1)`);
    await staffMember(kissi, 'support_user');
    await kissi.gateway.services.audit.seal();
    assert.ok((await formats()).some(([format, action]) => format === 2 && action === 'audit.head_invalid'));
    assert.equal((await verified()).chain.valid, false);
  });
});

describe('records of an earlier version', () => {
  const adopt = () => adoptRecords(owner, { ...options, clock: systemClock });
  const sealChain = (id: number) =>
    run(`insert into seal_chains (id, started_at, complete, heads, mac) values (${id}, now(), true, '{}', '')`);

  test('until they are adopted, a note names the command; changes without an entry are faults', async () => {
    await asEarlierVersion(1);
    await kissi.gateway.services.audit.begin();
    const { id } = await staffMember(kissi, 'support_user');
    const before = await verified();
    assert.ok(before.clean && before.unadopted > 5, auditReportOf(before));
    assert.match(auditReportOf(before), /^Note: \d+ records? of earlier versions .* npm run ledger:seal-history\.$/m);
    await run(`update users set role = 'super_admin' where id = '${id}'`);
    assert.deepEqual(
      (await verified()).faults.map((fault) => fault.id),
      [id],
      'a record that the new version created',
    );
    await run(`update users set role = 'support_user' where id = '${id}'`);
  });

  test('afterwards a record without a state is a fault', async () => {
    await asEarlierVersion(1);
    assert.ok(((await adopt()) ?? 0) > 5, 'also before the first start of a gateway');
    const adopted = await verified();
    assert.ok(adopted.clean && adopted.unadopted === 0, auditReportOf(adopted));
    await run(`update users set id = 'usr_inserted', email = 'x@example.org' where role = 'support_user' and id =
      (select max(id) from users where role = 'support_user')`);
    const { faults, unadopted } = await verified();
    assert.equal(unadopted, 0);
    assert.ok(faults.some(({ id, detail }) => id === 'usr_inserted' && detail === 'no audit entry created it'));
  });

  test('ledger:seal-history refuses a login that may not update movements, and stores nothing', async () => {
    await asEarlierVersion(1);
    const url = new URL(kissi.db.url);
    url.searchParams.set('options', '-c role=kissi_app');
    const { code, out } = await sealHistory({ ...SECRETS, DATABASE_URL: url.toString() });
    assert.equal(code, 2, out);
    assert.match(out, /the user "kissi_app" may not update movements\. Set DATABASE_ADMIN_URL/);
    assert.deepEqual(await formats(), []);
  });

  test('ledger:seal-history needs MASTER_KEY', async () => {
    const { code, out } = await sealHistory({ DATABASE_URL: kissi.db.url });
    assert.equal(code, 2, out);
    assert.match(out, /MASTER_KEY is not set, and rows cannot be sealed without it/);
    assert.doesNotMatch(out, /without-seals/);
  });

  test('a keyed chain that the owner removes does not begin again as an upgrade', async () => {
    await asEarlierVersion(1);
    await sealChain(1);
    await kissi.gateway.services.audit.begin();
    const { chain, faults, unadopted } = await verified();
    assert.ok(chain.valid && faults.length > 5 && unadopted === 0);
  });

  test('a chain that the owner cuts off before the adoption leaves faults', async () => {
    await asEarlierVersion(1);
    await kissi.gateway.services.audit.begin();
    await sealChain(2);
    const { chain, faults, unadopted } = await verified();
    assert.ok(chain.valid && faults.length > 5 && unadopted === 0);
  });

  test('the owner cannot turn an entry into the switch', async () => {
    await asEarlierVersion(0);
    await sealChain(1);
    await kissi.gateway.services.audit.begin();
    await run(`update audit_log set details = details || '{"upgrade": true}' where action = 'audit.keyed'`);
    const { chain, faults, unadopted } = await verified();
    assert.ok(!chain.valid && faults.length > 5 && unadopted === 0);
  });
});
