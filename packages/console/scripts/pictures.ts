// npm run docs:console: runs the demo in a temporary folder, and writes pictures of the main screens to docs/console.
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type RunningDemo, runDemo } from '../../../scripts/demo/run.ts';
import { createClient, createSession, must } from '../../../scripts/demo/runtime/client.ts';
import { Progress } from '../../../scripts/demo/runtime/print.ts';
import { startChromium } from '../../../test/browser/chromium.ts';
import { ensureBuilt } from './build.ts';
import { PICTURES, type Picture } from './picture-list.ts';
import { type OpenUser, visitEveryScreen } from './visits/addresses.ts';
import { logIn, type Visitor, visitorOf } from './visits/visitor.ts';

const FOLDER = fileURLToPath(new URL('../../../docs/console', import.meta.url));
const MAX_BYTES = 200_000;
const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const PHONE = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 };

/** A Thursday afternoon, so that each run shows the same day. The clocks of the service and of the browser stand still. */
const NOW = Date.parse('2026-11-12T15:40:00Z');
const DEMO = { seed: 'salone', subscribers: 2_400, days: 60, rate: 0, fresh: false, until: NOW };

await ensureBuilt();
const folder = await mkdtemp(join(tmpdir(), 'kissi-pictures-'));
// PostgreSQL runs as another user if root runs this.
await chmod(folder, 0o755);
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
try {
  const env = { PORT: '0', DATA_DIR: folder };
  const demo = await runDemo({ ...DEMO, env, signal: stopping.signal }, new Progress());
  const browser = await startChromium();
  try {
    await takeAll(demo, browser);
  } finally {
    await browser.close();
    await demo.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exit();

async function takeAll(demo: RunningDemo, browser: Browser): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const roles = [...new Set(PICTURES.map(({ role }) => role))];
  const users = await Promise.all(roles.map((role) => openUser(demo, role)));
  const addresses = new Map((await visitEveryScreen(users)).map(({ screen, address }) => [screen, address]));
  for (const user of users) {
    for (const isPhone of [false, true]) {
      const pictures = PICTURES.filter((each) => each.role === user.role && (each.isPhone ?? false) === isPhone);
      if (pictures.length === 0) continue;
      const { page, visitor, close } = await openWindow(browser, demo, user, isPhone);
      for (const picture of pictures)
        await take(page, visitor, picture, addresses.get(picture.screen) ?? picture.screen);
      await close();
    }
  }
  await writeFile(join(FOLDER, 'README.md'), readme());
}

async function openUser({ address, country }: RunningDemo, role: string): Promise<OpenUser> {
  const login = country.logins.find((each) => each.role === role);
  if (!login) throw new Error(`the demo has no ${role}`);
  const clock = { now: () => NOW };
  const session = createSession(createClient(address, clock), clock, { ...login, password: country.password });
  const read = (path: string) => must(session.call('GET', path), path);
  const { permissions, agent_id, processor_id } = await read('/admin/me');
  return { email: login.email, role, permissions, partyId: agent_id ?? processor_id, read };
}

async function openWindow(browser: Browser, demo: RunningDemo, { email }: OpenUser, isPhone: boolean) {
  const context = await browser.newContext({ ...(isPhone ? PHONE : DESKTOP), reducedMotion: 'reduce' });
  await context.clock.setFixedTime(NOW);
  const page = await context.newPage();
  const visitor = visitorOf(page);
  // Browsers keep a Secure cookie without TLS on localhost only.
  await page.goto(`${demo.address.replace('127.0.0.1', 'localhost')}/console/`);
  await logIn(page, { email, password: demo.country.password });
  return { page, visitor, close: () => context.close() };
}

async function take(page: Page, visitor: Visitor, picture: Picture, address: string): Promise<void> {
  await page.emulateMedia({ colorScheme: picture.isDark ? 'dark' : 'light' });
  await visitor.open(address);
  await page.evaluate('scrollTo(0, 0)');
  await picture.prepare?.(page);
  await visitor.settled();
  const path = join(FOLDER, `${picture.name}.png`);
  await page.screenshot({ path, animations: 'disabled', caret: 'hide' });
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes, more than ${MAX_BYTES}`);
  process.stdout.write(`  ✓ ${picture.name}.png, ${Math.round(size / 1_000)} KB\n`);
}

function readme(): string {
  const show = ({ name, title, text, isPhone }: Picture) =>
    `## ${title}\n\n${text}\n\n${isPhone ? `<img src="${name}.png" alt="${title}" width="360">` : `![${title}](${name}.png)`}`;
  const intro =
    'Pictures of the main screens, with the data of the demo. `npm run docs:console` takes them again.\n' +
    'To open them yourself: `npm run demo`, then http://127.0.0.1:8080/console with one of the printed logins.';
  return `# The console\n\n${intro}\n\n${PICTURES.map(show).join('\n\n')}\n`;
}
