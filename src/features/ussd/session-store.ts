// The rows of USSD sessions. Every write names the step it follows, so that of two callbacks of a step one writes.
import { sql } from 'kysely';
import type { Queries } from '../../db/database.ts';
import { bool, bytes, integer, text, timestamp, timestampOrNull } from '../../db/driver/columns.ts';
import { type Columns, type StatementRunner, statement } from '../../db/driver/statement.ts';

export interface SessionRow {
  id: string;
  gateway: string;
  phoneNumber: string;
  serviceCode: string;
  position: number;
  step: number;
  sealed: Buffer;
  ended: boolean;
  claimedUntil: Date | null;
  expiresAt: Date;
}

const FIND = statement(
  'ussd-session',
  `select id, gateway, phone_number, service_code, position, step, sealed, ended, claimed_until, expires_at
  from ussd_sessions where id = $1 limit 1`,
  (columns) => rowOf(columns),
);

const INSERT = statement(
  'insert-ussd-session',
  `insert into ussd_sessions (id, gateway, phone_number, service_code, position, step, sealed, ended, expires_at)
  values ($1, $2, $3, $4, $5, 0, $6, $7, $8) on conflict (id) do nothing`,
);

const ADVANCE = statement(
  'advance-ussd-session',
  `update ussd_sessions set position = $3, step = step + 1, sealed = $4, ended = ended or $5, claimed_until = null
  where id = $1 and step = $2`,
);

const CLAIM = statement(
  'claim-ussd-step',
  `update ussd_sessions set claimed_until = $3
  where id = $1 and step = $2 and not ended and (claimed_until is null or claimed_until <= $4)`,
);

const RELEASE = statement(
  'release-ussd-step',
  'update ussd_sessions set claimed_until = null where id = $1 and step = $2',
);

const END = statement('end-ussd-session', 'update ussd_sessions set ended = true where id = $1 and not ended');

const PRUNE = statement(
  'prune-ussd-sessions',
  `delete from ussd_sessions where id = any (array(
    select id from ussd_sessions where expires_at < $1 order by expires_at limit $2 for update skip locked))`,
);
const PRUNE_CHUNK = 1_000;

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore(pool: StatementRunner) {
  const wrote = async (written: Promise<number>) => (await written) === 1;
  return {
    async find(id: string): Promise<SessionRow | null> {
      return (await pool.run(FIND, [id]))[0] ?? null;
    },
    /** False: another callback has begun the session. */
    insert({ id, gateway, phoneNumber, serviceCode, position, sealed, ended, expiresAt }: NewSession) {
      const values = [id, gateway, phoneNumber, serviceCode, position, sealed, ended, expiresAt];
      return wrote(pool.execute(INSERT, values));
    },
    /** False: another callback has made the step. */
    advance({ id, step }: Pick<SessionRow, 'id' | 'step'>, { position, sealed, ended }: Advance) {
      return wrote(pool.execute(ADVANCE, [id, step, position, sealed, ended]));
    },
    /** False: another gateway executes the step, or has executed it. */
    claim({ id, step }: Pick<SessionRow, 'id' | 'step'>, { now, until }: { now: Date; until: Date }) {
      return wrote(pool.execute(CLAIM, [id, step, until, now]));
    },
    async release({ id, step }: Pick<SessionRow, 'id' | 'step'>): Promise<void> {
      await pool.execute(RELEASE, [id, step]);
    },
    async end(id: string): Promise<void> {
      await pool.execute(END, [id]);
    },
    async prune(before: Date): Promise<void> {
      while ((await pool.execute(PRUNE, [before, PRUNE_CHUNK])) === PRUNE_CHUNK);
    },
  };
}

/** Those of the wallet's number, whichever gateway has them. */
export async function endSessionsOf(trx: Queries, subscriberId: string): Promise<void> {
  await sql`update ussd_sessions set ended = true where not ended
    and phone_number = (select phone_number from subscribers where id = ${subscriberId})`.execute(trx);
}

type NewSession = Omit<SessionRow, 'step' | 'claimedUntil'>;
type Advance = Pick<SessionRow, 'position' | 'sealed' | 'ended'>;

function rowOf([id, gateway, phone, code, position, step, sealed, ended, claimed, expires]: Columns): SessionRow {
  return {
    ...{ id: text(id), gateway: text(gateway), phoneNumber: text(phone), serviceCode: text(code) },
    ...{ position: integer(position), step: integer(step), sealed: bytes(sealed), ended: bool(ended) },
    ...{ claimedUntil: timestampOrNull(claimed), expiresAt: timestamp(expires) },
  };
}
