// What commands share: reads their arguments, prints lines, and ends with a message and an exit code if they cannot run.
import { parseArgs } from 'node:util';

export interface CommandSpec<Value extends string, Flag extends string> {
  /** What follows "usage: ": the command line, and what it does. */
  usage: string;
  /** The first part of the message if the command cannot run: "The ledger could not be verified". */
  failure: string;
  /** Exit code if the command cannot run. */
  failureCode: number;
  /** Options with a value, and what the value is: "a file's name". */
  values?: Readonly<Record<Value, string>>;
  flags?: readonly Flag[];
  /** Whether there are arguments besides options, such as files' names. */
  operands?: boolean;
}

export interface Arguments<Value extends string, Flag extends string> {
  values: Partial<Record<Value, string>>;
  flags: ReadonlySet<Flag>;
  operands: string[];
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** `run` may return an exit code. `hint` is added to the message of an error. */
export async function runCommand(
  { failure, failureCode }: Pick<CommandSpec<never, never>, 'failure' | 'failureCode'>,
  run: () => Promise<unknown>,
  hint: (error: unknown) => string = () => '',
): Promise<void> {
  try {
    const code = await run();
    if (typeof code === 'number') process.exitCode = code;
  } catch (error) {
    process.stderr.write(`${failure}: ${error instanceof Error ? error.message : String(error)}${hint(error)}\n`);
    process.exitCode = failureCode;
  }
}

/** Ends the process after --help, and if the arguments are wrong. */
export function readArguments<Value extends string = never, Flag extends string = never>(
  spec: CommandSpec<Value, Flag>,
  args: readonly string[] = process.argv.slice(2),
): Arguments<Value, Flag> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`usage: ${spec.usage}\n`);
    process.exit(0);
  }
  try {
    return parse(spec, args);
  } catch (error) {
    process.stderr.write(`${spec.failure}: ${(error as Error).message}\nusage: ${spec.usage.split('\n')[0]}\n`);
    process.exit(spec.failureCode);
  }
}

function parse<Value extends string, Flag extends string>(
  { values, flags = [], operands }: CommandSpec<Value, Flag>,
  args: readonly string[],
): Arguments<Value, Flag> {
  const meanings = new Map<string, string>(Object.entries(values ?? {}));
  const options = Object.fromEntries([
    ...[...meanings.keys()].map((name) => [name, { type: 'string' }] as const),
    ...flags.map((name) => [name, { type: 'boolean' }] as const),
  ]);
  const parsed = parseArgs({ args: [...args], options, strict: false, tokens: true, allowPositionals: true });
  const given = { values: {} as Partial<Record<Value, string>>, flags: new Set<Flag>(), operands: [] as string[] };
  for (const token of parsed.tokens) {
    if (token.kind === 'positional') given.operands.push(token.value);
    if (token.kind !== 'option') continue;
    const meaning = meanings.get(token.name);
    if (options[token.name] === undefined) throw new Error(`there is no option ${token.rawName}`);
    if (meaning === undefined) given.flags.add(token.name as Flag);
    else if (!token.value || token.value.startsWith('--')) throw new Error(`${token.rawName} needs ${meaning}`);
    else given.values[token.name as Value] = token.value;
  }
  const [surplus] = given.operands;
  if (!operands && surplus !== undefined) throw new Error(`the argument ${surplus} is not expected`);
  return given;
}
