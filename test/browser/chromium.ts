// Finds and starts a real Chromium: CHROMIUM_PATH, else an installed one, else the one of an npm package, which is for Linux x64.
import { access, constants, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';
import { closeWindows } from './windows.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
export const HAS_PACKAGE = process.platform === 'linux' && process.arch === 'x64';
const MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

let running: Promise<Browser> | undefined;

/** One for all files of a process, one after another: starting it costs more than many tests. */
export async function browserForFile(): Promise<Browser> {
  if (!process.connected) {
    const browser = await startChromium();
    after(() => browser.close());
    return browser;
  }
  running ??= startUntilDisconnected();
  const browser = await running;
  after(() => closeWindows(browser));
  return browser;
}

/** Its files are not in the folder of the first file, which is removed with that file. */
async function startUntilDisconnected(): Promise<Browser> {
  const folder = tmpdir();
  process.env.TMPDIR = await mkdtemp(join(dirname(folder), 'browser-'));
  const browser = await startChromium().finally(() => {
    process.env.TMPDIR = folder;
  });
  process.once('disconnect', () => void browser.close());
  return browser;
}

export async function startChromium(env = process.env, args: readonly string[] = []): Promise<Browser> {
  const executablePath = await chromiumPath(env);
  // The sandbox of Chromium refuses to run as root, as tests in a container often do.
  const chromiumSandbox = process.getuid?.() !== 0;
  return chromium.launch({ executablePath, chromiumSandbox, args: ['--process-per-site', ...args] });
}

async function chromiumPath({ CHROMIUM_PATH, PATH = '' }: NodeJS.ProcessEnv): Promise<string> {
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const installed = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const path of [...installed, ...MAC]) if (await isExecutable(path)) return path;
  if (HAS_PACKAGE) return unpacked();
  throw new Error('There is no Chromium. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.');
}

/** Into the directory for temporary files, which no other process has. */
async function unpacked(): Promise<string> {
  const { default: packed } = await import('@sparticuz/chromium');
  return packed.executablePath();
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
