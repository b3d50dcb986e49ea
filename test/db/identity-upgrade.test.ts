// Migration of a database with duplicate identity documents, and with subscribers registered by agents.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import pg from 'pg';
import { migrate } from '../../src/db/schema/migrate.ts';
import { databaseUrl } from '../support/database.ts';
import { firstSchema } from '../support/first-schema.ts';

async function run(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

const OLD_ROWS = `
  insert into users (id, email, password_hash, first_name, last_name, role, agent_id, created_at, updated_at)
    values ('usr_1', 'a@example.com', '', 'A', 'B', 'sub_agent', 'agent_1', now(), now()),
      ('usr_2', 'b@example.com', '', 'A', 'B', 'support_user', null, now(), now());
  insert into subscribers (id, account_number, phone_number, first_name, last_name, kyc_level, status, id_type, id_number,
      created_at, updated_at)
    select 'sub_' || n, 'A' || n, '+2327600000' || n, 'A', 'B', level, 'ACTIVE', 'PASSPORT', number, now(), now()
    from (values (1, 2, 'AB123'), (2, 3, 'ab-12 3'), (3, 2, 'AB 123'), (4, 1, 'AB123'), (5, 2, 'XY9'), (6, 2, null))
      as old (n, level, number);
  insert into audit_inbox (id, at, actor_type, actor_id, action, resource_type, resource_id, details)
    values ('evt_1', now(), 'user', 'usr_1', 'subscriber.register', 'subscriber', 'sub_4', '{}'),
      ('evt_2', now(), 'user', 'usr_2', 'subscriber.register', 'subscriber', 'sub_5', '{}');`;

test('an upgrade keeps duplicate documents, marks all but the oldest, and takes the registering agent from the audit log', async () => {
  const name = `identity_${randomBytes(6).toString('hex')}`;
  await run(databaseUrl('postgres'), `create database ${name}`);
  const url = databaseUrl(name);
  try {
    await firstSchema(url);
    await run(url, OLD_ROWS);
    await migrate(url);
    const { rows } = await run(
      url,
      'select id, kyc_level as level, identity_duplicate as duplicate, registered_by_agent as agent from subscribers order by id',
    );
    assert.deepEqual(
      rows.map(({ id, level, duplicate, agent }) => [id, level, duplicate, agent]),
      [
        ['sub_1', 2, false, null],
        ['sub_2', 3, true, null],
        ['sub_3', 2, true, null],
        ['sub_4', 1, false, 'agent_1'],
        ['sub_5', 2, false, null],
        ['sub_6', 2, false, null],
      ],
    );
    const raise = run(url, "update subscribers set kyc_level = 2 where id = 'sub_4'");
    await assert.rejects(raise, /subscribers_identity_key/);
  } finally {
    await run(databaseUrl('postgres'), `drop database ${name} with (force)`);
  }
});
