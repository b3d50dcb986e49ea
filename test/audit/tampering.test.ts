// Changes that the owner of the database makes behind the service's back: verification must detect each of them.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { anchorKey, chainHeads, makeAnchor, verifyAnchors } from '../../src/audit/anchors.ts';
import { createHeadRecorder } from '../../src/audit/ledger-heads.ts';
import { type AuditVerification, auditReportOf, verifyAuditIn } from '../../src/audit/verification.ts';
import { type Database, openDatabase, type Queries } from '../../src/db/database.ts';
import { canonicalJson } from '../../src/kernel/canonical-json.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { newAgent } from '../support/agents.ts';
import { setPolicy } from '../support/approvals.ts';
import { raiseAlert } from '../support/compliance.ts';
import { LONG_TIMEOUTS } from '../support/database.ts';
import { ADMIN, assertStatus, SECRETS, type TestGateway, testGateway } from '../support/gateway.ts';
import { bankForFile } from '../support/money.ts';
import { newMerchant } from '../support/processors.ts';
import { apiKey, staffMember } from '../support/staff.ts';

const { kissi, bank } = await bankForFile();
const options = { masterKey: SECRETS.MASTER_KEY };
const key = anchorKey(options);

let owner: Database;
const ids: Record<string, string> = {};

/** Under a policy an audited change of a user waits for a second administrator. */
async function enablePolicies(enabled: boolean): Promise<void> {
  await setPolicy(kissi, 'agents.fund', { enabled });
  await setPolicy(kissi, 'partners.settle', { enabled, threshold: 500 });
}

before(async () => {
  owner = openDatabase({ url: kissi.db.url, poolSize: 3, timeouts: LONG_TIMEOUTS });
  const token = await kissi.adminToken();
  const call = async (method: string, path: string, body: object) => {
    const reply = await kissi.call(method, `/api/v1${path}`, { body, token });
    assert.ok(reply.status < 300, reply.text);
    return reply.json;
  };
  ids.support = (await staffMember(kissi, 'support_user')).id;
  ids.suspended = (await staffMember(kissi, 'support_user')).id;
  ids.key = (await apiKey(kissi, ['payments:read'])).id;
  ids.revoked = (await apiKey(kissi, ['payments:read'])).id;
  ids.agent = (await newAgent(kissi)).id;
  ids.processor = (await newMerchant(kissi)).id;
  ids.alert = (await raiseAlert(kissi)).id;
  ids.partner = (await call('POST', '/admin/partners', { name: 'A bank' })).partner.id;
  const [blocked, other] = [await bank.customer(1_000), await bank.customer(1_000)];
  [ids.blocked, ids.blockedCard, ids.other, ids.otherCard] = [
    blocked.wallet.id,
    blocked.card,
    other.wallet.id,
    other.card,
  ];
  ids.formerCard = (await bank.customer(1_000)).card;
  await call('POST', `/cards/${ids.formerCard}/unlink`, {});
  await call('PUT', `/admin/users/${ids.suspended}`, { status: 'suspended' });
  await kissi.call('DELETE', `/api/v1/admin/api-keys/${ids.revoked}`, { token });
  await call('POST', `/subscribers/${ids.blocked}/block`, { reason: 'fraud' });
  await call('PUT', `/subscribers/${ids.other}`, { phone_number: '+23276999997' });
  await enablePolicies(true);
  ids.approval = (await call('POST', `/agents/${ids.agent}/fund`, { amount: 100 })).approval.id;
  await call('POST', `/agents/${ids.agent}/suspend`, { reason: 'fraud' });
  await call('PUT', '/fee-settings', { ...FEE, fee_value: 1 });
  ids.customAgent = (await newAgent(kissi, { commission_tier: 'custom', commission_percent: 80 })).id;
  await call('PUT', '/admin/commission-tiers', { premium: 110 });
  await kissi.gateway.services.audit.seal();
});
after(() => owner.close());

const FEE = { transaction_type: 'transfer_p2p', party_type: 'sender', fee_type: 'percentage' };

