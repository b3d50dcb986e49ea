// Every screen with data, in both appearances at three widths: accessible and without an error; not too wide at five widths.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { temporaryFolder } from '@kissi/testkit/service';
import { ensureBuilt } from '../../../packages/console/scripts/build.ts';
import { type OpenUser, visitEveryScreen } from '../../../packages/console/scripts/visits/addresses.ts';
import { type Visitor, visitorOf } from '../../../packages/console/scripts/visits/visitor.ts';
import { runDemo } from '../../../scripts/demo/run.ts';
import { createClient, createSession, must } from '../../../scripts/demo/runtime/client.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { browserForFile } from '../chromium.ts';
import { type AxeOptions, overflowOf, PHONE_WIDTH, TABLET_WIDTH, violationsOf, WIDTHS } from '../page.ts';
import { type ConsolePage, openConsole } from './console.ts';
import { OPENED_PARTS } from './opened-parts.ts';

/** The first of them who may open a screen opens it. */
const ROLES = ['system_admin', 'super_agent', 'processor'];
const HEIGHT = 900;
/** Only what is too wide is found there: the smallest phones, and large displays. */
const OTHER_WIDTHS = [320, 1920];

const silent = { begin: () => undefined, update: () => undefined, end: () => undefined };

await ensureBuilt();
const folder = await temporaryFolder();
const demo = await runDemo(
  {
    seed: 'screens',
    subscribers: 60,
    days: 3,
    rate: 0,
    fresh: false,
    env: { PORT: '0', DATA_DIR: folder.path },
    signal: new AbortController().signal,
  },
  silent,
);
const browser = await browserForFile();
after(async () => {
  await demo.stop();
  await folder.remove();
});
const users = await Promise.all(ROLES.map(openUser));
const everybody = users.map((user) => ({ user, screen: '/account', address: '/account' }));
const visits = [...(await visitEveryScreen(users)), ...everybody];

async function openUser(role: string): Promise<OpenUser> {
  const { email } = demo.country.logins.find((login) => login.role === role) ?? assert.fail(role);
  const client = createClient(demo.address, systemClock);
  const session = createSession(client, systemClock, { email, password: demo.country.password });
  const read = (path: string) => must(session.call('GET', path), path);
  const { permissions, agent_id, processor_id } = await read('/admin/me');
  return { email, role, permissions, partyId: agent_id ?? processor_id, read };
}

type Window = ConsolePage & { visitor: Visitor };

const windows = new Map<string, Promise<Window>>();

/** One login for all screens of a role. */
function windowOf({ email }: OpenUser) {
  const open = async () => {
    const opened = await openConsole(browser, demo.address, { email, password: demo.country.password });
    return { ...opened, visitor: visitorOf(opened.page) };
  };
  const found = windows.get(email) ?? open();
  windows.set(email, found);
  return found;
}

/**
 * The appearance changes colours only, and a tablet has the colours of a desktop: measuring contrasts takes most of the
 * time.
 */
function toCheck(width: number, colorScheme: 'light' | 'dark'): AxeOptions {
  const isTablet = width === TABLET_WIDTH;
  if (colorScheme === 'dark') return { only: isTablet ? [] : ['color-contrast'] };
  return isTablet ? { except: ['color-contrast'] } : {};
}

/** In both appearances. `selector`: only this part is checked for accessibility. */
async function faultsAt(width: number, { page, visitor }: Window, selector?: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await visitor.settled();
    const excess = await overflowOf(page);
    const violations = await violationsOf(page, { ...toCheck(width, colorScheme), ...(selector && { selector }) });
    const found = [...(excess > 0 ? [`${excess} px too wide`] : []), ...violations];
    faults.push(...found.map((fault) => `${width} px, ${colorScheme}: ${fault}`));
  }
  return faults;
}

for (const { user, screen, address } of visits) {
  test(`${screen} as ${user.role}`, async () => {
    const window = await windowOf(user);
    const { page, errors, visitor } = window;
    const faults: string[] = [];
    await visitor.open(address);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      faults.push(...(await faultsAt(width, window)));
    }
    for (const width of OTHER_WIDTHS) {
      await page.setViewportSize({ width, height: HEIGHT });
      await visitor.settled();
      const excess = await overflowOf(page);
      if (excess > 0) faults.push(`${width} px: ${excess} px too wide`);
    }
    const [headings, refusals] = [page.locator('#main h1'), page.locator('#main [role=alert] code')];
    assert.deepEqual([...faults, ...errors.splice(0)], []);
    assert.deepEqual([await headings.count(), await refusals.count()], [1, 0], 'the screen shows its data');
    assert.equal(
      await page.locator('#main :is(dt, h2, h3, label, button:not([aria-label])):empty').count(),
      0,
      'no name is empty',
    );
  });
}

for (const { name, role, screen, selector, open } of OPENED_PARTS) {
  test(`${name} as ${role}`, async () => {
    const { user, address } = visits.find((visit) => visit.screen === screen) ?? assert.fail(screen);
    const window = await windowOf(user);
    const { page, errors, visitor } = window;
    const faults: string[] = [];
    for (const width of WIDTHS.filter((each) => each !== TABLET_WIDTH)) {
      await page.setViewportSize({ width, height: HEIGHT });
      // Another screen first, which closes what the last one opened.
      await visitor.open('/account');
      await visitor.open(address);
      await open(page);
      await page.locator(selector).first().waitFor();
      faults.push(...(await faultsAt(width, window, selector)));
      await page.keyboard.press('Escape');
    }
    assert.deepEqual([...faults, ...errors.splice(0)], []);
  });
}

test('the screens of agents and merchants fit a phone in Krio', async () => {
  const tooWide: string[] = [];
  for (const user of users.filter(({ partyId }) => partyId)) {
    const { page, visitor } = await windowOf(user);
    await page.setViewportSize({ width: PHONE_WIDTH, height: HEIGHT });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('button', { name: 'Krio' }).click();
    await page.locator('html[lang=kri]').waitFor();
    for (const { address } of visits.filter((visit) => visit.user === user)) {
      await visitor.open(address);
      const excess = await overflowOf(page);
      if (excess > 0) tooWide.push(`${address}: ${excess} px`);
    }
  }
  assert.deepEqual(tooWide, []);
});
