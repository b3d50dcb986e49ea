// The Krio texts: none is missing, each has the values of the English one, and agents and merchants load all of theirs.
import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { extractor } from '@lingui/cli/api';
import { makeConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
/** What agents and merchants can open. `main.tsx` loads the login and the frame. */
const ENTRIES = [
  'main.tsx',
  'screens/own-agent/pages.ts',
  'screens/own-agent/more/register.tsx',
  'screens/own-merchant/pages.ts',
  'screens/own-merchant/payouts.tsx',
  'screens/own-merchant/statement.tsx',
  'screens/own-merchant/transfer.tsx',
  'screens/own-merchant/keys.tsx',
  'screens/own-merchant/requests/pages.ts',
  'screens/own-merchant/requests/new-link.tsx',
  'components/own/qr.tsx',
  'components/own/refusal-words.ts',
  'components/own/send-receipt.tsx',
  'components/own/camera.tsx',
  'screens/own-agent/more/pages.ts',
  'screens/own-agent/more/float-requests.tsx',
  'screens/own-agent/more/waits.tsx',
  'components/own/share-link.tsx',
  'screens/own-merchant/webhooks/webhooks.tsx',
  'screens/account/account.tsx',
];
/** Imported by a name that TypeScript does not follow: components are checked with the console's settings. */
const LIST = '../src/app/screens.ts';
const { GROUPS, SCREENS }: { GROUPS: string[]; SCREENS: { title: string; navigation?: object }[] } = await import(LIST);
/** Their texts are in a catalogue that their screens load. */
const BULK = /^(components|screens|screens\/own-merchant)\/bulk-payments\//;
const REFUSALS = /^components\/own\/refusal-words\.ts$/;
const AGENT = /^(screens\/own-agent\/more\/|components\/own\/(camera|send-receipt)\.tsx)/;
/** Loaded by staff only. */
const STAFF =
  /^(app\/shell\/staff-frame\.tsx|components\/(list\/|party-picker|audit-words)|screens\/(?!own-|account\/))/;
const IMPORTED = /(?:from|import)\s*\(?\s*'(\.[^']+\.tsx?)'/g;

type Catalog = Record<string, { message?: string; translation?: string }>;
/** The texts that everybody loads, those that only staff load, and those that the screens of bulk payments load. */
let common: Catalog = {};
let staff: Catalog = {};
let bulk: Catalog = {};
/** What agents open now and then. */
let agent: Catalog = {};
/** What refusals say in Krio. */
let refusals: Catalog = {};
/** By file, all of the console. */
const messages = new Map<string, Message[]>();
const linguiConfig = makeConfig({ locales: ['en', 'kri'], sourceLocale: 'en' }, { skipValidation: true });

before(async () => {
  for await (const path of glob('**/*.{ts,tsx}', { cwd: SRC })) {
    const file = resolve(SRC, path);
    messages.set(file, await extract(file));
  }
  common = await readCatalog('locales/kri.po');
  staff = await readCatalog('locales/staff/kri.po');
  bulk = await readCatalog('locales/bulk/kri.po');
  agent = await readCatalog('locales/agent/kri.po');
  refusals = await readCatalog('locales/refusals/kri.po');
});

async function readCatalog(path: string): Promise<Catalog> {
  const context = { locale: 'kri', sourceLocale: 'en', filename: 'kri.po' };
  return (await formatter({ origins: false }).parse(await readFile(resolve(SRC, path), 'utf8'), context)) as Catalog;
}

/** The file and all that it imports, without staff's screens. */
async function collect(file: string, found: Set<string>): Promise<Set<string>> {
  if (found.has(file) || STAFF.test(relative(SRC, file))) return found;
  found.add(file);
  const code = await readFile(file, 'utf8');
  for (const [, path = ''] of code.matchAll(IMPORTED)) await collect(resolve(dirname(file), path), found);
  return found;
}

interface Message {
  id: string;
  message: string;
}

async function extract(file: string): Promise<Message[]> {
  const found: Message[] = [];
  const code = await readFile(file, 'utf8');
  if (!code.includes('@lingui/')) return found;
  const note = ({ id, message = id }: { id: string; message?: string }) => void found.push({ id, message });
  await extractor.extract(file, code, note as never, { linguiConfig } as never);
  return found;
}