class Undo extends Error {}

/** Tampers, verifies what the tampering left, and undoes it. */
async function whileTampered<T>(
  tamper: (trx: Queries) => Promise<unknown>,
  work: (trx: Queries) => Promise<T>,
): Promise<T> {
  let result: T | undefined;
  const tampered = owner.queries.transaction().execute(async (trx) => {
    await tamper(trx);
    result = await work(trx);
    throw new Undo();
  });
  await tampered.catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  return result as T;
}

/** $name stands for an id. The owner disables triggers. */
const run = (statements: string) => async (trx: Queries) => {
  const text = statements.replaceAll(/\$(\w+)/g, (_, name: string) => `'${ids[name]}'`);
  assert.ok(!text.includes("'undefined'"), text);
  await sql.raw(`set local session_replication_role = replica; ${text}`).execute(trx);
};

const verifyWhile = (tamper: (trx: Queries) => Promise<unknown>): Promise<AuditVerification> =>
  whileTampered(tamper, (trx) => verifyAuditIn(trx, options));

test('nothing is reported before a tampering', async () => {
  const verification = await verifyWhile(async () => undefined);
  assert.ok(verification.clean, auditReportOf(verification));
  assert.ok(verification.records > 15);
});

const exchanged = (table: string, column: string, one: string, two: string) =>
  [
    [one, "'x'"],
    [two, one],
    ["'x'", two],
  ]
    .map(([from, to]) => `update ${table} set ${column} = ${to} where ${column} = ${from}`)
    .join('; ');

