// Second factors in the console: authenticator app, recovery codes, passkeys of the browser, and the reset by an administrator.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { after, test } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { codeAt, STEP_MS, totpUser } from '../../support/second-factor.ts';
import { auditLogs, login, type Staff, staffMember } from '../../support/staff.ts';
import { holdReads } from '../reads.ts';
import { consoleForFile, openConsole } from './console.ts';

/** Passkeys belong to an origin, which the gateway has to know before it has a port. */
let gatewayPort = 0;
const front = createServer((socket) => {
  const gateway = connect(gatewayPort, '127.0.0.1');
  socket.pipe(gateway).pipe(socket);
  for (const end of [socket, gateway]) end.on('error', () => socket.destroy() && gateway.destroy());
}).listen(0, '127.0.0.1');
await once(front, 'listening');
const origin = `http://localhost:${(front.address() as AddressInfo).port}`;

const { kissi, browser } = await consoleForFile({ env: { PUBLIC_ORIGIN: origin } });
gatewayPort = Number(new URL(kissi.url).port);
after(() => front.close());

const open = (staff: Staff) => openConsole(browser, origin, staff);

async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
}

/** A login's first step. */
async function typePassword(page: Page, { email, password }: Staff): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

async function answer(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code from your authenticator app').fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

/** The codes that are shown once; then the console asks for the login with the new factor. */
async function storeCodes(page: Page): Promise<string[]> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  const codes = await dialog.getByRole('listitem').allTextContents();
  await dialog.getByRole('button', { name: 'I have stored the codes' }).click();
  return codes;
}

/** The paper has the codes, and neither buttons nor the page behind the dialog. */
async function assertPrintsCodes(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await page.evaluate('print = () => void (document.documentElement.dataset.prints = "yes")');
  await dialog.getByRole('button', { name: 'Print' }).click();
  assert.equal(await page.evaluate('document.documentElement.dataset.prints'), 'yes');
  await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
  assert.equal(await dialog.getByRole('listitem').filter({ visible: true }).count(), 10);
  assert.equal(await page.getByRole('button').filter({ visible: true }).count(), 0);
  assert.equal(await page.getByRole('heading', { name: 'Your account', includeHidden: true }).isVisible(), false);
  await page.emulateMedia({ media: 'screen', reducedMotion: 'reduce' });
}

const actionsOf = async ({ id }: Staff) =>
  (await auditLogs(kissi, { actor_id: id, limit: '100' })).map(({ action }) => action);

test('a user sets up an authenticator app, and logs in with its codes and with a recovery code', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { page, go, check, expectRefusal, close } = await open(staff);
  await go('/account');
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Your password').fill(staff.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor();
  await check('QR code');
  const title = await dialog.locator('[title^="Copy "]').first().getAttribute('title');
  const secret = (title ?? '').replace('Copy ', '');
  const readOn = await holdReads(page.context());
  await dialog.getByLabel('Code from the app').fill(codeAt(secret, kissi.clock.now()));
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
  await check('recovery codes');

  // The service has ended the session, and the console notices it. The codes stay.
  const refused = page.waitForResponse('**/console/session/refresh');
  await readOn();
  await go('/customers');
  assert.equal((await refused).status(), 401);
  const codes = await storeCodes(page);
  assert.equal(new Set(codes).size, 10);

  await page.getByRole('heading', { name: 'Log in to Kissi' }).waitFor();
  await typePassword(page, staff);
  await answer(page, codeAt(secret, kissi.clock.now()));
  await page.getByText('INVALID_SECOND_FACTOR').waitFor();
  kissi.clock.advance(STEP_MS);
  await answer(page, codeAt(secret, kissi.clock.now()));
  await page.locator('#main').waitFor();

  const [code = ''] = codes;
  await logOut(page);
  await typePassword(page, staff);
  await answer(page, code);
  await page.locator('#main').waitFor();
  await go('/account');
  await page.getByText('9 left.').waitFor();
  await logOut(page);
  await typePassword(page, staff);
  await answer(page, code);
  await page.getByText('INVALID_SECOND_FACTOR').waitFor();
  expectRefusal(401);
  const actions = await actionsOf(staff);
  for (const action of ['second_factor.totp_enrol', 'second_factor.totp_confirm', 'session.logout']) {
    assert.ok(actions.includes(action), `${action} is not in ${actions}`);
  }

  await answer(page, codes[1] ?? '');
  await page.locator('#main').waitFor();
  await go('/account');
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await dialog.getByLabel('Your password').fill(staff.password);
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
  await assertPrintsCodes(page);
  const replaced = await storeCodes(page);
  await page.getByText('10 left.').waitFor();

  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await dialog.getByText('Code', { exact: true }).click();
  const remove = dialog.getByRole('button', { name: 'Remove', exact: true });
  for (const each of [codes[2], replaced[0]]) {
    await dialog.getByLabel('Code from your authenticator app').fill(each ?? '');
    await remove.click();
    if (each === codes[2]) await dialog.getByText('INVALID_SECOND_FACTOR').waitFor();
  }
  expectRefusal(401);
  await page.getByRole('button', { name: 'Set up' }).waitFor();
  assert.equal((await login(kissi, staff)).status, 200, 'the password alone is enough again');
  const changes = await actionsOf(staff);
  for (const action of ['second_factor.recovery_codes', 'second_factor.totp_remove'])
    assert.ok(changes.includes(action), `${action} is not in ${changes}`);
  await close();
});

async function virtualAuthenticator(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

test('a user adds a passkey and logs in with it; an open prompt does not block a code', async () => {
  const staff = await staffMember(kissi, 'support_user');
  const { page, go, close } = await open(staff);
  const { cdp, authenticatorId } = await virtualAuthenticator(page);
  await go('/account');
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Office laptop');
  await dialog.getByLabel('Your password').fill(staff.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('dialog', { name: 'Recovery codes' }).waitFor();
  const [code = ''] = await storeCodes(page);

  await typePassword(page, staff);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator('#main').waitFor();
  await go('/account');
  await page.getByText('Office laptop').waitFor();
  await page.getByText('Passkey, last used').waitFor();

  await logOut(page);
  await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled: false });
  await typePassword(page, staff);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.locator('button[data-loading]').waitFor();
  await answer(page, code);
  await page.locator('#main').waitFor();
  await go('/account');
  await page.getByRole('button', { name: 'Remove Office laptop' }).click();
  await dialog.getByLabel('Your password').fill(staff.password);
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('The passkey was removed.').waitFor();
  await page.getByRole('button', { name: 'Remove Office laptop' }).waitFor({ state: 'detached' });
  assert.equal((await login(kissi, staff)).status, 200, 'the password alone is enough again');
  const actions = await actionsOf(staff);
  for (const action of ['second_factor.passkey_add', 'second_factor.passkey_remove'])
    assert.ok(actions.includes(action), `${action} is not in ${actions}`);
  await close();
});

test('an administrator resets the second factor of a user, who then logs in with the password alone', async () => {
  const user = await totpUser(kissi);
  const admin = await staffMember(kissi, 'system_admin');
  const { page, go, check, close } = await open(admin);
  await go(`/users/${user.id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Reset the second factor' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Reset the second factor' }).click();
  await page.getByText('The second factor was reset.').waitFor();
  await check('user');
  assert.equal((await login(kissi, user)).status, 200);
  await close();
  const opened = await open(user);
  await opened.go('/account');
  await opened.page.getByRole('button', { name: 'Set up' }).waitFor();
  await opened.close();
});
