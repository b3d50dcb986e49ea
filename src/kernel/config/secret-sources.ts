// Keys from files or commands: NAME_FILE and NAME_COMMAND instead of NAME, so that a secret store or a KMS can supply them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { SECOND_MS } from '../clock.ts';
import { text } from './variable.ts';

type Environment = Record<string, string | undefined>;

const NAMES = ['MASTER_KEY', 'PIN_PEPPER'] as const;
const COMMAND_TIMEOUT_MS = 30 * SECOND_MS;

const fileOf = (name: string) =>
  Type.Optional(text({ description: `A file that contains \`${name}\`, such as a mounted secret.` }));
const commandOf = (name: string) =>
  Type.Optional(
    text({
      description: `A command that prints \`${name}\`, such as a call of a secret store or a KMS. Run by a shell at the start, for at most 30 seconds.`,
    }),
  );

export const secretSourceVariables = {
  MASTER_KEY_FILE: fileOf('MASTER_KEY'),
  MASTER_KEY_COMMAND: commandOf('MASTER_KEY'),
  PIN_PEPPER_FILE: fileOf('PIN_PEPPER'),
  PIN_PEPPER_COMMAND: commandOf('PIN_PEPPER'),
};

/** The environment with the keys that files and commands supply. A fault never repeats what they contain. */
export function readSecretSources(env: Environment): { env: Environment; faults: string[] } {
  const read: Environment = { ...env };
  const faults: string[] = [];
  for (const name of NAMES) {
    const [file, command] = [env[`${name}_FILE`]?.trim(), env[`${name}_COMMAND`]?.trim()];
    if ([env[name]?.trim(), file, command].filter(Boolean).length > 1) {
      faults.push(`${name} must be set in one way only: ${name}, ${name}_FILE or ${name}_COMMAND.`);
      continue;
    }
    const found = file ? fromFile(file) : command ? fromCommand(command, env) : null;
    if (found === null) continue;
    if ('fault' in found) faults.push(`${name}${file ? '_FILE' : '_COMMAND'} ${found.fault}`);
    else read[name] = found.value;
  }
  return { env: read, faults };
}

type Found = { value: string } | { fault: string };

function fromFile(path: string): Found {
  try {
    return contentOf(readFileSync(path, 'utf8'), `names an empty file: ${path}.`);
  } catch (error) {
    return { fault: `names a file that cannot be read (${(error as NodeJS.ErrnoException).code}): ${path}.` };
  }
}

function fromCommand(command: string, env: Environment): Found {
  const { status, error, stdout } = spawnSync('/bin/sh', ['-c', command], {
    ...{ env, encoding: 'utf8', timeout: COMMAND_TIMEOUT_MS },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error || status !== 0) {
    const code = (error as NodeJS.ErrnoException | undefined)?.code;
    return { fault: `failed (${code ?? `exit code ${status}`}).` };
  }
  return contentOf(stdout, 'printed nothing.');
}

function contentOf(text: string, fault: string): Found {
  const value = text.trim();
  return value === '' ? { fault } : { value };
}
