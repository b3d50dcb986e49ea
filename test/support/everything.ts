// Every column of every table as text, to prove that something is stored nowhere.
import type { Json, TestGateway } from './gateway.ts';

export interface StoredRow {
  where: string;
  text: string;
}

export async function everything({ db }: TestGateway): Promise<StoredRow[]> {
  const { rows: tables } = await db.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const found: StoredRow[] = [];
  for (const { name } of tables as Json[]) {
    const { rows } = await db.query(`select to_jsonb(t)::text as text from "${name}" t`);
    for (const { text } of rows as Json[]) found.push({ where: name, text });
  }
  return found;
}
