// The first schema with a ledger, and rows as the first version of the service wrote them, for tests of upgrades.
import { hash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { pinHasher } from '../../src/auth/pins/attempts.ts';
import { createVault } from '../../src/auth/vault.ts';
import { openDatabase } from '../../src/db/database.ts';
import { apply, createMigrationTables, readMigrations } from '../../src/db/schema/migrations.ts';
import { luhnCheckDigit } from '../../src/kernel/account-number.ts';
import { newId } from '../../src/kernel/ids.ts';
import { SECRETS } from './gateway.ts';

/** The first schema with money. */
export function firstSchema(url: string): Promise<void> {
  return schemaUpTo(url, '0002_ledger');
}

/** The schema that ends with this migration. */
export async function schemaUpTo(url: string, last: string): Promise<void> {
  const database = openDatabase({ url, poolSize: 5 });
  try {
    await createMigrationTables(database.queries);
    for (const migration of await readMigrations()) {
      if (migration.name <= last) await apply(database.queries, migration);
    }
  } finally {
    await database.close();
  }
}

export interface OldSubscriber {
  id: string;
  phone: string;
}

export interface OldTransfer {
  id: string;
  requestId: string;
  from: string;
  to: string;
  amount: number;
  fee: number;
  /** The reply sent to the payer, byte for byte. */
  reply: string;
}

export const PIN = '4821';

/** Writes rows with the statements of the first version, as the role kissi_app. */
export class FirstService {
  readonly key = { id: newId('key'), bearer: `svc_test_${randomBytes(24).toString('base64url')}` };
  private readonly client: pg.Client;
  private people = 0;

  constructor(url: string, settings = '') {
    this.client = new pg.Client({ connectionString: url, options: `-c role=kissi_app ${settings}` });
  }

  async start(): Promise<void> {
    await this.client.connect();
  }

  async stop(): Promise<void> {
    await this.client.end();
  }

  async makeKey(): Promise<void> {
    const { id, bearer } = this.key;
    await this.client.query(
      `insert into api_keys (id, name, scopes, environment, created_by, created_at)
       values ($1, 'Shop', '{payments:read,payments:write,balance:read,subscribers:read}', 'test', 'usr_gone', now())`,
      [id],
    );
    const sealed = createVault(SECRETS.MASTER_KEY).seal('a-secret', id);
    await this.client.query(
      'insert into api_key_credentials (bearer_hash, key_id, sealed_secret, created_at) values ($1, $2, $3, now())',
      [hash('sha256', bearer, 'buffer'), id, sealed],
    );
  }

  async register(firstName: string): Promise<OldSubscriber> {
    const id = newId('sub');
    const number = String(610_000_000 + ++this.people + Math.floor(Math.random() * 1e6) * 100);
    const phone = `+23276${number.slice(-6)}`;
    await this.client.query('begin');
    await this.client.query(
      `insert into subscribers (id, account_number, phone_number, first_name, last_name, kyc_level, status, created_at, updated_at)
       values ($1, $2, $3, $4, 'Kamara', 1, 'ACTIVE', now(), now())`,
      [id, number + luhnCheckDigit(number), phone, firstName],
    );
    const { salt, hash: pin } = pinHasher(SECRETS.PIN_PEPPER).make(id, PIN);
    await this.client.query('insert into pins (owner_id, salt, hash) values ($1, $2, $3)', [id, salt, pin]);
    await this.client.query(
      `insert into accounts (id, kind, ceiling, daily_limit, opened_at) values ($1, 'wallet', 50000000, 10000000, now())`,
      [id],
    );
    await this.client.query('commit');
    return { id, phone };
  }

  /** Credits an account from the treasury, without a request id or a fee. */
  fund(to: string, amount: number): Promise<string> {
    const legs = [
      { account: 'sys_treasury_03', amount: -amount, fee: 0 },
      { account: to, amount, fee: 0 },
    ];
    return this.post({ type: 'vult_fund', from: 'sys_treasury_03', to, amount, fee: 0 }, legs, null);
  }

  async transfer(from: string, to: string, amount: number, requestId: string): Promise<OldTransfer> {
    const fee = Math.round(amount * 0.015);
    const legs = [
      { account: from, amount: -amount - fee, fee, counts: amount },
      { account: to, amount, fee: 0 },
      { account: 'sys_fees_07', amount: fee, fee: 0 },
    ];
    let reply = '';
    const request = {
      id: requestId,
      // The request fingerprint of the first version; the upgraded service must still recognize it.
      hash: hash('sha256', JSON.stringify(['transfer_p2p', from, to, null, amount, null]), 'buffer'),
      reply: (transactionId: string, balance: number) => {
        const amounts = { amount, fee, total_debited: amount + fee, currency: 'SLE', balance };
        const identifiers = { transaction_id: transactionId, request_id: requestId, status: 'COMPLETED' };
        const message = 'The transfer was completed.';
        reply = JSON.stringify({
          success: true,
          message,
          ...identifiers,
          ...amounts,
          created_at: new Date().toISOString(),
        });
        return reply;
      },
    };
    const id = await this.post({ type: 'transfer_p2p', from, to, amount, fee }, legs, request);
    return { id, requestId, from, to, amount, fee, reply };
  }

  private async post(movement: OldMovement, legs: OldLeg[], request: OldRequest | null): Promise<string> {
    const id = newId('txn');
    const { type, from, to, amount, fee } = movement;
    await this.client.query('begin');
    await this.client.query('select id from accounts where id = any($1) order by id for update', [
      legs.map(({ account }) => account),
    ]);
    await this.client.query(
      `insert into movements (id, type, from_account, to_account, amount, fee, request_id, reference, narration, metadata,
         related_id, details, at) values ($1, $2, $3, $4, $5, $6, $7, null, null, null, null, '{}', now())`,
      [id, type, from, to, amount, fee, request?.id ?? null],
    );
    let payerBalance = 0;
    for (const leg of legs) {
      const balance = await this.write(id, leg);
      if (leg.account === from) payerBalance = balance;
    }
    if (request) {
      await this.client.query(
        'insert into requests (request_id, scope, hash, movement_id, reply) values ($1, $2, $3, $4, $5)',
        [request.id, this.key.id, request.hash, id, request.reply(id, payerBalance)],
      );
    }
    await this.client.query('commit');
    return id;
  }

  private async write(movementId: string, { account, amount, fee, counts = 0 }: OldLeg): Promise<number> {
    const { rows } = await this.client.query<{ seq: string; balance: string }>(
      `update accounts set balance = balance + $2, posting_count = posting_count + 1,
         last_seq = greatest(last_seq + 1, (extract(epoch from now()) * 1000000)::bigint),
         daily_used = case when daily_on = $4 then daily_used else 0 end + $3,
         daily_on = case when $3 > 0 then $4 else daily_on end
       where id = $1 returning last_seq as seq, balance`,
      [account, amount, counts, Math.floor(Date.now() / 86_400_000)],
    );
    const { seq, balance } = rows[0] ?? { seq: '', balance: '' };
    await this.client.query(
      'insert into postings (account_id, seq, movement_id, amount, fee, balance_after) values ($1, $2, $3, $4, $5, $6)',
      [account, seq, movementId, amount, fee, balance],
    );
    return Number(balance);
  }
}

interface OldMovement {
  type: string;
  from: string;
  to: string;
  amount: number;
  fee: number;
}

interface OldLeg {
  account: string;
  amount: number;
  fee: number;
  /** Amount counted against the daily limit. */
  counts?: number;
}

interface OldRequest {
  id: string;
  hash: Buffer;
  reply(transactionId: string, payerBalance: number): string;
}
