// Paying many in the browser: a merchant's login uploads a file, another one approves it, and both see what becomes of each row.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Actor } from '../../../src/audit/log.ts';
import { hashPassword } from '../../../src/auth/passwords.ts';
import type { Queries } from '../../../src/db/database.ts';
import { csvOf, type FileRow, HEADER } from '../../support/bulk-payments.ts';
import { directPayments, type Merchant } from '../../support/processors.ts';
import { assertStatus, PASSWORD, staffMember } from '../../support/staff.ts';
import type { View } from '../page.ts';
import { type Credentials, consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const PHONE = { width: 360 };
const DESKTOP = { width: 1280 };

const { kissi, bank, browser } = await consoleForFile();
const { fundedMerchant } = directPayments(kissi, bank);

/** Nobody is its author. */
const AUTHOR: Actor = { caller: { kind: 'service', id: 'test' }, ip: '', requestId: 'test' };
let logins = 0;

/** Nobody created both, so that they are independent. */
async function newLogin({ id }: Merchant): Promise<Credentials> {
  logins += 1;
  const email = `login.${logins}@example.com`;
  const names = { first_name: 'Isha', last_name: 'Bangura', phone_number: `+23234${String(logins).padStart(6, '0')}` };
  const fields = { email, ...names, password_hash: await hashPassword(PASSWORD), role: 'processor' as const };
  const { users } = kissi.gateway.services;
  const create = (trx: Queries) => users.createLogin(trx, AUTHOR, { ...fields, owner: { processor_id: id } });
  assert.ok(await kissi.db.database.transact(create));
  return { email, password: PASSWORD };
}

const opened = async (login: Credentials, view: View = PHONE) =>
  screenOf(await openConsole(browser, kissi.url, login, view));
type Opened = Awaited<ReturnType<typeof opened>>;

async function shoot({ page }: Opened, name: string) {
  const { SHOTS } = process.env;
  if (!SHOTS) return;
  const before = page.viewportSize() ?? { width: 360, height: 900 };
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [320, 360, 1280]) {
      await page.setViewportSize({ width, height: width < 400 ? 800 : 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png`, fullPage: true });
    }
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.setViewportSize(before);
}

const file = (rows: readonly FileRow[], name = 'nurses-november.csv') => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(csvOf(rows)),
});

async function upload(window: Opened, content: ReturnType<typeof file>, choose?: () => Promise<void>) {
  const { page, button } = window;
  await button('Upload a file').click();
  await page.locator('input[type=file]').setInputFiles(content);
  await choose?.();
  await button('Upload and check').click();
}

const numberOf = (page: Opened['page']) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('a merchant uploads a file, a second login approves it, and both see who was paid', async () => {
  const merchant = await fundedMerchant(500_000);
  const [nurse, other, third] = await Promise.all([bank.wallet(), bank.wallet(), bank.wallet()]);
  const uploader = await opened(await newLogin(merchant));
  await uploader.go('/shop/bulk-payments');
  await uploader.page.getByText('No bulk payments yet').waitFor();
  await uploader.check('no bulk payments');
  await shoot(uploader, 'none');

  await uploader.button('Upload a file').click();
  await uploader.page.getByText('Drop the file here').waitFor();
  await uploader.check('the upload of a file');
  await shoot(uploader, 'upload');
  const [template] = await Promise.all([
    uploader.page.waitForEvent('download'),
    uploader.button('Download a template').click(),
  ]);
  assert.equal(template.suggestedFilename(), 'bulk-payment.csv');
  await uploader.button('Cancel').click();

  const rows: FileRow[] = [
    { phone: nurse.phone, amount: '1250.00', description: 'Salary November' },
    { phone: other.phone, name: 'Somebody Else', amount: '1000.50' },
    { phone: third.phone, amount: '10.00' },
    { phone: '+23299000001', name: 'Mariama Bangura', amount: '75.00' },
    { phone: '12', name: 'Ibrahim Turay', amount: '75.00' },
  ];
  const content = file(rows);
  await upload(uploader, content);
  await uploader.page.getByText('Checked, and waits for approval').waitFor();
  await uploader.page.getByText('3 of 5 rows can be paid.').waitFor();
  await uploader.page.getByText('No active wallet has this number.').waitFor();
  await uploader.page.getByText('This is not a phone number.').waitFor();
  await uploader.page.getByText('You uploaded it, so another login approves it.').waitFor();
  assert.equal(await uploader.button('Approve').count(), 0);
  await uploader.check('a checked bulk payment');
  await shoot(uploader, 'checked');
  await uploader.button('Another name 1').click();
  await uploader.page.getByText('The wallet with this number has another name than “Somebody Else”.').waitFor();
  await uploader.check('rows with another name');
  await shoot(uploader, 'another-name');

  const approver = await opened(await newLogin(merchant));
  await approver.go('/shop/bulk-payments');
  await approver.page.getByText('nurses-november').click();
  await approver.button('Approve').click();
  await approver.page.getByText('Compare it with your own copy of the file').click();
  await approver.page.locator('input[type=file]').setInputFiles(file(rows.slice(1)));
  await approver.page.getByText('It is another file. Do not approve this one.').waitFor();
  assert.equal(await approver.button(/^Approve SLE/).isDisabled(), true);
  await approver.check('another file');
  await shoot(approver, 'approve');
  await approver.page.locator('input[type=file]').setInputFiles(content);
  await approver.page.getByText('It is the same file.').waitFor();
  await approver.button('Approve SLE 2,260.50').click();
  await approver.page.getByText('Completed, and not everybody is paid').waitFor();
  await approver.page.getByText('3 of 3 rows are paid.').waitFor();
  assert.deepEqual(
    await Promise.all([nurse, other, third].map(({ id }) => bank.balance(id))),
    [125_000, 100_050, 1_000],
  );
  await approver.check('a completed bulk payment');
  await shoot(approver, 'completed');
  await uploader.page.getByText('Completed, and not everybody is paid').waitFor();
  await uploader.button('Paid 3').click();
  await uploader.page.getByText('Salary November').waitFor();

  const [csv] = await Promise.all([uploader.page.waitForEvent('download'), uploader.button('Report (CSV)').click()]);
  assert.equal(csv.suggestedFilename(), `${numberOf(uploader.page)}.csv`);
  assert.match(await readFile(await csv.path(), 'utf8'), /INVALID_PHONE_NUMBER/);
  const [pdf] = await Promise.all([uploader.page.waitForEvent('download'), uploader.button('Report (PDF)').click()]);
  assert.equal(pdf.suggestedFilename(), `${numberOf(uploader.page)}.pdf`);
  await uploader.check('a completed bulk payment of the uploader');
  await Promise.all([uploader.close(), approver.close()]);
});

test('a file that is wrong is refused with its line, and a file that is sent twice leads to the first one', async () => {
  const merchant = await fundedMerchant(100_000);
  const nurse = await bank.wallet();
  const shop = await opened(await newLogin(merchant));
  const { page, button } = shop;
  await shop.go('/shop/bulk-payments');
  const wrong = {
    name: 'wrong.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${HEADER}\nA-1,${nurse.phone},,12x,\n`),
  };
  await upload(shop, wrong);
  await page.getByText('Line 2, column amount: "12x" is not an amount in leones').waitFor();
  shop.expectRefusal(400);
  await shop.check('a faulty file');
  await shoot(shop, 'faulty');

  const right = file([{ phone: nurse.phone, amount: '5.00' }]);
  await page.locator('input[type=file]').setInputFiles(right);
  await button('Upload and check').click();
  await page.getByText('1 of 1 rows can be paid.').waitFor();
  const first = numberOf(page);
  await shop.go('/shop/bulk-payments');
  await upload(shop, right);
  await page.getByText('The same file was uploaded before').waitFor();
  shop.expectRefusal(409);
  await page.getByText('Open the one with the same file').click();
  await page.getByText('1 of 1 rows can be paid.').waitFor();
  assert.equal(numberOf(page), first);

  await button('Cancel it').click();
  await shop.check('before it is cancelled');
  await page.locator('#main form').getByRole('button', { name: 'Cancel it' }).click();
  await page.getByText('Cancelled. Nobody was paid.').waitFor();
  await shop.check('a cancelled bulk payment');
  assert.equal(await bank.balance(nurse.id), 0);
  await shop.close();
});

