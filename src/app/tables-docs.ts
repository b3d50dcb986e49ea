// docs/tables.md: diagrams of the tables with their keys, generated from the catalogue of the migrated schema.
import type { DB } from '../db/schema/generated.ts';

type Table = keyof DB;

interface Reference {
  from: string;
  column: string;
  to: string;
  /** False: the column names the other table's row, and no constraint enforces it. */
  enforced: boolean;
}

/** One diagram each. A table that is in none of them is in the last. */
const AREAS: Record<string, readonly Table[]> = {
  'The ledger': [
    'accounts',
    'movements',
    'postings',
    'requests',
    'allowances',
    'seals',
    'seal_chains',
    'ledger_archives',
  ],
  Parties: [
    ...(['subscribers', 'cards', 'agents', 'processors', 'bank_accounts', 'partners', 'pins', 'pin_resets'] as const),
    ...([
      'phone_changes',
      'phone_verifications',
      'subscriber_notes',
      'customer_keys',
      'subscriber_documents',
      'registration_requests',
      'float_requests',
      'partner_webhook_secrets',
    ] as const),
  ],
  'Users and keys': [
    ...([
      'users',
      'sessions',
      'refresh_tokens',
      'passkeys',
      'totp_enrolments',
      'recovery_codes',
      'known_browsers',
    ] as const),
    ...(['second_factor_challenges', 'api_keys', 'api_key_credentials', 'approvals', 'approval_policies'] as const),
    ...(['pep_access', 'saved_views', 'going_live_confirmations', 'audit_log', 'audit_inbox', 'audit_head'] as const),
  ],
  Cases: ['cases', 'case_events', 'case_files', 'case_clocks', 'recalls'],
  Finance: [
    ...([
      'trust_accounts',
      'bank_statements',
      'bank_entries',
      'reconciliation_items',
      'reconciliation_matches',
    ] as const),
    ...(['reconciliation_suggestions', 'payout_return_claims', 'closes', 'close_keys', 'fee_settings'] as const),
    'commission_tiers',
  ],
  'Partners, compliance and messages': [
    ...([
      'inbound_transactions',
      'inbound_reversals',
      'webhook_endpoints',
      'webhook_deliveries',
      'webhook_attempts',
    ] as const),
    ...([
      'compliance_rules',
      'compliance_alerts',
      'compliance_alert_assignees',
      'messages',
      'incoming_messages',
      'notice_preferences',
      'notice_readers',
      'notice_positions',
    ] as const),
  ],
};
const REST = 'Limits, sums and logs';

/** Columns that name a row of another table. Payments do not pay for a constraint; ledger:verify checks them. */
const NAMED_BY: Record<string, Table> = {
  account_id: 'accounts',
  from_account: 'accounts',
  to_account: 'accounts',
  batch: 'seals',
  movement_id: 'movements',
  transaction_id: 'movements',
  subscriber_id: 'subscribers',
  agent_id: 'agents',
  processor_id: 'processors',
  partner_id: 'partners',
  user_id: 'users',
  delivery_id: 'webhook_deliveries',
  inbound_id: 'inbound_transactions',
  match_id: 'reconciliation_matches',
};

/** `catalogue`: sql/catalogue.txt. */
export function tablesDocument(catalogue: string): string {
  const schema = parse(catalogue);
  const assigned = new Set<string>(Object.values(AREAS).flat());
  const rest = [...schema.columns.keys()].filter((table) => !assigned.has(table)).sort();
  const diagrams = Object.entries({ ...AREAS, [REST]: rest }).map(
    ([title, tables]) =>
      `## ${title}\n\n${diagram(
        schema,
        tables.filter((table) => schema.columns.has(table)),
      )}`,
  );
  return `# Tables

The tables with their keys, by area. A solid line is a foreign key. A dashed line is a column that names a row of the
other table without a constraint: payments do not pay for one, and \`npm run ledger:verify\` checks the ledger's.
[sql/migrations](../sql/migrations) has every column with the reasons for it.

This page is generated from the schema by \`npm run docs\`.

${diagrams.join('\n\n')}
`;
}

interface Schema {
  /** Types by column, by table. */
  columns: Map<string, Map<string, string>>;
  keys: Map<string, readonly string[]>;
  references: Reference[];
}

function parse(catalogue: string): Schema {
  const columns = new Map<string, Map<string, string>>();
  for (const [, table = '', column = '', type = ''] of catalogue.matchAll(
    /^column (?!kysely_)(\w+)\.(\w+): ([\w ]+?(?:\[\])?)(?: not null| default| collate|$)/gm,
  ))
    columns.set(table, (columns.get(table) ?? new Map()).set(column, type));
  const keys = [...catalogue.matchAll(/^constraint \w+ on (\w+): PRIMARY KEY \(([^)]+)\)/gm)];
  const foreign = [...catalogue.matchAll(/^constraint \w+ on (\w+): FOREIGN KEY \((\w+)[^)]*\) REFERENCES (\w+)/gm)];
  const enforced = foreign.map(([, from = '', column = '', to = '']) => ({ from, column, to, enforced: true }));
  return {
    columns,
    keys: new Map(keys.map(([, table = '', list = '']) => [table, list.split(', ')])),
    references: [...enforced, ...namedReferences(columns, enforced)],
  };
}

function namedReferences(columns: Schema['columns'], enforced: readonly Reference[]): Reference[] {
  const all = [...columns].flatMap(([from, each]) => [...each.keys()].map((column) => ({ from, column })));
  return all.flatMap(({ from, column }) => {
    const to = NAMED_BY[column];
    const isKnown = enforced.some((reference) => reference.from === from && reference.column === column);
    return to && to !== from && !isKnown ? [{ from, column, to, enforced: false }] : [];
  });
}

function diagram({ columns, keys, references }: Schema, tables: readonly string[]): string {
  const own = references.filter(({ from }) => tables.includes(from));
  const entities = tables.map((table) => {
    const key = keys.get(table) ?? [];
    const named = own.filter(({ from }) => from === table).map(({ column }) => column);
    const shown = [...new Set([...key, ...named])];
    const lines = shown.map((column) => {
      const type = (columns.get(table)?.get(column) ?? 'text').replaceAll(/\W+/g, '_');
      const marks = [...(key.includes(column) ? ['PK'] : []), ...(named.includes(column) ? ['FK'] : [])];
      return `    ${type} ${column}${marks.length > 0 ? ` ${marks.join(', ')}` : ''}`;
    });
    return lines.length > 0 ? `  ${table} {\n${lines.join('\n')}\n  }` : `  ${table}`;
  });
  const lines = own.map(
    ({ from, column, to, enforced }) => `  ${to} ||${enforced ? '--' : '..'}o{ ${from} : ${column}`,
  );
  return `\`\`\`mermaid\nerDiagram\n${[...entities, ...lines].join('\n')}\n\`\`\``;
}
