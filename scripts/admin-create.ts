// npm run admin:create -- --email ADDRESS: makes a system_admin who is independent of all others, and prints a one-time password.
// Exit codes: 0 done, 1 could not run.
import { systemClock } from '../src/kernel/clock.ts';
import { loadConfig } from '../src/kernel/config/config.ts';
import { readArguments, runCommand } from './arguments.ts';
import { makeAdministrator } from './make-administrator.ts';

const COMMAND = {
  usage: `npm run admin:create -- --email ADDRESS [--first-name NAME] [--last-name NAME] [--force]
Creates a system_admin and prints a one-time password. For the second administrator, who approves the first one's requests.
Refused if two independent administrators exist; --force creates another one anyway. Audited, and shown on the overview.`,
  failure: 'The administrator was not created',
  failureCode: 1,
  values: { email: 'an email address', 'first-name': 'a name', 'last-name': 'a name' },
  flags: ['force'],
} as const;
const HINT = 'The password is shown only once, and must be changed at the first login.\n';

async function run(): Promise<void> {
  const { values, flags } = readArguments(COMMAND);
  const { email, 'first-name': firstName = 'System', 'last-name': lastName = 'Administrator' } = values;
  if (email === undefined) throw new Error(`--email needs ${COMMAND.values.email}`);
  const options = { email, firstName, lastName, force: flags.has('force') };
  const password = await makeAdministrator(loadConfig(process.env), systemClock, options);
  process.stdout.write(`The administrator was created.\n  Email     ${email}\n  Password  ${password}\n${HINT}`);
}

await runCommand(COMMAND, run);
