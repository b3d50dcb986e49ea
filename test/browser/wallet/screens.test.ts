// Every screen of the wallet, in both languages: accessible in light and dark colours, and not too wide on any device.
// `PICTURES=folder` also stores a picture of each in four views.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loginCode } from '../../support/customers.ts';
import { assertStatus } from '../../support/gateway.ts';
import { PIN, WRONG_PIN } from '../../support/money.ts';
import { shopOf } from '../../support/payment-requests.ts';
import { openWallet, type WalletPage, walletsForFile } from './wallet.ts';

const { kissi, bank, browser } = await walletsForFile({ env: { USSD_SERVICE_CODE: '*715#' } });
const folder = process.env.PICTURES;
if (folder) await mkdir(folder, { recursive: true });

/** What a thumb cannot hit: lower than 44 pixels. Links within a sentence may be. */
const SMALL = `[...document.querySelectorAll('button, input:not(.choice input), select, a:not(p a), .choice label')]
  .filter((each) => { const { height } = each.getBoundingClientRect(); return height > 0 && height < 44; })
  .filter((each) => !each.closest('label.switch'))
  .map((each) => each.outerHTML.slice(0, 120))`;

interface View {
  width: number;
  dark: boolean;
}

const both = (width: number): View[] => [false, true].map((dark) => ({ width, dark }));
const VIEWS = { en: [...both(320), ...both(360), ...both(768), ...both(1280)], kri: [...both(320), ...both(1280)] };
const HEIGHTS: Record<number, number> = { 320: 568, 360: 740, 768: 1024, 1280: 800 };
const PICTURED = [360, 1280];

for (const language of ['en', 'kri'] as const) {
  test(`every screen is accessible and fits, in ${language}`, async () => {
    const { phone, wallet, other } = await customerOnPhone(language);
    const { page } = phone;
    let count = 0;

    const check = async (name: string) => {
      count += 1;
      phone.forgetFailures();
      const views = folder ? [...VIEWS[language], ...both(360)] : VIEWS[language];
      for (const { width, dark } of views) {
        await page.setViewportSize({ width, height: HEIGHTS[width] ?? 800 });
        await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light', reducedMotion: 'reduce' });
        await phone.check(`${name}, ${width} pixels, ${dark ? 'dark' : 'light'}`);
        assert.deepEqual(await page.evaluate(SMALL), [], `${name}: too small for a thumb`);
        if (!folder || !PICTURED.includes(width)) continue;
        const file = `${language}-${width}-${dark ? 'dark' : 'light'}-${String(count).padStart(2, '0')}-${name}.png`;
        await page.screenshot({ path: join(folder, file), caret: 'hide' });
      }
      await page.setViewportSize({ width: 360, height: 740 });
    };
    const open = (path: string) =>
      page.evaluate(
        `history.pushState({ step: 0, depth: 1 }, '', '/wallet${path}'); dispatchEvent(new Event('popstate'))`,
      );
    const submit = () => page.locator('button[type=submit]').click();
    const shown = (selector: string) => page.locator(selector).first().waitFor();
    const enter = async (selector: string, text: string) => {
      await page.locator(selector).first().fill(text);
    };

    await check('login');
    await submit();
    await check('login-refused');
    await enter('input[type=tel]', wallet.phone);
    await submit();
    await shown('[autocomplete=one-time-code]');
    await enter('[autocomplete=one-time-code]', await loginCode(kissi, wallet.phone));
    await enter('.pin[autocomplete=off]', PIN);
    await check('code');
    await submit();
    await shown('.row .came');
    await check('home');
    await page.locator('.balance > button').click();
    await shown('.balance .amount:not([aria-hidden])');
    await check('home-balance');

    await open('/send');
    await check('send');
    await enter('input[type=tel]', other.phone);
    await submit();
    await enter('.sum', '25.50');
    await check('amount');
    await submit();
    await enter('.pin', WRONG_PIN);
    await check('confirm');
    await submit();
    await shown('.note.fault');
    await check('wrong-pin');
    await enter('.pin', PIN);
    await submit();
    await shown('.big.done');
    await check('paid');
    await page.locator('main button.second').click();
    await shown('dl');
    await check('transaction');

    await open('/pay');
    await check('pay');
    await open('/ask');
    await enter('.sum', '15');
    await submit();
    await check('ask');
    await enter('input[maxlength="100"]', 'Rice and fish');
    await submit();
    await shown('.qr');
    await check('own-request');
    await open('/requests');
    await shown('.row');
    await check('requests');
    await page.locator('.row').first().click();
    await shown('dl');
    await check('incoming-request');

    await open('/withdraw');
    await enter('.sum', '100');
    await check('withdraw');
    await submit();
    await enter('.pin', PIN);
    await check('withdraw-confirm');
    await submit();
    await shown('.big.done');
    await check('cash-out-code');
    await open('/');
    await open('/withdraw');
    await shown('.card');
    await check('withdraw-live-code');

    for (const name of ['more', 'transactions', 'statement', 'cards', 'devices', 'pin', 'settings']) {
      await open(`/${name}`);
      if (name !== 'statement' && name !== 'pin') await shown('.card');
      await check(name);
    }

    await open('/send');
    await enter('input[type=tel]', other.phone);
    await submit();
    await enter('.sum', '12');
    await submit();
    await page.route('**/me/transfers', (route) => route.abort());
    await enter('.pin', PIN);
    await submit();
    await shown('.bar button[type=submit]');
    await check('lost');
    await page.reload();
    await shown('.pin');
    await check('unlock');
    assert.ok(count >= 28);
    await phone.close();
  });
}

async function customerOnPhone(language: 'en' | 'kri') {
  const { wallet } = await bank.customer(1_250_000);
  const other = await bank.wallet(100_000, { first_name: 'Mohamed', last_name: 'Conteh' });
  const transfer = async (from: string, to: string, amount: number) => {
    const body = { sender_id: from, recipient_id: to, amount, pin: PIN, request_id: `${language}-${amount}` };
    assertStatus(await bank.post('/wallet/transfer', body), 200);
  };
  await transfer(wallet.id, other.id, 120_000);
  await transfer(other.id, wallet.id, 7_500);
  const shop = await shopOf(kissi);
  await shop.asked({ payer_phone: wallet.phone, description: 'Order 7, grilled fish' });
  const phone: WalletPage = await openWallet(browser, kissi);
  await phone.page.evaluate(`localStorage.setItem('kissi-language', '${language}')`);
  await phone.page.reload();
  return { phone, wallet, other };
}
