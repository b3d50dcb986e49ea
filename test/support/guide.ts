// Runs the commands and programs of documents in order against a service and returns the output.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, runService, temporaryFolder } from '@kissi/testkit/service';
import type { Json } from './gateway.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

export interface GuideRun {
  /** Standard output of all commands. */
  output: string;
  /** The JSON objects in the output, one per line. */
  replies: Json[];
  /** The replies that the document shows. */
  documentedReplies: Json[];
  /** The other output that the document shows. */
  documentedTexts: string[];
}

/** Commands that are run again, as by a reader who returns. */
export interface Repeat {
  /** The headings where they start and end. */
  from: string;
  to: string;
  /** Commands before them. */
  after: string;
}

export interface GuideService {
  run(document: string, repeat?: Repeat): Promise<GuideRun>;
  /** Checks the types of the programs in the documents that were run; returns the errors. */
  typeErrors(): Promise<string>;
  stop(): Promise<void>;
}

/** Runs one document against its own service. */
export async function runGuide(document: string, settings: Record<string, string> = {}): Promise<GuideRun> {
  const service = await guideService(settings);
  try {
    return await service.run(document);
  } finally {
    await service.stop();
  }
}

/** A new service for several documents, which are run in a folder that looks like a reader's checkout. */
export async function guideService(settings: Record<string, string> = {}): Promise<GuideService> {
  const [data, checkout] = [await temporaryFolder(), await temporaryFolder()];
  const entries = (await readdir(ROOT)).filter((name) => !/^(?:\.|data|work$)/.test(name));
  for (const name of entries) await symlink(`${ROOT}/${name}`, `${checkout.path}/${name}`);
  const service = await runService({ DATA_DIR: data.path, ...settings });
  const [email = '', password = ''] = ['email', 'password'].map((what) => printedAtStart(service.stdout(), what));
  const login = { EMAIL: email, PASSWORD: password, HOOK_PORT: String(await freePort()) };
  return {
    async run(document, repeat) {
      const text = await readFile(`${ROOT}/${document}`, 'utf8');
      const own = { INIT_CWD: checkout.path, XDG_CONFIG_HOME: `${checkout.path}/.config`, KISSI_URL: service.url };
      const env = { ...process.env, ...login, ...own };
      const script = scriptOf(repeat ? repeated(text, repeat) : text);
      const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: checkout.path, env });
      return { output: stdout, ...repliesOf(stdout), ...shownIn(text) };
    },
    async typeErrors() {
      const project = { extends: `${ROOT}/tsconfig.json`, include: ['work/*.ts'] };
      await writeFile(`${checkout.path}/guides.json`, JSON.stringify(project));
      const tsc = `${ROOT}/node_modules/typescript/bin/tsc`;
      const check = run(process.execPath, [tsc, '--noEmit', '-p', 'guides.json'], { cwd: checkout.path });
      return check.then(({ stdout }) => stdout).catch(({ stdout, message }) => `${message}\n${stdout}`);
    },
    async stop() {
      await service.stop('SIGTERM');
      await Promise.all([data.remove(), checkout.remove()]);
    },
  };
}

function repeated(text: string, { from, to, after }: Repeat): string {
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  assert.ok(start > 0 && end > start, `no ${from} before ${to}`);
  return `${text}\n\`\`\`sh tour\n${after}\n\`\`\`\n${text.slice(start, end)}`;
}

/** Commands are in blocks marked `sh tour`, and programs in blocks marked `ts work/name.ts`, their file's path. */
function scriptOf(text: string): string {
  const steps = [...text.matchAll(/```(?:sh tour|ts (work\/[\w-]+\.ts))\n([\s\S]*?)```/g)];
  assert.ok(steps.length >= 5, 'too few commands');
  const commands = steps.map(([, file, block = '']) =>
    file ? `cat > ${file} <<'END OF FILE'\n${block}END OF FILE` : block,
  );
  // npx takes half a second to find the command.
  const script = commands.join('\n').replaceAll('npx kissi', 'packages/cli/bin/kissi');
  for (const [, file] of steps) assert.ok(!file || script.includes(`scripts/node ${file}`), `${file} is not run`);
  return script;
}

function repliesOf(stdout: string): Pick<GuideRun, 'replies'> {
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'));
  return { replies: lines.map((line) => JSON.parse(line)) };
}

/** Replies are shown in blocks marked `json`, other output in blocks marked `text`. */
function shownIn(text: string): Pick<GuideRun, 'documentedReplies' | 'documentedTexts'> {
  return {
    documentedReplies: blocks(text, 'json').map((json) => JSON.parse(json)),
    documentedTexts: blocks(text, 'text'),
  };
}

function blocks(text: string, mark: string): string[] {
  return [...text.matchAll(new RegExp(`\`\`\`${mark}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block]) => block ?? '');
}

function printedAtStart(text: string, what: string): string {
  return text.match(new RegExp(`${what} +(\\S+)`))?.[1] ?? '';
}

/** Replaces ids, times, tokens, signatures, codes and account numbers, which differ between runs. */
export function withoutVariableParts(output: Json): string {
  return (typeof output === 'string' ? output : JSON.stringify(output))
    .replaceAll(/\b([a-z]{2,4})_(?:[0-9A-Z]{26}|…)/g, '$1_…')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:(?:\.\d{3})?Z| UTC)/g, '…')
    .replaceAll(/("(?:beneficiary_ref|next_cursor)":")[^"]+/g, '$1…')
    .replaceAll(/("account_number":"(?:\*{6})?)\d+/g, '$1…')
    .replaceAll(/("authorization_code":"|(?:APPROVED|CAPTURED) +)[0-9A-Z]{6}/g, '$1…')
    .replaceAll(/\b[0-9a-f]{64}\b/g, '…');
}

/** Asserts that the output contains every text that the document shows, in the same order. */
export function assertTextsPrinted({ output, documentedTexts }: GuideRun): void {
  let rest = withoutVariableParts(output);
  for (const text of documentedTexts.map(withoutVariableParts)) {
    const at = rest.indexOf(text);
    assert.ok(at >= 0, `not printed:\n${text}\nin:\n${rest}`);
    rest = rest.slice(at + text.length);
  }
}
