// The statements of a query function, which are not executed: for tests of their plans.
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { Tables } from '../../src/db/schema/tables.ts';

interface Statement {
  sql: string;
  parameters: readonly unknown[];
}

/** Every statement has an empty result. */
export async function firstStatement(run: (queries: Kysely<Tables>) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = [];
  const recorder = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query),
  });
  await run(recorder).catch((error: unknown) => {
    if (statements.length === 0) throw error;
  });
  const [statement] = statements;
  if (!statement) throw new Error('there was no statement');
  return statement;
}
