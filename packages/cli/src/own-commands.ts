// The commands that are written by hand. Each loads its own code.
import type { Command } from 'commander';
import { withLoginHint } from './errors.ts';
import type { GlobalFlags } from './global-flags.ts';

/** The flags of any command; each names those that it reads. */
type Flags = GlobalFlags & Record<string, unknown>;

const LISTENERS = 'system_admin, or the login or key of the merchant or partner';

export function addOwnCommands(program: Command): void {
  const flagsOf = (command: Command) => command.optsWithGlobals<Flags>();
  program
    .command('login')
    .description('Log in as a user, or store an API key in the profile')
    .option('--email <email>', "email, or an agent's or merchant's phone number")
    .option('--password-stdin', 'read the password from standard input')
    .option('--code <code>', 'code from the authenticator app, or a recovery code')
    .option(
      '--key [value]',
      'store an API key instead: its bearer value, or with --key-id its secret; asked for if absent',
    )
    .option('--key-id <id>', 'id of the key that signs requests')
    .option('--secret <secret>', 'secret of the key; asked for if absent')
    .option('--partner-id <id>', 'partner the key belongs to')
    .option('--webhook-secret <secret>', 'verifies webhooks (kissi listen)')
    .action(async (_options, command: Command) => (await import('./commands/login.ts')).login(flagsOf(command)));
  program
    .command('logout')
    .description("End the session and remove the profile's credentials")
    .action(async (_options, command: Command) => (await import('./commands/login.ts')).logout(flagsOf(command)));
  program
    .command('whoami')
    .description("Show the profile's service and its user or key")
    .action(async (_options, command: Command) => (await import('./commands/whoami.ts')).whoami(flagsOf(command)));
  program
    .command('listen')
    .description('Show your webhooks or those of a partner, forward them to a local address, and replay them')
    .option('--partner <id>', "the partner; default: your own webhooks, or for staff the profile's partner")
    .option('--events <names>', 'only these events of your own, separated by commas')
    .option('--forward-to <url>', 'send each event to this address')
    .option('--replay <event-id>', 'replay one event, then end; exit code 1 if it was not accepted')
    .option('--receive', 'be an endpoint while it runs; default for a service on this machine')
    .option('--follow', 'read the deliveries instead, for services that cannot reach this machine')
    .option('--port <port>', 'port to receive on; default: any free port')
    .option('--public-url <url>', 'address at which the service reaches this machine, such as a tunnel')
    .option('--webhook-secret <secret>', 'verifies signatures, and signs with --follow; or KISSI_WEBHOOK_SECRET')
    .option('--bodies', 'show the bodies too')
    .option('--count <n>', 'end after n events')
    .action(async (_options, command: Command) => {
      const { listen } = await import('./commands/listen.ts');
      await withLoginHint('kissi listen', LISTENERS, () => listen(flagsOf(command)));
    });
  program
    .command('trigger')
    .description('Make a real credit in a test environment, or send an example of another event; refused in production')
    .argument('<event>', 'credit.completed, credit.failed or credit.reversed; or an event of webhook endpoints')
    .option('--endpoint <id>', 'webhook endpoint that gets the example; default: all your own that chose the event')
    .option('--partner <id>', "the partner; default: the profile's")
    .option('--account <number>', 'account number to credit; default: any active wallet')
    .option('--amount <0.00>', 'amount (default: 10.00)')
    .option('--reference <text>', 'reference of the credit; generated if absent')
    .action(async (event: string, _options, command: Command) => {
      const { trigger } = await import('./commands/trigger.ts');
      await withLoginHint('kissi trigger', LISTENERS, () => trigger(event, flagsOf(command)));
    });
  program
    .command('logs')
    .description("An API key's request log")
    .command('tail')
    .description("Follow an API key's requests, with codes and timing")
    .option('--key <id>', "id of the API key; default: the profile's")
    .option('--status <status>', 'only this HTTP status, or a class such as 4xx')
    .option('--code <code>', 'only this error code')
    .option('-n, --lines <n>', 'earlier requests to begin with (default: 10)')
    .option('--no-follow', 'end after the earlier requests')
    .option('--bodies', 'show the redacted bodies too')
    .action(async (_options, command: Command) => (await import('./commands/logs.ts')).tailLogs(flagsOf(command)));
  addLab(program);
  program
    .command('verify')
    .description('Verify the ledger and the audit log in the database, or the audit log through the API')
    .option('--database', 'verify the database of DATABASE_URL or DATA_DIR; default if DATABASE_URL is set')
    .action(async (_options, command: Command) => (await import('./commands/verify.ts')).verify(flagsOf(command)));
  addSigning(program);
  program
    .command('completion')
    .description('Print the completion script for a shell')
    .argument('<shell>', 'bash, zsh or fish')
    .action(async (shell: string) => (await import('./commands/completion.ts')).printCompletion(shell));
}

