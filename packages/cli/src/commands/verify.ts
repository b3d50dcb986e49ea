// kissi verify: checks the ledger and the audit log, in the database if it is reachable, otherwise through the API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { operation } from '../command-table.ts';
import { CheckFailed } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { showReply } from '../output/reply.ts';
import { remark } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';

export interface VerifyFlags extends GlobalFlags {
  database?: boolean;
}

const LEDGER_VERIFY = fileURLToPath(new URL('../../../../scripts/ledger-verify.ts', import.meta.url));

export async function verify(flags: VerifyFlags): Promise<void> {
  if (flags.database || process.env.DATABASE_URL) return verifyDatabase();
  const connection = new Connection(connectionFlags(flags));
  const audit = operation('verifyAuditLog');
  const reply = (await connection.call(audit)) ?? {};
  await showReply(audit, reply, flags);
  if (reply.valid !== true) throw new CheckFailed('The audit log was changed.');
  remark(
    'The ledger was not checked: that needs the database. Set DATABASE_URL, or run kissi verify --database beside the service.',
  );
}

/** The same as npm run ledger:verify. */
async function verifyDatabase(): Promise<void> {
  const child = spawn(process.execPath, [LEDGER_VERIFY], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
}
