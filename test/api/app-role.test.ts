// The database role kissi_app: it is neither owner nor superuser and cannot assume another role.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { appUrl } from '../../src/db/schema/migrate.ts';
import { testDatabase } from '../support/database.ts';

test('the service connects as kissi_app, which cannot change role, read files or alter protected tables', async () => {
  const db = await testDatabase();
  const client = new pg.Client({ connectionString: await appUrl(db.url) });
  try {
    await client.connect();
    await client.query('reset role');
    const { rows } = await client.query(
      'select session_user, current_user, usesuper from pg_user where usename = session_user',
    );
    assert.deepEqual(rows, [{ session_user: 'kissi_app', current_user: 'kissi_app', usesuper: false }]);
    await assert.rejects(client.query("select pg_read_file('/etc/passwd')"), { code: '42501' });
    await assert.rejects(client.query('drop table users'), { code: '42501' });
    await assert.rejects(client.query('update postings set amount = 0'), { code: '42501' });
  } finally {
    await client.end();
    await db.close();
  }
});