describe('a change to a protected record is detected:', () => {
  const changes: Record<string, [string, string]> = {
    "a user's role is raised": ['user', `update users set role = 'system_admin' where id = $support`],
    "a user's password hash is copied from another": [
      'user',
      `update users set password_hash = (select password_hash from users where role = 'system_admin' limit 1) where id = $support`,
    ],
    'a suspended user is reactivated': ['user', `update users set status = 'active' where id = $suspended`],
    "a user's phone number is replaced": ['user', `update users set phone_number = '+23276999999' where id = $support`],
    'PEP access is granted': ['user', `update users set pep_access_authorized = true where id = $support`],
    'a user is inserted': [
      'user',
      `insert into users (id, email, password_hash, first_name, last_name, role, created_at, updated_at)
        select 'usr_ghost', 'g@example.com', password_hash, 'G', 'G', 'system_admin', now(), now() from users limit 1`,
    ],
    'a user is removed': ['user', `delete from users where id = $support`],
    'a scope is added to a key': [
      'api_key',
      `update api_keys set scopes = scopes || '{treasury:write}' where id = $key`,
    ],
    'the daily limit of a key is changed': ['api_key_limit', `update api_keys set daily_limit = 1 where id = $key`],
    'a key is moved to another owner': ['api_key', `update api_keys set partner_id = $partner where id = $key`],
    'a credential is planted': [
      'api_key',
      `insert into api_key_credentials (bearer_hash, key_id, sealed_secret, created_at)
        select sha256('mine'), $key, sealed_secret, now() from api_key_credentials limit 1`,
    ],
    'the hash of a credential is replaced': [
      'api_key',
      `update api_key_credentials set bearer_hash = sha256('mine') where key_id = $key`,
    ],
    'a revoked key is revived': ['api_key', `update api_keys set revoked_at = null where id = $revoked`],
    'an expired credential is prolonged': [
      'api_key',
      `update api_key_credentials set valid_until = now() + interval '1 year' where key_id = $key`,
    ],
    "a subscriber's level is raised": ['subscriber', `update subscribers set kyc_level = 3 where id = $other`],
    'a blocked subscriber is unblocked': ['subscriber', `update subscribers set status = 'ACTIVE' where id = $blocked`],
    "a subscriber's phone number is replaced": [
      'subscriber',
      `update subscribers set phone_number = '+23276999998' where id = $other`,
    ],
    "a subscriber's PIN is copied from another": [
      'subscriber',
      `update pins set (salt, hash) = (select salt, hash from pins where owner_id = $other) where owner_id = $blocked`,
    ],
    "a subscriber's PIN reset is undone": [
      'subscriber_security',
      `update subscribers set pin_reset_at = now() where id = $other`,
    ],
    'the user who changed a phone number is hidden': [
      'subscriber_security',
      `update subscribers set phone_changed_at = null, phone_changed_by = null where id = $other`,
    ],
    'the approver of a change of a phone number is replaced': [
      'phone_change',
      `update phone_changes set approved_by = changed_by where owner_id = $other`,
    ],
    'a change of a phone number is forgotten': ['phone_change', `delete from phone_changes where owner_id = $other`],
    "a subscriber's PIN is removed": ['subscriber', `delete from pins where owner_id = $other`],
    'a politically exposed person is hidden': [
      'subscriber',
      `update subscribers set is_pep = not is_pep where id = $other`,
    ],
    'a subscriber is removed': ['subscriber', `delete from subscribers where id = $blocked`],
    'a blocked card is unblocked': ['card', `update cards set status = 'active' where serial = $blockedCard`],
    'a card is linked to another subscriber': [
      'card',
      `update cards set subscriber_id = $blocked where serial = $otherCard`,
    ],
    'the former holder of a card is hidden': [
      'card_former_holder',
      `update cards set unlinked_subscriber_id = null where serial = $formerCard`,
    ],
    'a card gets a former holder': [
      'card_former_holder',
      `update cards set unlinked_subscriber_id = $other where serial = $blockedCard`,
    ],
    "an agent's PIN reset is undone": ['agent_security', `update agents set pin_reset_at = now() where id = $agent`],
    'a card is inserted': [
      'card',
      `insert into cards (serial, status, subscriber_id, linked_at, created_at) values ('GHOST', 'active', $other, now(), now())`,
    ],
    'a suspended agent is reactivated': [
      'agent',
      `update agents set status = 'active', held_by_house = false where id = $agent`,
    ],
    "an agent's PIN is copied from a subscriber": [
      'agent',
      `update pins set (salt, hash) = (select salt, hash from pins where owner_id = $other) where owner_id = $agent`,
    ],
    'an agent is moved to another network': [
      'agent',
      `update agents set type = 'sub_agent', parent_agent_id = 'agent_x' where id = $agent`,
    ],
    "the login of an agent's user is restored": [
      'user',
      `update users set status = 'active', suspended_with_owner = false where agent_id = $agent`,
    ],
    "a processor's merchant id is replaced": [
      'processor',
      `update processors set merchant_id = 'X' where id = $processor`,
    ],
    "a partner's limit is raised": [
      'partner',
      `update partners set outstanding_limit = 900000000000 where id = $partner`,
    ],
    "a partner's allowlist is widened": [
      'partner',
      `update partners set ip_allowlist = '{0.0.0.0/0}' where id = $partner`,
    ],
    "a partner's webhook is redirected": [
      'partner',
      `update partners set webhook_url = 'https://attacker.example' where id = $partner`,
    ],
    'a webhook secret is planted': [
      'partner',
      `insert into partner_webhook_secrets (partner_id, sealed_secret, created_at) values ($partner, 'x', now())`,
    ],
    'a commission tier is raised': ['commission_tier', `update commission_tiers set percent = 5000000`],
    'a commission tier is removed': ['commission_tier', `delete from commission_tiers`],
    'a commission tier is inserted': [
      'commission_tier',
      `insert into commission_tiers (tier, percent, updated_by, updated_at) values ('standard', 2000000, 'x', now())`,
    ],
    'the commission percentage of an agent is raised': [
      'agent_commission',
      `update agents set commission_percent = 5000000 where id = $customAgent`,
    ],
    'a commission percentage is planted': [
      'agent_commission',
      `update agents set commission_percent = 5000000 where id = $agent`,
    ],
    'a fee is changed': ['fee_setting', `update fee_settings set value = 0`],
    'a fee is removed': ['fee_setting', `delete from fee_settings`],
    'a fee is inserted': [
      'fee_setting',
      `insert into fee_settings (transaction_type, party_type, fee_type, value, debit_enabled, credit_enabled, updated_at, updated_by)
        values ('agent_cashin', 'agent', 'percentage', 100, false, true, now(), 'x')`,
    ],
    'a rule is disabled': ['compliance_rule', `update compliance_rules set enabled = false`],
    'a rule is loosened': ['compliance_rule', `update compliance_rules set threshold = threshold * 100`],
    'a rule is removed': ['compliance_rule', `delete from compliance_rules`],
    'an alert is closed': ['compliance_alert', `update compliance_alerts set status = 'dismissed' where id = $alert`],
    'an alert is removed': ['compliance_alert', `delete from compliance_alerts where id = $alert`],
    'an alert is reworded': [
      'compliance_alert',
      `update compliance_alerts set description = 'harmless' where id = $alert`,
    ],
    'an alert is inserted': [
      'compliance_alert',
      `insert into compliance_alerts select (json_populate_record(a, '{"id":"alert_ghost"}')).* from compliance_alerts a where id = $alert`,
    ],
    'an alert is resolved with a resolution': [
      'compliance_alert',
      `update compliance_alerts set status = 'resolved', resolved_by = $support, resolution = 'x', resolved_at = now() where id = $alert`,
    ],
    'the phone numbers of two subscribers are exchanged': [
      'subscriber',
      `create temp table phones on commit drop as select id, phone_number from subscribers;
        update subscribers set phone_number = id where id in ($other, $blocked);
        update subscribers s set phone_number = o.phone_number from phones o
        where (s.id, o.id) in (($other, $blocked), ($blocked, $other))`,
    ],
    'the PINs of two subscribers are exchanged': ['subscriber', exchanged('pins', 'owner_id', '$other', '$blocked')],
    'the ids of two users are exchanged': ['user', exchanged('users', 'id', '$support', '$suspended')],
    'a credential is moved to another key': [
      'api_key',
      `update api_key_credentials set key_id = $key where key_id = $revoked`,
    ],
    "a subscriber's wallet at a partner is replaced": [
      'subscriber',
      `update subscribers set partner_wallet_id = 'w-1' where id = $other`,
    ],
    'a phone number is marked as verified': [
      'subscriber',
      `update subscribers set phone_verified = not phone_verified where id = $other`,
    ],
    'the agent that registered a subscriber is replaced': [
      'subscriber',
      `update subscribers set registered_by_agent = $agent where id = $other`,
    ],
    'the parent of a card is replaced': [
      'card',
      `update cards set type = 'child', parent_serial = $blockedCard where serial = $otherCard`,
    ],
    'a passkey is planted': [
      'user',
      `insert into passkeys (id, user_id, credential_id, public_key, name, counter, created_at)
        values ('psk_x', $support, 'x', 'x', 'x', 0, now())`,
    ],
    'a TOTP secret is planted': [
      'user',
      `insert into totp_enrolments (user_id, sealed_secret, created_at, confirmed_at, last_step) values ($support, 'x', now(), now(), 1)`,
    ],
    'a second factor is forgotten': ['user', `update users set second_factor_at = now() where id = $support`],
    'an approval policy is disabled': [
      'approval_policy',
      `update approval_policies set enabled = false where action = 'agents.fund'`,
    ],
    'a threshold is raised': [
      'approval_policy',
      `update approval_policies set threshold = 5000000 where action = 'partners.settle'`,
    ],
    'an approval policy is removed': ['approval_policy', `delete from approval_policies where action = 'agents.fund'`],
    'the input of a request is changed': [
      'approval',
      `update approvals set input = jsonb_set(input, '{body,amount}', '"90000"') where id = $approval`,
    ],
    'a request is approved': [
      'approval',
      `update approvals set status = 'approved', decided_by = $support, decided_at = now() where id = $approval`,
    ],
    'a request is prolonged': [
      'approval',
      `update approvals set expires_at = expires_at + interval '1 year' where id = $approval`,
    ],
    'a request gets another requester': [
      'approval',
      `update approvals set requested_by = $support where id = $approval`,
    ],
    'a request is inserted': [
      'approval',
      `insert into approvals (id, action, operation, status, requested_by, requested_at, input, summary, expires_at)
        select 'apr_ghost', action, operation, status, requested_by, requested_at, input, summary, expires_at
        from approvals where id = $approval`,
    ],
    'a second row has the id of a user': [
      'user',
      `alter table users drop constraint users_pkey cascade; drop index users_email_key;
        insert into users select * from users where id = $support`,
    ],
  };
  for (const [what, [kind, statement]] of Object.entries(changes)) {
    test(what, async () => {
      const { chain, faults } = await verifyWhile(run(statement));
      assert.equal(chain.valid, true, 'the chain itself is intact');
      assert.ok(faults.length > 0, 'the change is detected');
      assert.deepEqual([...new Set(faults.map((fault) => fault.kind))], [kind]);
    });
  }

  test('an older version of a record is put back', async () => {
    const [row] =
      (await owner.queries
        .selectFrom('users')
        .selectAll()
        .where('id', '=', ids.support ?? '')
        .execute()) ?? [];
    const body = { first_name: 'Renamed' };
    await enablePolicies(false);
    assert.equal((await kissi.asAdmin.put(`/admin/users/${ids.support}`, body)).status, 200);
    await enablePolicies(true);
    const older = (trx: Queries) =>
      trx
        .updateTable('users')
        .set({ first_name: row?.first_name ?? '' })
        .where('id', '=', ids.support ?? '')
        .execute();
    const { faults } = await verifyWhile(older);
    assert.deepEqual(faults, [{ kind: 'user', id: ids.support, detail: 'an older version of it was put back' }]);
  });

  test('a change that an audited change of the same record follows', async () => {
    await enablePolicies(false);
    const { id } = await staffMember(kissi, 'support_user');
    const change = (role: string) => owner.queries.updateTable('users').set({ role }).where('id', '=', id).execute();
    await change('system_admin');
    const rename = (first_name: string) => kissi.asAdmin.put(`/admin/users/${id}`, { first_name });
    assert.equal((await rename('Later')).status, 200);
    const { faults } = await verifyWhile(async () => undefined);
    assert.deepEqual(
      faults.map((fault) => [fault.id, fault.detail]),
      [[id, 'an audited change was made to a state that no audit entry had produced']],
    );
    // Leaves a clean database: the changes are undone in reverse order.
    assert.equal((await rename('Test')).status, 200);
    await change('support_user');
    assert.equal((await verifyWhile(async () => undefined)).clean, true);
    await enablePolicies(true);
  });
});

