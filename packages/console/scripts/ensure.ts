// For npm ci, npm start and npm run demo: builds the console if needed. Never fails: the service works without it.
import { existsSync } from 'node:fs';
import { DIST, ensureBuilt, viteProgram } from './build.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

if (viteProgram() !== null) {
  await ensureBuilt(() => say('Building the console …')).catch(explain);
} else if (!existsSync(DIST)) {
  say('The console is not built, because development packages are not installed.');
}

function explain(error: Error & { stderr?: string }): void {
  say(`The console is not built: ${(error.stderr || error.message).trim()}`);
}