const messagesOf = (files: Iterable<string>) =>
  [...files].flatMap((file) => messages.get(file) ?? assert.fail(`${file} is not in ${SRC}`));

const missingIn = (catalog: Catalog, wanted: Message[]) =>
  [...new Set(wanted.filter(({ id }) => !catalog[id]?.translation).map(({ message }) => message))].sort();

test("no text on agents' and merchants' screens is missing", async () => {
  const files = new Set<string>();
  for (const entry of ENTRIES) await collect(resolve(SRC, entry), files);
  const isBulk = (file: string) => BULK.test(relative(SRC, file));
  const isAgents = (file: string) => AGENT.test(relative(SRC, file));
  const isRefusals = (file: string) => REFUSALS.test(relative(SRC, file));
  const own = messagesOf([...files].filter((file) => !isBulk(file) && !isAgents(file) && !isRefusals(file)));
  assert.ok(own.length > 200, `${own.length} texts of ${files.size} files`);
  assert.deepEqual(missingIn(common, own), []);
  const ofAgents = messagesOf([...files].filter(isAgents));
  assert.ok(ofAgents.length > 20, `${ofAgents.length} texts`);
  assert.deepEqual(missingIn({ ...common, ...agent }, ofAgents), []);
  const ofRefusals = messagesOf([...files].filter(isRefusals));
  assert.ok(ofRefusals.length > 30, `${ofRefusals.length} texts`);
  assert.deepEqual(missingIn({ ...common, ...refusals }, ofRefusals), []);
  const ofBulkPayments = messagesOf([...files].filter(isBulk));
  assert.ok(ofBulkPayments.length > 100, `${ofBulkPayments.length} texts`);
  assert.deepEqual(missingIn({ ...common, ...bulk }, ofBulkPayments), []);
});

test('every screen of bulk payments loads their texts', async () => {
  let screens = 0;
  for (const file of messages.keys()) {
    if (BULK.test(relative(SRC, file)) && !file.endsWith('/screens.ts')) continue;
    const code = (await readFile(file, 'utf8')).replaceAll(/withBulkTexts\(\(\) => import\('[^']+'\)\)/g, () => {
      screens += 1;
      return '';
    });
    for (const [, path = ''] of code.matchAll(IMPORTED)) {
      const imported = relative(SRC, resolve(dirname(file), path));
      const isScreen = BULK.test(imported) && /\.tsx$/.test(imported);
      assert.ok(!isScreen, `${relative(SRC, file)} shows ${imported} without its texts`);
    }
  }
  assert.ok(screens >= 4, `${screens} screens`);
});

test('no text for staff is missing', () => {
  const all = messagesOf(messages.keys());
  assert.ok(all.length > 1_500, `${all.length} texts of ${messages.size} files`);
  assert.deepEqual(missingIn({ ...common, ...staff, ...bulk, ...agent, ...refusals }, all), []);
});

test('all catalogues translate a text alike', () => {
  for (const [id, { message = id, translation }] of [...Object.entries(common), ...Object.entries(staff)]) {
    for (const other of [staff, bulk, agent, refusals])
      if (other[id]) assert.equal(other[id].translation, translation, message);
  }
});

test('each title in the navigation has a Krio text', () => {
  const titles = messagesOf([resolve(SRC, 'app/titles.ts')]).map(({ message }) => message);
  const shown = SCREENS.filter(({ navigation }) => navigation).map(({ title }) => title);
  assert.deepEqual(new Set(titles), new Set([...GROUPS, ...shown]));
});

test('each Krio text has the values, plurals and elements of the English one', () => {
  const parts = (text: string) =>
    [...text.matchAll(/\{(\w+)(?=[,}])|<\/?\d+\/?>/g)].map(([whole, name]) => name ?? whole).toSorted();
  const translated = [common, staff, bulk, agent]
    .flatMap(Object.entries<Catalog[string]>)
    .filter(([, each]) => each.translation);
  assert.ok(translated.length > 1_500);
  for (const [id, { message = id, translation = '' }] of translated) {
    assert.deepEqual(parts(translation), parts(message), message);
  }
});