/** Another gateway with its own database and a few entries. */
async function onCopy<T>(work: (copy: TestGateway, url: string) => Promise<T>): Promise<T> {
  const copy = await testGateway();
  try {
    await staffMember(copy, 'support_user');
    await copy.gateway.services.audit.seal();
    return await work(copy, copy.db.url);
  } finally {
    await copy.close();
  }
}

describe('a change to the audit log is detected:', () => {
  const head = () => owner.queries.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();

  /** Adds an entry that takes back the last change of the suspended user. Its states are known from the log. */
  const reverting = (seq: string) => `insert into audit_log
    select (jsonb_populate_record(entry, jsonb_build_object('id', 'aud_forged', 'seq', ${seq}, 'state',
      jsonb_build_array(jsonb_build_array('user', $suspended, change ->> 3, change ->> 2))))).*
    from audit_log entry, jsonb_array_elements(state) change where change ->> 1 = $suspended order by seq desc limit 1`;

  const changes: Record<string, string> = {
    'an entry is changed': `update audit_log set actor_id = 'usr_x' where seq = 3`,
    'the state in an entry is changed': `update audit_log set state = null where seq = (select min(seq) from audit_log where state is not null)`,
    'an entry is removed': `delete from audit_log where seq = 4`,
    'the last entry is removed': `delete from audit_log where seq = (select seq from audit_head)`,
    'an entry is appended': `insert into audit_log select seq + 1, id || 'x', at, actor_type, actor_id, action, resource_type, resource_id, ip,
      request_id, details, hash, hash, null, 1 from audit_log order by seq desc limit 1`,
    'the head is moved back': `update audit_head set (seq, hash) = (select seq, hash from audit_log where seq = 3)`,
    'the last entries are removed and the head is moved back': `delete from audit_log where seq > 3;
      update audit_head set (seq, hash, mac) = (select seq, hash, null::bytea from audit_log where seq = 3)`,
    "the head's MAC is removed": `update audit_head set mac = null`,
    'an older version of a user is put back, and an entry below the first says so': `
      update users set status = 'active' where id = $suspended; ${reverting('0')}`,
    'an entry has the number of another': `alter table audit_log drop constraint audit_log_pkey;
      update users set status = 'active' where id = $suspended; ${reverting('(select seq from audit_head)')}`,
  };
  for (const [what, statement] of Object.entries(changes)) {
    test(what, async () => assert.equal((await verifyWhile(run(statement))).chain.valid, false));
  }

  test('the chain is rebuilt with unkeyed hashes', async () => {
    const rebuild = async (trx: Queries) => {
      let previous = Buffer.alloc(32);
      for (const entry of await trx.selectFrom('audit_log').selectAll().orderBy('seq').execute()) {
        const { seq, id, at, actor_type, action, resource_type, resource_id, ip, request_id, details } = entry;
        const fields = [seq, id, at.toISOString(), actor_type, 'usr_forged', action, resource_type, resource_id, ip];
        const text = canonicalJson([...fields, request_id, details]);
        const hash = createHash('sha256').update(previous).update(text).digest();
        const change = { actor_id: 'usr_forged', prev_hash: previous, hash, format: 0 };
        await trx.updateTable('audit_log').set(change).where('seq', '=', seq).execute();
        previous = hash;
      }
      await run('update audit_head set mac = null')(trx);
      await trx.updateTable('audit_head').set({ hash: previous }).execute();
    };
    assert.equal((await verifyWhile(rebuild)).chain.valid, false);
  });

  test('an entry is forged in the inbox: it is sealed, marked, and reported', async () => {
    const other = await forgedInbox();
    assert.equal(other.chain.valid, false);
  });

  test('a removed end of the chain stays detectable after new entries are sealed', async () => {
    const before = await head();
    assert.ok(before.seq > 3);
    const verdict = await onCopy(async (copy, url) => {
      const database = openDatabase({ url, poolSize: 3, timeouts: LONG_TIMEOUTS });
      await run(changes['the last entries are removed and the head is moved back'] ?? '')(database.queries);
      await database.close();
      await staffMember(copy, 'support_user');
      return (await copy.asAdmin.get('/audit/verify')).json;
    });
    assert.equal(verdict.valid, false);
  });

  describe('copies of an authentic entry', () => {
    /** A user is suspended, reactivated and suspended again. Returns the entry of the reactivation, as the inbox had it. */
    async function reactivation(copy: TestGateway, queries: Queries): Promise<{ id: string; entry: string }> {
      const { id } = await staffMember(copy, 'support_user');
      const token = await copy.adminToken();
      const change = async (status: string) => {
        await copy.gateway.services.audit.seal();
        assertStatus(await copy.call('PUT', `/api/v1/admin/users/${id}`, { body: { status }, token }), 200);
        const last = sql<{
          entry: string;
        }>`select to_json(i)::text as entry from audit_inbox i where resource_id = ${id}`;
        return (await last.execute(queries)).rows[0]?.entry ?? '';
      };
      await change('suspended');
      const entry = await change('active');
      await change('suspended');
      return { id, entry };
    }

    const insertCopy = (queries: Queries, entry: string) =>
      sql`insert into audit_inbox select * from json_populate_record(null::audit_inbox, ${entry}::json)`.execute(
        queries,
      );

    async function withCopy(work: (queries: Queries, copy: TestGateway, entry: string) => Promise<unknown>) {
      return onCopy(async (copy, url) => {
        const database = openDatabase({ url, poolSize: 3, timeouts: LONG_TIMEOUTS });
        try {
          const { id, entry } = await reactivation(copy, database.queries);
          await database.queries.updateTable('users').set({ status: 'active' }).where('id', '=', id).execute();
          await work(database.queries, copy, entry);
          return await database.queries.transaction().execute((trx) => verifyAuditIn(trx, options));
        } finally {
          await database.close();
        }
      });
    }

    test('a copy that waits in the inbox does not count', async () => {
      const { faults } = await withCopy(async (queries, copy, entry) => {
        await copy.gateway.services.audit.seal();
        await insertCopy(queries, entry);
      });
      assert.deepEqual(
        faults.map(({ detail }) => detail),
        ['an older version of it was put back'],
      );
    });

    test('a copy that was sealed because the first one was hidden is reported', async () => {
      const { chain } = await withCopy(async (queries, copy, entry) => {
        await copy.gateway.services.audit.seal();
        const { id } = JSON.parse(entry);
        await sql`create table hidden as select * from audit_log where id = ${id}`.execute(queries);
        await sql`delete from audit_log where id = ${id}`.execute(queries);
        await insertCopy(queries, entry);
        await copy.gateway.services.audit.seal();
        await sql`insert into audit_log select * from hidden`.execute(queries);
      });
      assert.equal(chain.valid, false);
    });

    test('of two copies that wait, one is sealed', async () => {
      const sealed = await onCopy(async (copy, url) => {
        const database = openDatabase({ url, poolSize: 3, timeouts: LONG_TIMEOUTS });
        try {
          await copy.gateway.services.audit.seal();
          await sql`alter table audit_inbox drop constraint audit_inbox_pkey`.execute(database.queries);
          assertStatus(await copy.call('POST', '/api/v1/admin/login', { body: ADMIN }), 200);
          await sql`insert into audit_inbox select * from audit_inbox`.execute(database.queries);
          await copy.gateway.services.audit.seal();
          return await database.queries.transaction().execute((trx) => verifyAuditIn(trx, options));
        } finally {
          await database.close();
        }
      });
      assert.ok(sealed.clean, auditReportOf(sealed));
    });
  });

  async function forgedInbox(): Promise<AuditVerification> {
    return onCopy(async (copy, url) => {
      const database = openDatabase({ url, poolSize: 3, timeouts: LONG_TIMEOUTS });
      try {
        await run(`insert into audit_inbox (id, at, actor_type, actor_id, action, details)
          values ('aud_forged', now(), 'user', 'usr_x', 'agent.fund', '{}')`)(database.queries);
        await copy.gateway.services.audit.seal();
        const forged = database.queries.selectFrom('audit_log').select('format').where('id', '=', 'aud_forged');
        assert.deepEqual(await forged.execute(), [{ format: 2 }]);
        return await database.queries.transaction().execute((trx) => verifyAuditIn(trx, options));
      } finally {
        await database.close();
      }
    });
  }
});

