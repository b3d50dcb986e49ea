// Paying many in the browser: a merchant's login uploads a file, another one approves it, and both see what becomes of each row.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Actor } from '../../../src/audit/log.ts';
import { hashPassword } from '../../../src/auth/passwords.ts';
import type { Queries } from '../../../src/db/database.ts';
import { csvOf, type FileRow, HEADER } from '../../support/bulk-payments.ts';
import { directPayments, type Merchant } from '../../support/processors.ts';
import { PASSWORD } from '../../support/staff.ts';
import { type Credentials, consoleForFile, openConsole } from './console.ts';
import { screenOf } from './dialogs.ts';

const PHONE = { width: 360 };

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

const opened = async (login: Credentials, view = PHONE) => screenOf(await openConsole(browser, kissi.url, login, view));
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
  assert.deepEqual(await Promise.all([nurse, other, third].map(({ id }) => bank.balance(id))), [125_000, 100_050, 1_000]);
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
