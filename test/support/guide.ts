// Follows a document as a newcomer would: its commands pasted into a shell, in order, against a service of their own.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Json } from './gateway.ts';
import { runService, temporaryFolder } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface Followed {
  /** Everything the commands printed. */
  printed: string;
  /** What the commands printed, in lines that are JSON. */
  replies: Json[];
  /** What the document says they print. */
  shown: Json[];
}

/** Commands stand in blocks marked `sh tour`; what they print, where it is shown, in blocks marked `json`. */
export async function follow(document: string, settings: Record<string, string> = {}): Promise<Followed> {
  const text = await readFile(`${ROOT}/${document}`, 'utf8');
  const steps = blocks(text, 'sh tour');
  assert.ok(steps.length >= 6, `${document} has commands to follow`);
  const folder = await temporaryFolder();
  const service = await runService({ DATA_DIR: folder.path, ...settings });
  try {
    const [email = '', password = ''] = ['email', 'password'].map((what) => saidAtStart(service.printed(), what));
    const script = steps.join('\necho\n').replaceAll('http://127.0.0.1:8080', service.url);
    const env = { ...process.env, EMAIL: email, PASSWORD: password };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    return {
      printed: stdout,
      replies: lines.map((line) => JSON.parse(line)),
      shown: blocks(text, 'json').map((json) => JSON.parse(json)),
    };
  } finally {
    await service.end('SIGTERM');
    await folder.remove();
  }
}

function blocks(text: string, mark: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');
}

function saidAtStart(text: string, what: string): string {
  return text.match(new RegExp(`${what} +(\\S+)`))?.[1] ?? '';
}
