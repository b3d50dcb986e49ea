// Where bank entries come from: their trust account, who registered it, and who uploaded the statement.
import { sql } from 'kysely';
import { areIndependentOf } from '../../../audit/independence.ts';
import type { Queries } from '../../../db/database.ts';
import { type Refusal, refuse } from '../../../kernel/refusal.ts';
import { lastFour } from '../../../kernel/text.ts';

export interface EntrySource {
  trust_account: {
    id: string;
    bank: string;
    /** Masked. */
    account_number: string;
    /** The user who registered it, by the audit log. */
    created_by: string | null;
    created_by_name: string | null;
  };
  statement_id: string;
  uploaded_by: string;
  uploaded_by_name: string | null;
}

interface SourceRow extends Omit<EntrySource['trust_account'], 'id'>, Omit<EntrySource, 'trust_account'> {
  entry_id: string;
  trust_account_id: string;
}

const NAME_OF = (id: string) =>
  sql`(select first_name || ' ' || last_name from users where id = ${sql.ref(id)}) as ${sql.ref(`${id.split('.')[1]}_name`)}`;

/** By the entry's id. An audit entry is in the inbox or in the log, never in both. */
export async function findSources(
  queries: Queries,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, EntrySource>> {
  const { rows } = await sql<SourceRow>`with sources as (
      select e.id as entry_id, t.id as trust_account_id, t.bank, t.account_number, s.id as statement_id, s.uploaded_by, coalesce(
        (select actor_id from audit_log where resource_id = t.id and action = 'trust_account.create' order by seq limit 1),
        (select actor_id from audit_inbox where resource_id = t.id and action = 'trust_account.create' limit 1)) as created_by
      from bank_entries e join bank_statements s on s.id = e.statement_id join trust_accounts t on t.id = e.trust_account_id
      where e.id = any(${[...entryIds]}))
    select source.*, ${NAME_OF('source.created_by')}, ${NAME_OF('source.uploaded_by')} from sources source`.execute(
    queries,
  );
  return new Map(rows.map((row) => [row.entry_id, sourceOf(row)]));
}

function sourceOf({ trust_account_id: id, bank, account_number, created_by, created_by_name, ...row }: SourceRow) {
  const { statement_id, uploaded_by, uploaded_by_name } = row;
  const account = { id, bank, account_number: lastFour(account_number), created_by, created_by_name };
  return { trust_account: account, statement_id, uploaded_by, uploaded_by_name };
}

/**
 * Who uploaded the bank's credit neither requests nor approves the return with it, because it may be invented. Nor does who undid
 * its match, because it may be of another payment.
 */
export async function creditRefusal(
  queries: Queries,
  userIds: readonly string[],
  entryId: string,
  now: number,
): Promise<Refusal | null> {
  const { rows } = await sql<{ by: string }>`select s.uploaded_by as by from bank_entries e
      join bank_statements s on s.id = e.statement_id where e.id = ${entryId}
    union select m.undone_by from reconciliation_matches m
      where m.status = 'undone' and m.undone_by is not null and m.bank_entry_ids @> array[${entryId}]`.execute(queries);
  const providers = rows.map(({ by }) => by);
  if (await areIndependentOf(queries, userIds, providers, now)) return null;
  return refuse(
    'NOT_INDEPENDENT',
    "The requester or the approver uploaded the statement with the bank's credit or undid its match, or is not independent of the user who did: others must request and approve this return.",
  );
}
