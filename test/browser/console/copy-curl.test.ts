// "Copy as curl", for users who manage API keys: the copied command is run in a shell, and does what the button beside it does.
// Also: who reviews an alert.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { floatOf, newAgent, newFundedAgent } from '../../support/agents.ts';
import { type User, user } from '../../support/approvals.ts';
import { camtFile, newTrustAccount } from '../../support/bank-files.ts';
import { raiseAlert } from '../../support/compliance.ts';
import { parseCsv } from '../../support/csv.ts';
import type { Json } from '../../support/gateway.ts';
import { movementCount } from '../../support/money.ts';
import { auditLogs } from '../../support/staff.ts';
import { waitFor } from '../../support/wait.ts';
import { type Credentials, consoleForFile, openConsole } from './console.ts';
import { type Screen, screenOf } from './dialogs.ts';

const { kissi, bank, browser } = await consoleForFile();
const COPY = 'Copy as curl';
let finance: User;
let window: Screen;
let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kissi-curl-'));
  finance = await user(kissi, 'system_admin');
  window = await openScreen(finance);
});
after(() => rm(folder, { recursive: true, force: true }));

async function openScreen(who: Credentials, width = 1440): Promise<Screen> {
  const screen = screenOf(await openConsole(browser, kissi.url, who, { width }));
  await screen.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  return screen;
}

/** The command that a button copies. */
async function copied({ page }: Screen, name: string, role: 'button' | 'menuitem' = 'button'): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  // A dialog is behind the page in the document.
  await page.getByRole(role, { name, exact: true }).last().click();
  const clipboard = async () => String(await page.evaluate('navigator.clipboard.readText()'));
  await waitFor('the command is copied', async () => (await clipboard()) !== '');
  return clipboard();
}

/** As a user would: with a token in the environment. */
async function run(command: string, token: string): Promise<string> {
  assert.ok(!command.includes(token), 'the command contains no token');
  const env = { ...process.env, KISSI_TOKEN: token };
  return (await promisify(execFile)('bash', ['-c', command], { cwd: folder, env })).stdout;
}

async function runCopied(screen: Screen, name: string, { token }: User = finance): Promise<Json> {
  return JSON.parse(await run(await copied(screen, name), token));
}

const read = async (path: string): Promise<Json> =>
  (await kissi.call('GET', `/api/v1${path}`, { token: finance.token })).json;

test('a payment: the command pays, and the form that copied it does not pay again', async () => {
  const agent = await newAgent(kissi);
  await window.go(`/agents/${agent.id}`);
  const { dialog } = window;
  await window.open('Fund');
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('75.50');
  const reply = await runCopied(window, COPY);
  assert.equal(reply.status, 'COMPLETED');
  assert.equal(await floatOf(kissi, agent), 7_550);
  await window.pay('Fund', 'The float is funded');
  assert.deepEqual([await floatOf(kissi, agent), await movementCount(kissi, agent.id)], [7_550, 1]);
});

test('a change with a text: quotes, line breaks and signs of the shell arrive as typed', async () => {
  const { id } = await bank.wallet();
  const support = await user(kissi, 'system_admin');
  const screen = await openScreen(support);
  await screen.go(`/customers/${id}`);
  const text = `It's "Fatu" \`id\` $HOME \\ 'end'\n@second line; exit 1 # é`;
  await screen.page.getByLabel('New note').fill(text);
  await runCopied(screen, COPY, support);
  const { notes } = (await kissi.call('GET', `/api/v1/subscribers/${id}/notes`, { token: support.token })).json;
  assert.deepEqual(
    notes.map((note: Json) => [note.text, note.author_id]),
    [[text, support.id]],
  );
  await screen.check('a note');
  await screen.close();
});