test('a bulk payment starts later, is stopped before, and is not approved without the money', async () => {
  const merchant = await fundedMerchant(1_000);
  const nurse = await bank.wallet();
  const [uploader, approver] = [await newLogin(merchant), await newLogin(merchant)];
  const sender = await opened(uploader);
  await sender.go('/shop/bulk-payments');
  await upload(sender, file([{ phone: nurse.phone, amount: '25.00' }], 'too-much.csv'));
  await sender.page.getByText('SLE 15.00 is missing in the balance.').waitFor();
  await sender.check('a bulk payment without the money');
  await shoot(sender, 'missing');

  const shop = await opened(approver);
  const { page, button } = shop;
  await shop.go(`/shop/bulk-payments/${numberOf(sender.page)}`);
  await button('Approve').click();
  await page.getByText('When it was checked, SLE 15.00 was missing.').waitFor();
  await button('Approve SLE 25.00').click();
  await page
    .getByRole('alert')
    .getByText(/does not cover/)
    .waitFor();
  shop.expectRefusal(402);
  await button('Cancel').click();

  await sender.go('/shop/bulk-payments');
  await upload(sender, file([{ phone: nurse.phone, amount: '2.50' }], 'later.csv'));
  await sender.page.getByText('1 of 1 rows can be paid.').waitFor();
  await shop.go(`/shop/bulk-payments/${numberOf(sender.page)}`);
  await button('Approve').click();
  await page.getByText('Start only if all rows can be paid').click();
  await page.getByText('Start later').click();
  const tomorrow = new Date(kissi.clock.now() + 86_400_000).toISOString().slice(0, 16);
  await page.getByLabel(/^Start \(/).fill(tomorrow);
  await shop.check('a later start');
  await shoot(shop, 'later');
  await button('Approve SLE 2.50').click();
  await page.getByText('Approved, and starts on').waitFor();
  await shop.check('an approved bulk payment');
  await button('Stop').click();
  await shop.check('before it is stopped');
  await page.locator('#main form').getByRole('button', { name: 'Stop' }).click();
  await page.locator('section b', { hasText: 'Stopped' }).waitFor();
  await button('Cancelled 1').waitFor();
  await shop.check('a stopped bulk payment');
  await shoot(shop, 'stopped');
  assert.equal(await bank.balance(nurse.id), 0);
  await Promise.all([sender.close(), shop.close()]);
});

test('rows that failed are retried as a new bulk payment, and numbers without a wallet get a code', async () => {
  const merchant = await fundedMerchant(1_000_000);
  const [nurse, blocked] = await Promise.all([bank.wallet(), bank.wallet()]);
  const [sender, shop] = [await opened(await newLogin(merchant)), await opened(await newLogin(merchant))];
  await sender.go('/shop/bulk-payments');
  const rows = [{ phone: nurse.phone }, { phone: blocked.phone }, { phone: '+23299000002', name: 'Without Wallet' }];
  await upload(sender, file(rows), () => sender.page.getByLabel('Pay numbers without a wallet by a code').check());
  await sender.page.getByText('1 number has no wallet and gets a code by SMS.').waitFor();
  await sender.page.getByText('3 of 3 rows can be paid.').waitFor();
  const reason = { reason: 'Lost phone' };
  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/block`, reason), 200);

  await shop.go(`/shop/bulk-payments/${numberOf(sender.page)}`);
  await shop.button('Approve').click();
  await shop.page.getByText('1 number without a wallet gets a cash-out code by SMS.').waitFor();
  await shoot(shop, 'approve-codes');
  await shop.button(/^Approve SLE/).click();
  await shop.page.getByText('Completed, and not everybody is paid').waitFor();
  await shop.page.getByText('1 row failed.').waitFor();
  await shop.button('Code sent 1').waitFor();
  await shop.check('failed rows');
  await shoot(shop, 'failed');

  assertStatus(await kissi.asAdmin.post(`/subscribers/${blocked.id}/unblock`, reason), 200);
  const first = numberOf(shop.page);
  await shop.button('Retry the failed rows').click();
  await shop.check('before failed rows are retried');
  await shop.button('Retry').click();
  await shop.page.getByText('1 of 1 rows can be paid.').waitFor();
  assert.notEqual(numberOf(shop.page), first);
  await shop.page.getByText('You uploaded it, so another login approves it.').waitFor();
  await sender.go(`/shop/bulk-payments/${numberOf(shop.page)}`);
  await sender.button('Approve').click();
  await sender.button(/^Approve SLE/).click();
  await sender.page.getByText('Everybody is paid').waitFor();
  assert.deepEqual(await Promise.all([nurse, blocked].map(({ id }) => bank.balance(id))), [10_000, 10_000]);
  await Promise.all([sender.close(), shop.close()]);
});

test('finance uploads for the treasury, another finance user approves, and support sees the rows only', async () => {
  const nurse = await bank.wallet();
  const [first, second, third] = await Promise.all([
    staffMember(kissi, 'finance_user'),
    staffMember(kissi, 'finance_user'),
    staffMember(kissi, 'support_user'),
  ]);
  const maker = await opened(first, DESKTOP);
  await maker.go('/bulk-payments');
  const dialog = await maker.open('Upload a file');
  await dialog.getByLabel('Who pays').selectOption('Treasury');
  await dialog.locator('input[type=file]').setInputFiles(file([{ phone: nurse.phone }], 'refunds.csv'));
  await shoot(maker, 'staff-upload');
  await maker.confirm('Upload and check');
  await maker.page.getByText('1 of 1 rows can be paid.').waitFor();
  const address = `/bulk-payments/${numberOf(maker.page)}`;
  await maker.check('a bulk payment of the treasury');
  await maker.open('Cancel it');
  await maker.confirm('Cancel');

  const reader = await opened(third, DESKTOP);
  await reader.go(address);
  await reader.page.getByText('1 of 1 rows can be paid.').waitFor();
  assert.equal(await reader.button('Approve').count(), 0);
  assert.equal(await reader.button('Cancel it').count(), 0);

  const checker = await opened(second, DESKTOP);
  await checker.go('/bulk-payments');
  await checker.page.getByText('refunds').first().click();
  const approval = await checker.open('Approve');
  await approval.getByText('Compare it with your own copy of the file').click();
  await checker.checkOpened('the approval');
  await shoot(checker, 'staff-approve');
  await checker.confirm('Approve SLE 100.00');
  await checker.page.getByText('Everybody is paid').waitFor();
  await checker.check('a completed bulk payment of the treasury');
  await shoot(checker, 'staff-completed');
  assert.equal(await bank.balance(nurse.id), 10_000);
  await checker.go('/bulk-payments?treasury=true&status=completed');
  await checker.page.getByText('refunds').first().waitFor();
  await checker.page.getByText('1–1 of 1 bulk payments').waitFor();
  await checker.check('all bulk payments');
  await shoot(checker, 'staff-list');
  await Promise.all([maker, reader, checker].map(({ close }) => close()));
});
