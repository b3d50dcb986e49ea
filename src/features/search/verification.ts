// Verifies the words of the search: they are those of the names on record.
import { type Check, rowsOf } from '../../ledger/verification/findings.ts';

const RULES = {
  search_name_differs: 'a record cannot be found by its name, or is found by a name that it does not have',
} as const;

/** The kinds and columns of the triggers that maintain search_names. */
const SOURCES = [
  ['subscriber', 'subscribers', 'first_name, last_name'],
  ['agent', 'agents', 'business_name, first_name, last_name'],
  ['processor', 'processors', 'business_name, contact_name, merchant_id'],
  ['partner', 'partners', 'name'],
];
const EXPECTED = SOURCES.map(
  ([kind, table, columns]) =>
    `select '${kind}' collate "C" as kind, id as record_id, key from ${table}, lateral search_keys(concat_ws(' ', ${columns})) as words (key)`,
).join(' union ');
const DIFFERENCES = `select coalesce(e.record_id, n.record_id), bool_or(n.key is null), bool_or(e.key is null)
  from (${EXPECTED}) e full join search_names n on n.kind = e.kind and n.key = e.key and n.record_id = e.record_id
  where n.key is null or e.key is null group by 1`;

export const SEARCH_NAMES: Check = {
  rules: RULES,
  async run(connection, findings) {
    for await (const [id, lacks, invents] of rowsOf(connection, 'search_names_read', DIFFERENCES)) {
      const details = [lacks === 't' ? 'a word is missing' : '', invents === 't' ? 'a word is not in its name' : ''];
      findings.fault('search_name_differs', String(id), details.filter(Boolean).join(', '));
    }
  },
};
