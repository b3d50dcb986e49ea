// The browser of the tests on a Linux machine on which none is installed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HAS_PACKAGE, startChromium } from './chromium.ts';

const NOTHING_INSTALLED = { PATH: '' };
const ADVICE = 'There is no Chromium. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.';

const ON_LINUX = { skip: process.platform !== 'linux' && 'a Mac has its browsers in fixed places' };
const NAME =
  'without an installed Chromium that of the npm package starts; where it has none, one line says how to get one';

test(NAME, ON_LINUX, async () => {
  if (!HAS_PACKAGE) {
    await assert.rejects(() => startChromium(NOTHING_INSTALLED), { message: ADVICE });
    return;
  }
  const browser = await startChromium(NOTHING_INSTALLED);
  try {
    const page = await browser.newPage();
    await page.setContent('<h1>Kissi</h1>');
    assert.equal(await page.textContent('h1'), 'Kissi');
  } finally {
    await browser.close();
  }
});
