// Runs one check of the verification on what a tampering by the owner of the database left, for tests.
import { openConnection } from '../../src/db/database.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { type Check, Findings } from '../../src/ledger/verification/findings.ts';

/** Tampers in a transaction, verifies what it left, and rolls back. */
export async function checkAfter(url: string, check: Check, tampering: string): Promise<Findings> {
  const connection = await openConnection(url, 'tampering');
  try {
    const statements = ['begin', 'set local session_replication_role = replica', ...tampering.split(';')];
    for (const [index, text] of statements.filter((each) => each.trim() !== '').entries()) {
      await connection.execute(statement(`tampering-${index}`, text));
    }
    const findings = new Findings(check.rules);
    await check.run(connection, findings);
    return findings;
  } finally {
    connection.discard();
  }
}
