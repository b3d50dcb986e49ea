// The program: global flags, the commands written by hand, and one family of commands per object of the API.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { commandTable } from './command-table.ts';
import { addOperation } from './operation-command.ts';
import { styled } from './output/terminal.ts';
import { addOwnCommands } from './own-commands.ts';

const FOOTER = `
Flags and environment:
  KISSI_PROFILE, KISSI_URL          the profile and the address of the service
  KISSI_TOKEN                       bearer value of an API key, instead of a login
  KISSI_KEY_ID, KISSI_SECRET        the key that signs requests; KISSI_PARTNER_ID for the partner API
  KISSI_WEBHOOK_SECRET              verifies and signs webhooks (kissi listen)
  NO_COLOR                          no colours

Exit codes:
  0 success                         3 authentication failed
  1 refused, or a check failed      4 no reply: repeat a payment with the same request_id
  2 wrong usage                     5 the service failed or asks to wait: try again later
`;

export function buildProgram(argv: readonly string[]): Command {
  const program = new Command('kissi')
    .description("Kissi's command line: every API operation, signatures, webhooks and test events.")
    .option('--profile <name>', 'profile to use (default: "default")')
    .option('--url <url>', 'address of the service')
    .option('--json', 'the reply as JSON, for scripts')
    .option('--timeout <seconds>', 'for each attempt (default: 30)')
    .version(version(), '--version', 'show the version')
    .helpOption('-h, --help', 'show this help')
    .configureHelp({ styleTitle: (text) => styled('bold', text), showGlobalOptions: true })
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
    .addHelpText('after', FOOTER)
    .exitOverride();
  program.commandsGroup('Commands:');
  addOwnCommands(program);
  program.commandsGroup('API:');
  for (const { name, description, operations } of commandTable().families) {
    const existing = program.commands.find((command) => command.name() === name);
    const family = existing ?? program.command(name).description(description);
    // Building all commands would take longer than most requests.
    if (!argv.includes(name)) continue;
    const own = new Set(existing?.commands.map((command) => command.name()));
    for (const operation of operations) if (!own.has(operation.name)) addOperation(family, operation);
  }
  return program;
}

function version(): string {
  const { version: text } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return text;
}
