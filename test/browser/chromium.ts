// Finds and starts a real Chromium: CHROMIUM_PATH, else an installed one.
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export async function startChromium(): Promise<Browser> {
  const executablePath = await chromiumPath();
  // The sandbox of Chromium refuses to run as root, as tests in a container often do.
  return chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
}

async function chromiumPath(): Promise<string> {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const installed = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  for (const path of [...installed, ...MAC]) if (await isExecutable(path)) return path;
  throw new Error('There is no Chromium. Install one (Debian: apt-get install chromium), or set CHROMIUM_PATH.');
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