test('a seal of the ledger that the audit log names cannot be removed', async () => {
  await createHeadRecorder({ database: kissi.db.database, audit: kissi.gateway.services.audit })();
  await kissi.gateway.services.audit.seal();
  const { missingSeals } = await verifyWhile(run('delete from seals where batch = (select max(batch) from seals)'));
  assert.equal(missingSeals.length, 1);
});

test('the ledger cannot pass as one without seals', async () => {
  await createHeadRecorder({ database: kissi.db.database, audit: kissi.gateway.services.audit })();
  await kissi.gateway.services.audit.seal();
  const { missingSeals } = await verifyWhile(
    run(
      'update movements set batch = null; update requests set batch = null; delete from seals; delete from seal_chains',
    ),
  );
  assert.ok(missingSeals.length > 0);
});

test('an audit log cannot pass as that of an unused database while there are records', async () => {
  const { faults } = await verifyWhile(
    run(`delete from audit_log; delete from audit_inbox; delete from users;
      update audit_head set seq = 0, hash = '\\x${'00'.repeat(32)}', mac = null`),
  );
  assert.ok(faults.some(({ kind }) => kind === 'subscriber'));
});

/** Does the damage on a copy as the database's owner, then starts a gateway. */
function verifyAfterStart(damage: string) {
  return onCopy(async (copy, url) => {
    const database = openDatabase({ url, poolSize: 3, timeouts: LONG_TIMEOUTS });
    try {
      await run(damage)(database.queries);
      await copy.gateway.services.audit.begin();
      await copy.gateway.services.audit.seal();
      return await database.queries.transaction().execute((trx) => verifyAuditIn(trx, options));
    } finally {
      await database.close();
    }
  });
}

