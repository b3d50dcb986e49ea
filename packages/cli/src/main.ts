// The command line `kissi`: runs the command and ends with its exit code.
import { CommanderError } from 'commander';
import { CheckFailed, EXIT, errorLines, errorRecord, exitCodeOf, isKissiError, UsageError } from './errors.ts';
import { jsonText, styled } from './output/terminal.ts';
import { buildProgram } from './program.ts';

async function main(argv: string[]): Promise<number> {
  if (argv[0] === '__complete') return (await import('./complete.ts')).complete(argv.slice(1));
  try {
    await buildProgram(argv).parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.ok);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (!(error instanceof UsageError) && !(error instanceof CheckFailed) && !isKissiError(error)) throw error;
    report(error, argv);
    return exitCodeOf(error);
  }
}

function report(error: Error, argv: string[]): void {
  if (argv.includes('--json')) {
    process.stderr.write(`${jsonText({ error: errorRecord(error) })}\n`);
    return;
  }
  const keyFlag = argv.includes('inbound') || argv.includes('partner') ? '--reference' : '--request-id';
  const [first = '', ...others] = errorLines(error, keyFlag);
  process.stderr.write([styled('red', first, process.stderr), ...others, ''].join('\n'));
}

// A reader such as head may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(EXIT.ok);
  throw error;
});
process.exitCode = await main(process.argv.slice(2));
