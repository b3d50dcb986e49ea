// kissi whoami: the service and the user or key of the profile.
import { operation } from '../command-table.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { renderRecord } from '../output/record.ts';
import { print, terminalWidth } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';

export async function whoami(flags: GlobalFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const { keyId, apiKey, partnerId, tokens, webhookSecret } = connection.profile;
  // Fails if the session has ended. API keys have no operation that returns themselves.
  const user = tokens && !apiKey ? await connection.call(operation('getCurrentUser')) : undefined;
  const summary = {
    profile: connection.file.name,
    service: connection.url,
    ...(user ? { user: pick(user, ['id', 'email', 'first_name', 'last_name', 'role', 'status']) } : {}),
    ...(apiKey ? { api_key: `${apiKey.slice(0, 13)}…` } : {}),
    ...(keyId ? { signs_with_key: keyId } : {}),
    ...(partnerId ? { partner_id: partnerId } : {}),
    ...(webhookSecret ? { verifies_webhooks: true } : {}),
  };
  if (flags.json) return print(JSON.stringify(summary, null, 2));
  print(await renderRecord(summary, { money: new Set(), width: terminalWidth() }));
  if (!user && !apiKey && !keyId) print('No credentials. Log in with: kissi login');
}

function pick(record: Record<string, unknown>, names: string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => name in record).map((name) => [name, record[name]]));
}
