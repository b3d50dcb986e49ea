// Asks the user on the terminal; secrets are not shown.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from './errors.ts';

export const canPrompt = () => process.stdin.isTTY === true && process.stderr.isTTY === true;

export async function prompt(question: string, { hidden = false } = {}): Promise<string> {
  if (!canPrompt())
    throw new UsageError(`${question.replace(/:? *$/, '')} is missing, and there is no terminal to ask.`);
  if (hidden) process.stderr.write(question);
  // readline shows what is typed through its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  const interrupted = new AbortController();
  lines.once('SIGINT', () => interrupted.abort());
  try {
    return await lines.question(hidden ? '' : question, { signal: interrupted.signal });
  } catch {
    throw new UsageError('Interrupted.');
  } finally {
    lines.close();
    if (hidden) process.stderr.write('\n');
  }
}

/** The first line of standard input, for secrets from a password manager or a script. */
export async function readLine(): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}