const NO_CHAIN = `truncate audit_log, audit_inbox; update audit_head set seq = 0, hash = '\\x${'00'.repeat(32)}', mac = null`;

describe('the start of a gateway', () => {
  test('begins a removed chain again, but not the records: they have no first state', async () => {
    const { chain, faults } = await verifyAfterStart(NO_CHAIN);
    assert.ok(chain.valid && chain.entries === 1);
    assert.ok(faults.length > 5 && faults.every(({ detail }) => detail === 'no audit entry created it'));
  });

  test('does not accept entries without a MAC that wait for the first one', async () => {
    const forged = `insert into audit_inbox (id, at, actor_type, actor_id, action, details)
      values ('aud_00', now(), 'user', 'usr_x', 'agent.fund', '{}')`;
    assert.equal((await verifyAfterStart(`${NO_CHAIN}; ${forged}`)).chain.valid, false);
  });

  test('reports an end of the chain without a MAC', async () => {
    const { chain, faults } = await verifyAfterStart('update audit_head set mac = null');
    assert.equal(chain.valid, false);
    assert.deepEqual(faults, []);
  });
});

describe('anchors', () => {
  const anchorNow = async (previous: string | null = null) =>
    makeAnchor(await chainHeads(owner.queries), key, systemClock, { after: previous });

  test('everything since the last anchor is removed: only the anchor shows it', async () => {
    const earlier = await owner.queries.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow();
    assertStatus(await kissi.call('POST', '/api/v1/admin/login', { body: ADMIN }), 200);
    await kissi.gateway.services.audit.seal();
    const line = await anchorNow();
    const truncate = async (trx: Queries) => {
      await run(`delete from audit_log where seq > ${earlier.seq}`)(trx);
      await trx.updateTable('audit_head').set({ seq: earlier.seq, hash: earlier.hash, mac: earlier.mac }).execute();
    };
    assert.equal((await verifyWhile(truncate)).chain.valid, true, 'an older end of the chain is valid by itself');
    const faults = await whileTampered(truncate, (trx) => verifyAnchors(trx, [line], key.publicKey));
    assert.equal(faults.length, 1);
    assert.match(faults[0] ?? '', /audit entry \d+ is missing/);
    assert.deepEqual(await verifyAnchors(owner.queries, [line], key.publicKey), []);
  });

  test('a changed, a removed and a forged line are reported', async () => {
    const first = await anchorNow();
    const second = await anchorNow(first);
    const third = await anchorNow(second);
    const check = (lines: string[]) => verifyAnchors(owner.queries, lines, key.publicKey);
    assert.deepEqual(await check([first, second, third]), []);
    assert.match((await check([first, third]))[0] ?? '', /the line before it was changed or removed/);
    const changed = second.replace('"version":1', '"version":1,"x":1');
    assert.match((await check([first, changed, third]))[0] ?? '', /anchor 2: the signature is wrong/);
    const another = anchorKey({ masterKey: 'another' });
    const forged = makeAnchor(await chainHeads(owner.queries), another, systemClock, { after: null });
    assert.match((await check([forged]))[0] ?? '', /the signature is wrong/);
    assert.match((await check(['not json']))[0] ?? '', /the signature is wrong/);
  });
});
