// Changes the catalogue of a database in a transaction that is rolled back, and runs the verification of the catalogue in it.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { DATABASE_OBJECTS } from '../../src/app/database-objects.ts';
import { openConnection } from '../../src/db/database.ts';
import type { Connection } from '../../src/db/driver/connection.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { type Fault, Findings } from '../../src/ledger/verification/findings.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';

export const [UNKNOWN, CHANGED, MISSING] = [
  'database_object_unknown',
  'database_object_changed',
  'database_object_missing',
] as const;

/** What is changed, the statements, the rule that reports it, and the object that it names. */
export type Tampering = [what: string, statements: string, rule: string, about: string];

const BEGIN = statement('tamper-begin', 'begin');
const ROLLBACK = statement('tamper-rollback', 'rollback');

/** A database for the file, and what is reported after the owner ran statements in it. */
export function catalogueForFile() {
  let db: TestDatabase;
  let owner: Connection;
  let count = 0;
  before(async () => {
    db = await testDatabase();
    owner = await openConnection(db.url, 'the owner');
  });
  after(async () => {
    owner.discard();
    await db.close();
  });

  async function faultsAfter(statements: string): Promise<readonly Fault[]> {
    const findings = new Findings(DATABASE_OBJECTS.rules);
    await owner.execute(BEGIN);
    try {
      await owner.execute(statement(`tamper-${++count}`, `do $tamper$ begin ${statements}; end $tamper$`));
      await DATABASE_OBJECTS.run(owner, findings);
    } finally {
      await owner.execute(ROLLBACK);
    }
    return findings.faults;
  }

  return { url: () => db.url, faultsAfter };
}

/** A test for each change. */
export function testDetection(
  faultsAfter: (statements: string) => Promise<readonly Fault[]>,
  tamperings: readonly Tampering[],
): void {
  describe('ledger:verify', () => {
    for (const [what, statements, rule, about] of tamperings) {
      test(`detects ${what}`, async () => {
        const faults = await faultsAfter(statements);
        const found = faults.filter((fault) => fault.rule === rule && fault.about.startsWith(about));
        assert.equal(found.length > 0, true, JSON.stringify(faults));
      });
    }
  });
}
