// For npm ci, npm start and npm run demo: builds the console and the wallet if needed. Never fails: the service works without them.
import { existsSync } from 'node:fs';
import { viteProgram, webBuild } from './build.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

for (const name of ['console', 'wallet'] as const) {
  const { dist, ensureBuilt } = webBuild(name);
  if (viteProgram() !== null) {
    await ensureBuilt(() => say(`Building the ${name} …`)).catch((error) => explain(name, error));
  } else if (!existsSync(dist)) {
    say(`The ${name} is not built, because development packages are not installed.`);
  }
}

function explain(name: string, error: Error & { stderr?: string }): void {
  say(`The ${name} is not built: ${(error.stderr || error.message).trim()}`);
}
