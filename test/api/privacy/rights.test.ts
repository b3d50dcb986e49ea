// Tests what the service's own login may do to what is told about customers: only an erased customer's texts are overwritten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APP_ROLE } from '../../../src/db/schema/migrate.ts';
import { bankForFile } from '../../support/money.ts';
import { assertStatus } from '../../support/staff.ts';

const { kissi, bank } = await bankForFile();

/** As a gateway that was broken into. Statements that are sent together are one transaction. */
const asService = (statement: string) => kissi.db.query(`set local role ${APP_ROLE}; ${statement}`);

for (const change of [
  `update cases set description = 'Other'`,
  `update case_events set text = 'Other'`,
  `update case_events set details = '{}'`,
  `update case_files set name = 'other.pdf'`,
  `update case_files set sealed = ''`,
  `insert into key_closings values ('audit', 1, 'k1', 'k2', now(), '{}', '', '')`,
  `insert into retired_keys values ('PIN_PEPPER', 'k1', null, now())`,
  `update retired_keys set retired_at = now()`,
]) {
  test(`the service may not: ${change}`, () => assert.rejects(asService(change), /permission denied/));
}

test('texts of a customer who was not erased stay', async () => {
  const { id } = await bank.wallet(0);
  const about = { subscriber_id: id, kind: 'other', description: 'Asks for a receipt' };
  const { case: opened } = assertStatus(await kissi.asAdmin.post('/cases', about), 201).json;
  await asService(`select erase_case_texts('${id}')`);
  const { rows } = await kissi.db.query('select description from cases where id = $1', [opened.id]);
  assert.deepEqual(rows, [{ description: 'Asks for a receipt' }]);
});