test('an upload, a run, an accepted suggestion and an undone match', async () => {
  const day = new Date(kissi.clock.now()).toISOString().slice(0, 10);
  const account = await newTrustAccount(kissi, finance.token, { bank: 'Rokel Commercial Bank' });
  const agent = await newAgent(kissi, { business_name: 'Bo Cash Point' });
  const fund = { amount: 14_250_00, request_id: 'SLIP-045' };
  const path = `/api/v1/agents/${agent.id}/fund`;
  assert.equal((await kissi.call('POST', path, { body: fund, token: finance.token })).status, 200);
  await writeFile(
    join(folder, 'statement.xml'),
    camtFile({ from: day, entries: [{ amount: 14_250_00, day, description: 'Deposit over the counter' }] }),
  );

  await window.go('/finance/statements');
  const { statement } = await runCopied(window, `${COPY}: Upload a statement from Rokel Commercial Bank`);
  assert.deepEqual([statement.trust_account_id, statement.entry_count], [account.id, 1]);

  await window.go('/finance/reconciliation');
  assert.equal((await runCopied(window, COPY)).run.suggested, 1);
  await window.page.reload();
  const { match } = await runCopied(window, `${COPY}: Accept the match of 14,250.00`);
  assert.deepEqual([match.status, match.bank_amount], ['matched', 14_250_00]);

  await window.go('/finance/reconciliation?view=matches');
  await window.open('Undo');
  const undone = await runCopied(window, COPY);
  assert.deepEqual([undone.match.id, undone.match.status], [match.id, 'undone']);
  await window.dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('items are taken and released', async () => {
  await window.go('/finance/reconciliation?view=items');
  const unmatched = async () => (await read('/admin/reconciliation?status=unmatched&side=bank')).items[0];
  await window.page.getByText('Deposit over the counter').waitFor();
  await runCopied(window, `${COPY}: Take`);
  const [item] = (await read('/admin/reconciliation?owner=me')).items;
  assert.equal(item.owner_id, finance.id);
  await window.page.reload();
  await runCopied(window, `${COPY}: Release`);
  assert.equal((await unmatched()).owner_id, null);
  await window.check('items');
  assert.equal((await auditLogs(kissi, { action: 'reconciliation.release', actor_id: finance.id })).length, 1);
});

test('a list is exported with its filters, and a saved view is deleted', async () => {
  const query = 'type=agent_fund&from=2020-01-01';
  const { transactions } = await read(`/transactions?${query}`);
  assert.ok(transactions.length > 0);
  await window.go(`/transactions?${query}`);
  await window.page.getByRole('row').nth(transactions.length).waitFor();
  const [download] = await Promise.all([window.page.waitForEvent('download'), window.button('Export CSV').click()]);
  assert.equal(download.suggestedFilename(), 'transactions-from-2020-01-01.csv');
  const { columns, rows } = parseCsv(await run(await copied(window, `${COPY}: Export CSV`), finance.token));
  const ids = rows.map((row) => row[columns.indexOf('transaction_id')]);
  assert.deepEqual(
    ids,
    transactions.map(({ transaction_id }: Json) => transaction_id),
  );

  const body = { name: 'Floats', screen: 'transactions', query };
  const saved = await kissi.call('POST', '/api/v1/admin/saved-views', { body, token: finance.token });
  assert.equal(saved.status, 201, saved.text);
  await window.button('Views').click();
  await window.page.getByRole('menuitem', { name: 'Delete the view Floats', exact: true }).waitFor();
  await window.checkOpened('saved views');
  await run(await copied(window, `${COPY}: Delete the view Floats`, 'menuitem'), finance.token);
  assert.deepEqual((await read('/admin/saved-views?screen=transactions')).views, []);
  assert.equal((await auditLogs(kissi, { action: 'saved_view.delete', actor_id: finance.id })).length, 1);
});

test('no other staff and no agent sees the command', async () => {
  const copies = (screen: Screen) => screen.page.getByText(COPY).or(screen.page.getByLabel(/^Copy as curl/));
  const { id } = await bank.wallet();
  const support = await openScreen(await user(kissi, 'support_user'));
  await support.go(`/customers/${id}`);
  await support.page.getByLabel('New note').fill('Called');
  await support.button('Add the note').waitFor();
  assert.equal(await copies(support).count(), 0);
  await support.close();

  const officer = await openScreen(await user(kissi, 'finance_user'));
  await officer.go(`/agents/${(await newAgent(kissi)).id}`);
  await officer.open('Fund');
  assert.equal(await copies(officer).count(), 0);
  await officer.dialog.getByRole('button', { name: 'Close' }).click();
  await officer.go('/transactions');
  await officer.button('Export CSV').waitFor();
  assert.equal(await copies(officer).count(), 0);
  await officer.close();

  const agent = await newFundedAgent(kissi, 50_000);
  const phone = await openScreen(agent, 360);
  await phone.go('/agent/cash-in');
  await phone.page.getByLabel("Customer's phone or card number").fill((await bank.wallet()).phone);
  await phone.page.getByText('Aminata K.').waitFor();
  await phone.page.getByRole('textbox', { name: 'Amount' }).fill('20');
  await phone.button('Continue').click();
  await phone.page.getByLabel('Your PIN').waitFor();
  assert.equal(await copies(phone).count(), 0);
  await phone.close();
});

test('a reviewer takes an alert, a colleague takes it over, and releases it by the copied command', async () => {
  const { id } = await raiseAlert(kissi, { severity: 'HIGH', subscriber_id: (await bank.wallet()).id });
  const [first, second] = [await user(kissi, 'system_admin'), await user(kissi, 'system_admin')];
  const assignee = async () => {
    const { alert } = (await kissi.call('GET', `/api/v1/compliance/alerts/${id}`, { token: first.token })).json;
    return alert.assigned_to;
  };
  const reviewer = await openScreen(first);
  await reviewer.go(`/alerts/${id}`);
  const dialog = await reviewer.open('Assign to me');
  await dialog.getByText('You review it.').waitFor();
  await reviewer.confirm('Assign to me');
  assert.equal(await assignee(), first.id);
  await reviewer.go('/alerts?view=mine');
  await reviewer.page.getByText('1 is yours.').waitFor();
  await reviewer.check('the alerts of a reviewer');
  await reviewer.close();

  const colleague = await openScreen(second);
  await colleague.go(`/alerts/${id}`);
  await (await colleague.open('Assign to me')).getByText(/^It is assigned to .+ now\.$/).waitFor();
  await colleague.confirm('Assign to me');
  assert.equal(await assignee(), second.id);
  await colleague.open('Release');
  await runCopied(colleague, COPY, second);
  assert.equal(await assignee(), null);
  const actions = (await auditLogs(kissi, { resource_id: id })).map(({ action }) => action);
  assert.deepEqual(
    ['assign', 'release'].map((name) => actions.filter((action) => action.endsWith(`.${name}`)).length),
    [2, 1],
  );
  await colleague.close();
});
