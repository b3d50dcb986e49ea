// Runs the shell commands of a document in order against a new service and returns the output.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Json } from './gateway.ts';
import { runService, temporaryFolder } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface GuideRun {
  /** Standard output of all commands. */
  output: string;
  /** The JSON objects in the output, one per line. */
  replies: Json[];
  /** The replies that the document shows. */
  documentedReplies: Json[];
}

/** Commands are in blocks marked `sh tour`, the replies shown for them in blocks marked `json`. */
export async function runGuide(document: string, settings: Record<string, string> = {}): Promise<GuideRun> {
  const text = await readFile(`${ROOT}/${document}`, 'utf8');
  const steps = blocks(text, 'sh tour');
  assert.ok(steps.length >= 6, `${document} has too few commands`);
  const folder = await temporaryFolder();
  const service = await runService({ DATA_DIR: folder.path, ...settings });
  try {
    const [email = '', password = ''] = ['email', 'password'].map((what) => printedAtStart(service.stdout(), what));
    const script = steps.join('\necho\n').replaceAll('http://127.0.0.1:8080', service.url);
    const env = { ...process.env, EMAIL: email, PASSWORD: password };
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: ROOT, env });
    const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
    return {
      output: stdout,
      replies: lines.map((line) => JSON.parse(line)),
      documentedReplies: blocks(text, 'json').map((json) => JSON.parse(json)),
    };
  } finally {
    await service.stop('SIGTERM');
    await folder.remove();
  }
}

function blocks(text: string, mark: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');
}

function printedAtStart(text: string, what: string): string {
  return text.match(new RegExp(`${what} +(\\S+)`))?.[1] ?? '';
}
