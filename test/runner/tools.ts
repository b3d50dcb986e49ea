// Runs the type checker and the linter as if each were a test file.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FileResult } from './results.ts';

export const TOOLS = {
  'types (tsc)': ['node_modules/typescript/bin/tsc', '--noEmit'],
  'types of the console (tsc)': ['node_modules/typescript/bin/tsc', '-p', 'packages/console', '--noEmit'],
  'types of the wallet (tsc)': ['node_modules/typescript/bin/tsc', '-p', 'packages/wallet', '--noEmit'],
  'lint (biome)': ['node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
} as const;

export type ToolName = keyof typeof TOOLS;

export const isTool = (name: string): name is ToolName => name in TOOLS;

export async function runTool(name: ToolName): Promise<FileResult> {
  const [file, ...args] = TOOLS[name];
  const begun = performance.now();
  const error = await promisify(execFile)(file, args, { maxBuffer: 2 ** 26 }).then(
    () => null,
    ({ message, stdout, stderr }: Error & { stdout?: string; stderr?: string }) => `${message}\n${stdout}${stderr}`,
  );
  const failures = error === null ? [] : [{ test: name, where: args.join(' '), error }];
  const seconds = (performance.now() - begun) / 1_000;
  return { path: name, passed: error === null ? 1 : 0, skipped: 0, failures, notes: [], output: '', seconds };
}