function addSigning(program: Command): void {
  const collect = (value: string, previous: string[] = []) => [...previous, value];
  const withOptions = (command: Command) =>
    command
      .option(
        '--scheme <name>',
        'pos, partner, inbound, service or webhook; default: derived from the path if possible',
      )
      .option(
        '--secret <secret>',
        'the secret issued with the key; prefer the environment variable SECRET or KISSI_SECRET, or the profile',
      )
      .option('--key-id <id>', "the id of the key, or the service's name; or KEY_ID or KISSI_KEY_ID, or the profile")
      .option('--partner-id <id>', 'X-Partner-ID; or PARTNER_ID or KISSI_PARTNER_ID, or the profile')
      .option(
        '--idempotency-key <key>',
        'X-Idempotency-Key of an inbound write, the same for a retry; or IDEMPOTENCY_KEY',
      )
      .option('--nonce <nonce>', 'X-Nonce; default: random')
      .option('--timestamp <time>', 'default: now')
      .option('-H, --header <header>', "a header as sent, 'Name: value'; to explain", collect)
      .option('--signed-string <file>', 'the string that your code signed, to compare; to explain');
  withOptions(program.command('sign'))
    .description('Print the headers of a signed request, one per line, in the format of curl -H @-')
    .argument(
      '[request...]',
      'METHOD PATH [BODYFILE]; PATH as sent, with /api/v1 and the query string; BODYFILE can be -',
    )
    .option('--explain', 'the same as kissi explain')
    .action(async (request: string[], _options, command: Command) =>
      (await import('./commands/sign.ts')).sign(request, command.optsWithGlobals()),
    );
  withOptions(program.command('explain'))
    .description('Explain why a signature is rejected: exit code 1, with the cause')
    .argument(
      '[request...]',
      'FILE with the request exactly as sent, or METHOD PATH [BODYFILE] with -H for each header',
    )
    .action(async (request: string[], _options, command: Command) =>
      (await import('./commands/sign.ts')).sign(request, { ...command.optsWithGlobals(), explain: true }),
    );
}

function addLab(program: Command): void {
  const lab = program.command('lab').description('The integrator lab: certify an integration in a test environment');
  lab
    .command('certify')
    .description("Certify a partner's integration: shows what to do, what was observed, and stores the signed report")
    .option('--partner <id>', "the partner; default: the profile's")
    .option('--key <id>', "id of the API key that the integration uses; default: the profile's")
    .option('-o, --output <file>', 'the report; default: certification-ID.json')
    .action(async (_options, command: Command) => {
      const { certify } = await import('./commands/lab.ts');
      await withLoginHint('kissi lab certify', 'system_admin or support_user', () =>
        certify(command.optsWithGlobals()),
      );
    });
  lab
    .command('verify')
    .description("Verify a signed report with the service's public keys")
    .argument('<file>', 'the report')
    .option('--keys <file>', "the public keys, from /.well-known/kissi-keys.json; default: the service's")
    .action(async (file: string, _options, command: Command) =>
      (await import('./commands/lab.ts')).verifyReportFile(file, command.optsWithGlobals()),
    );
}
