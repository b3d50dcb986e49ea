// Several rows of a list at once: one call for each, with its own result, and nothing for the rows of others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { floatOf, newAgent } from '../../support/agents.ts';
import { getApproval, pendingOf, setPolicy, type User, user } from '../../support/approvals.ts';
import { raiseAlert } from '../../support/compliance.ts';
import type { Json } from '../../support/gateway.ts';
import { auditLogs } from '../../support/staff.ts';
import { consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, browser } = await consoleForFile();

const box = ({ page }: Screen, { id }: Json) =>
  page
    .getByRole('row')
    .filter({ has: page.locator(`a[data-row="${id}"]`) })
    .getByRole('checkbox');

async function tick(screen: Screen, ...records: Json[]): Promise<void> {
  for (const record of records) await box(screen, record).check();
}

/** Does an action for the two selected rows. */
async function act({ page, button, dialog }: Screen, name: string, text = '', left = ''): Promise<void> {
  await button(name).click();
  if (text) await dialog.getByRole('textbox').fill(text);
  await dialog.getByRole('button', { name, exact: true }).click();
  await dialog.getByText('2 of 2').waitFor();
  // What became of the rows stays when they have left the list.
  if (left) await page.getByText(left).waitFor();
  assert.equal(await dialog.getByText('Done', { exact: true }).count(), 2);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
}

test('a reviewer resolves several alerts; one that another user resolved meanwhile says so', async () => {
  const staff = await user(kissi, 'compliance_user');
  const other = await user(kissi, 'compliance_user');
  const alerts = [];
  for (const description of ['Report A', 'Report B', 'Report C']) alerts.push(await raiseAlert(kissi, { description }));
  const [first, second, third] = alerts;
  const screen = screenOf(await openConsole(browser, kissi.url, staff, { width: 1280 }));
  const { page, go, dialog, button, check, checkOpened, close } = screen;
  await go('/alerts?view=all');
  await tick(screen, first, second);
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

test('a reviewer takes several alerts, and dismisses them', async () => {
  const staff = await user(kissi, 'compliance_user');
  const alerts: Json[] = [];
  for (const description of ['Report D', 'Report E']) alerts.push(await raiseAlert(kissi, { description }));
  const screen = screenOf(await openConsole(browser, kissi.url, staff));
  const stored = () =>
    Promise.all(
      alerts.map(async ({ id }) => {
        const { alert } = (await kissi.asAdmin.get(`/compliance/alerts/${id}`)).json;
        return [alert.status, alert.assigned_to, alert.outcome, alert.resolution];
      }),
    );
  await screen.go('/alerts?view=all');
  await tick(screen, ...alerts);
  await act(screen, 'Assign to me');
  assert.deepEqual(await stored(), Array(2).fill(['open', staff.id, null, null]));
  await screen.go('/alerts?view=mine');
  await tick(screen, ...alerts);
  await act(screen, 'False positive', 'Salaries of a school.', 'Nothing to review');
  assert.deepEqual(await stored(), Array(2).fill(['dismissed', staff.id, 'false_positive', 'Salaries of a school.']));
  for (const { id } of alerts) {
    const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
    for (const change of ['assign', 'update']) assert.ok(actions.includes(`compliance_alert.${change}`), `${actions}`);
  }
  await screen.close();
});

test("several requests are approved or rejected at once, and never the user's own", async () => {
  await setPolicy(kissi, 'agents.fund', { enabled: true });
  const agent = await newAgent(kissi);
  const [asking, deciding] = [await user(kissi, 'finance_user'), await user(kissi, 'finance_user')];
  const request = async ({ token }: User, amount: number) => {
    const body = { amount, request_id: `fund-${amount}` };
    return pendingOf(await kissi.call('POST', `/api/v1/agents/${agent.id}/fund`, { token, body }));
  };
  const own = await request(deciding, 900);
  const others: Json[] = [];
  for (const amount of [1_000, 2_000, 4_000, 8_000]) others.push(await request(asking, amount));
  const screen = screenOf(await openConsole(browser, kissi.url, deciding));
  await screen.go('/approvals?view=all');
  await tick(screen, ...others.slice(0, 2));
  assert.ok(await box(screen, own).isDisabled(), "the user's own request");
  await act(screen, 'Approve');
  assert.equal(await floatOf(kissi, agent), 3_000);
  await tick(screen, ...others.slice(2));
  await act(screen, 'Reject', 'The slips are missing');
  assert.equal(await floatOf(kissi, agent), 3_000);
  const found = await Promise.all([own, ...others].map((each) => getApproval(kissi, each.id, deciding)));
  assert.deepEqual(
    found.map(({ status }) => status),
    ['pending', 'executed', 'executed', 'rejected', 'rejected'],
  );
  for (const action of ['approval.approve', 'approval.reject'])
    assert.equal((await auditLogs(kissi, { action, actor_id: deciding.id })).length, 2, action);
  await screen.close();
});
