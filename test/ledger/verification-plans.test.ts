// Query plans of ledger:verify: no query reads a table once per row of another, even if the tables were never analysed.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { SEALED, VERIFICATION_CHECKS } from '../../src/app/verification.ts';
import { openConnection } from '../../src/db/database.ts';
import { statement } from '../../src/db/driver/statement.ts';
import { sealKeys } from '../../src/ledger/seals/format.ts';
import { verifyOn } from '../../src/ledger/verification/verify.ts';
import { notOnCluster } from '../support/citus.ts';
import { testDatabase } from '../support/database.ts';
import { SECRETS } from '../support/secrets.ts';

interface PlanNode {
  'Node Type': string;
  'Parent Relationship'?: string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

const db = await testDatabase();
after(() => db.close());

/** By the names of the cursors. */
async function plansOfVerification(): Promise<Map<string, PlanNode>> {
  const connection = await openConnection(db.url, 'test');
  const plans = new Map<string, PlanNode>();
  const execute = connection.execute.bind(connection);
  connection.execute = async (declared, values) => {
    const [, cursor, query] = /^declare (\w+) no scroll cursor for ([\s\S]*)$/.exec(declared.text) ?? [];
    if (cursor && query) {
      const [row] = await connection.run(statement(`explain-${cursor}`, `explain (verbose, format json) ${query}`));
      plans.set(cursor, JSON.parse(String(row?.[0]))[0].Plan);
    }
    return execute(declared, values);
  };
  const options = { sealKeys: sealKeys(SECRETS.MASTER_KEY), sealed: SEALED, checks: VERIFICATION_CHECKS };
  await verifyOn(connection, options);
  connection.discard();
  return plans;
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** The tables that the node reads, without its subqueries. */
function tablesOf({ 'Relation Name': table, Plans: children = [] }: PlanNode): string[] {
  return [...(table ? [table] : []), ...children.filter((child) => !isSubquery(child)).flatMap(tablesOf)];
}

function isSubquery({ 'Parent Relationship': relationship = '' }: PlanNode): boolean {
  return ['SubPlan', 'InitPlan'].includes(relationship);
}

/** The inner side of a nested loop, and a subquery that is neither hashed nor executed once. */
function tablesPerRow(plan: PlanNode): string[] {
  const text = JSON.stringify(plan);
  const isPerRow = (node: PlanNode, { 'Parent Relationship': relationship, 'Subplan Name': name = '' }: PlanNode) =>
    (node['Node Type'] === 'Nested Loop' && relationship === 'Inner') ||
    (relationship === 'SubPlan' && !text.includes(`(hashed ${name})`));
  return nodesOf(plan).flatMap((node) => (node.Plans ?? []).filter((child) => isPerRow(node, child)).flatMap(tablesOf));
}

const ONE_SERVER = notOnCluster('a cluster is verified on copies of its tables, without their indexes');

test('no query of the verification reads a table once per row', ONE_SERVER, async () => {
  const plans = await plansOfVerification();
  assert.ok(plans.size > 40, `${plans.size} queries`);
  // PostgreSQL's own tables do not grow with the ledger.
  const ownTables = (plan: PlanNode) => tablesPerRow(plan).filter((table) => !table.startsWith('pg_'));
  const found = [...plans].flatMap(([cursor, plan]) => ownTables(plan).map((table) => `${cursor} reads ${table}`));
  assert.deepEqual(found, []);
});
