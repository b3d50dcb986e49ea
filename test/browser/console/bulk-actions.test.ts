// Several rows of a list at once: one call for each, with its own result, and nothing for the rows of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { user } from '../../support/approvals.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { auditLogs } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const { kissi, browser } = await consoleForFile();

test('a reviewer resolves several alerts; one that another user resolved meanwhile says so', async () => {
  const staff = await user(kissi, 'compliance_user');
  const other = await user(kissi, 'compliance_user');
  const alerts = [];
  for (const description of ['Report A', 'Report B', 'Report C']) alerts.push(await raiseAlert(kissi, { description }));
  const [first, second, third] = alerts;
  const screen = screenOf(await openConsole(browser, kissi.url, staff, { width: 1280 }));
  const { page, go, dialog, button, check, checkOpened, close } = screen;
  await go('/alerts?view=all');
  const box = (id: string) =>
    page
      .getByRole('row')
      .filter({ has: page.locator(`a[data-row="${id}"]`) })
      .getByRole('checkbox');
  await box(first.id).check();
  await box(second.id).check();
  await page.getByText('2 selected').waitFor();
  await check('a list with selected rows');
  const body = { resolution: 'Seen by another user.' };
  const path = `/api/v1/compliance/alerts/${second.id}/resolve`;
  const reply = await kissi.call('POST', path, { token: other.token, body });
  assert.equal(reply.status, 200, reply.text);
  await button('Confirmed and reported').click();
  await dialog.getByLabel('What was found and done').fill('Nothing unusual.');
  await checkOpened('the dialog of several alerts');
  await dialog.getByRole('button', { name: 'Confirmed and reported', exact: true }).click();
  await dialog.getByText('2 of 2').waitFor();
  assert.equal(await dialog.getByText('Done', { exact: true }).count(), 1);
  await checkOpened('the results');
  screen.expectRefusal(409);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
  const stored = async ({ id }: { id: string }) => {
    const { json } = await kissi.call('GET', `/api/v1/compliance/alerts/${id}`, { token: staff.token });
    return [json.alert.status, json.alert.resolved_by, json.alert.resolution, json.alert.outcome];
  };
  assert.deepEqual(await stored(first), ['resolved', staff.id, 'Nothing unusual.', 'confirmed_reported']);
  assert.deepEqual(await stored(second), ['resolved', other.id, body.resolution, null]);
  assert.equal((await stored(third))[0], 'open');
  const actions = await auditLogs(kissi, { resource_id: first.id, action: 'compliance_alert.resolve' });
  assert.equal(actions.length, 1);
  await close();
});
