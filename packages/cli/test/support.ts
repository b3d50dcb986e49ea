// Runs the command line as a process, with its own configuration folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../bin/kissi', import.meta.url));

export interface CommandResult {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
}

export interface CommandLine {
  folder: string;
  run(args: string[], options?: RunOptions): Promise<CommandResult>;
  /** The output parsed as JSON. */
  json(args: string[], options?: RunOptions): Promise<ReturnType<typeof JSON.parse>>;
}

export function commandLine(url: string): CommandLine {
  const folder = mkdtempSync(join(tmpdir(), 'kissi-cli-'));
  after(() => rmSync(folder, { recursive: true }));
  const run = async (args: string[], { input = '', env = {} }: RunOptions = {}): Promise<CommandResult> => {
    const child = spawn(COMMAND, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: folder, KISSI_URL: url, TZ: 'UTC', ...env },
    });
    child.stdin.end(input);
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, out, err };
  };
  return { folder, run, json: async (args, options) => JSON.parse((await run([...args, '--json'], options)).out) };
}
