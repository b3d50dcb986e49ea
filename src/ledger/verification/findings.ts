// Shared parts of ledger verification: the rules, paged reading, and the findings.
import type { Connection } from '../../db/driver/connection.ts';
import { type Columns, statement } from '../../db/driver/statement.ts';

/** The ledger's rules. Each text describes the violation. */
export const LEDGER_RULES = {
  balance_differs: "an account's balance is not the sum of its postings",
  last_balance_differs: "an account's balance is not the balance after its last posting",
  chain_broken: 'a balance after a posting is not the previous balance plus the amount',
  seq_not_increasing: "the seq of an account's postings does not increase",
  last_seq_differs: "an account's last seq is not its last posting's",
  posting_count_differs: "an account's count of postings is wrong",
  posting_without_account: 'postings have no account',
  posting_without_movement: 'postings have no movement',
  movement_without_postings: 'a movement has fewer than two postings',
  movement_unbalanced: "a movement's postings do not sum to zero",
  movement_fee_differs: "the fees of the postings are not the movement's fee",
  movement_amount_differs: "the postings of payer and payee do not carry the amount and the movement's commission",
  movement_accrual_differs:
    'the postings on commission accounts of payer and payee are not the commission that the movement accrues or takes back',
  third_account:
    'a movement has a posting on an account that is neither payer, payee, their commission account nor fee income, or two on fee income',
  request_without_movement: 'a request has no movement',
  movement_without_request: 'a movement has a request id, but the request does not exist',
  request_differs: "a request's id is not the one its movement has",
  request_repeated: 'a request id was used twice within one scope',
  movement_of_two_requests: 'two requests share one movement',
  refused_request_with_movement: 'a request that was refused has a movement',
  refund_without_payment: 'a refund, or a total of refunds, has no card payment',
  refund_total_differs: "the stored total of a payment's refunds is not their sum",
  refunds_exceed_payment: 'the refunds of a payment are more than the payment',
  checkpoint_differs: 'a checkpoint of an account is not the sum of the postings up to it',
  recent_differs: "an account's activity window does not match its postings",
  received_differs: "a wallet's window of received payments does not match its postings",
  trial_balance: 'the balances of all accounts do not sum to zero',
} as const;

/** A rule's name. Other layers add rules of their own (`Check`). */
export type Rule = string;
export type Rules = Readonly<Record<Rule, string>>;

/** What another layer verifies: its rules, and a function that reads the tables and reports violations. */
export interface Check {
  rules: Rules;
  /** It compares records with all movements, also archived ones. */
  needsHistory?: true;
  run(connection: Connection, findings: Findings): Promise<void>;
}

export interface Fault {
  rule: Rule;
  /** The account, movement or request concerned. */
  about: string;
  detail: string;
}

const PAGE = 4_000;
/** Violations shown per rule; all are counted. */
export const EXAMPLES = 5;

/** The number of violations of each rule, and the first few cases. */
export class Findings {
  readonly rules: Rules;
  readonly broken = new Map<Rule, number>();
  readonly faults: Fault[] = [];
  /** Not violations: accounts outside their bounds. */
  readonly outside = { count: 0, examples: [] as string[] };

  /** Not violations: what the operator should know or do. */
  readonly notices: string[] = [];

  /** Movements before this instant are in archives that are not at hand. Null: all movements can be read. */
  archivedBefore: number | null = null;

  constructor(rules: Rules) {
    this.rules = rules;
  }

  fault(rule: Rule, about: string, detail: string): void {
    if (!Object.hasOwn(this.rules, rule)) throw new Error(`there is no rule ${rule}`);
    const count = (this.broken.get(rule) ?? 0) + 1;
    this.broken.set(rule, count);
    if (count <= EXAMPLES) this.faults.push({ rule, about, detail });
  }

  differ(rule: Rule, about: string, found: bigint | number, expected: bigint | number): void {
    if (found !== expected) this.fault(rule, about, `${found}, by the postings ${expected}`);
  }

  notice(sentence: string): void {
    this.notices.push(sentence);
  }

  note(example: string): void {
    this.outside.count += 1;
    if (this.outside.count <= EXAMPLES) this.outside.examples.push(example);
  }
}

/** Columns as text: a corrupt number may be larger than a JavaScript number holds. */
export type Row = Columns;

/** Reads all rows through a cursor, a page at a time. */
export async function* pages(connection: Connection, cursor: string, text: string): AsyncGenerator<Row[]> {
  await connection.execute(statement(`declare-${cursor}`, `declare ${cursor} no scroll cursor for ${text}`));
  const fetch = statement(`fetch-${cursor}`, `fetch ${PAGE} from ${cursor}`);
  for (;;) {
    const rows = await connection.run(fetch);
    if (rows.length === 0) break;
    yield rows;
  }
  await connection.execute(statement(`close-${cursor}`, `close ${cursor}`));
}

export async function* rowsOf(connection: Connection, cursor: string, text: string): AsyncGenerator<Row> {
  for await (const page of pages(connection, cursor, text)) yield* page;
}

export function bigintOf(text: string | null | undefined): bigint {
  return BigInt(text ?? 0);
}
