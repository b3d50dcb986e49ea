// Daily closes: closing and correcting days, reading them, and the public keys that verify them.
import { isSignedBy, type Jwk, jwkOf, publicBytes, publicKeyOf, signatureOf } from '@kissi/signatures/documents';
import type { Actor } from '../../../audit/log.ts';
import type { RecordRef } from '../../../audit/records.ts';
import type { Queries } from '../../../db/database.ts';
import { isCalendarDay } from '../../../http/fields.ts';
import type { Page } from '../../../http/paging.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import { tidy } from '../../../kernel/text.ts';
import { financeAttention } from './attention.ts';
import { certificatePdf } from './certificate.ts';
import { createCloseDay, createDayFigures } from './close-day.ts';
import type { ClosesContext } from './context.ts';
import type { Figures } from './figures.ts';
import { createCloseDue } from './schedule.ts';
import { signPdf } from './signed-pdf.ts';
import { allKeys, type CloseRow, closeById, closeOfDay, insertKey, keyById, listCloses } from './store.ts';
import { createWatch } from './watch.ts';

export type { ClosesContext } from './context.ts';
export { registerFinanceGauges, watchFinance } from './watch.ts';

export interface CloseBody {
  date: string;
  corrects?: string;
  reason?: string;
}

export interface ClosesQuery extends Page {
  from?: string;
  to?: string;
}

export type Closes = ReturnType<typeof createCloses>;

export function createCloses(context: ClosesContext) {
  const { database, key } = context;
  const closeDay = createCloseDay(context);
  const dayFigures = createDayFigures(context);

  /** By day, or by the id of one of the closes of a day. */
  async function find(dateOrId: string): Promise<CloseRow | Refusal> {
    const isDay = isCalendarDay(dateOrId);
    const found = await (isDay ? closeOfDay : closeById)(database.queries, dateOrId);
    return found ?? refuse('NOT_FOUND', isDay ? 'The day is not closed.' : 'There is no such close.');
  }

  /** For the current key the configuration counts, not what the database says about it. */
  async function isGenuine({ document, signature, key_id }: CloseRow): Promise<boolean> {
    const stored = key_id === key.id ? publicBytes(key) : (await keyById(database.queries, key_id))?.public_key;
    const signer = stored === undefined ? null : publicKeyOf(stored);
    return signer?.id === key_id && isSignedBy(Buffer.from(document), signature, signer);
  }

  return {
    async create(actor: Actor, { date, corrects, reason }: CloseBody): Promise<CloseRow | Refusal> {
      if (!isCalendarDay(date)) return refuse('INVALID_REQUEST', 'date must be a day (YYYY-MM-DD).');
      const why = tidy(reason ?? '');
      if (corrects === undefined) {
        return why === '' ? closeDay(actor, { date }) : refuse('INVALID_REQUEST', 'reason needs corrects.');
      }
      if (why === '') return refuse('INVALID_REQUEST', 'A correction needs a reason.');
      return closeDay(actor, { date, correction: { corrects, reason: why } });
    },

    async list({ from, to, ...page }: ClosesQuery): Promise<{ rows: CloseRow[]; total: number } | Refusal> {
      const wrong = [from, to].find((day) => day !== undefined && !isCalendarDay(day));
      if (wrong !== undefined) return refuse('INVALID_REQUEST', 'from and to must be days (YYYY-MM-DD).');
      return listCloses(database.queries, { from, to }, page);
    },

    find,

    async figures(date: string): Promise<Figures | Refusal> {
      if (!isCalendarDay(date)) return refuse('INVALID_REQUEST', 'date must be a day (YYYY-MM-DD).');
      return dayFigures(date);
    },

    async pdf(dateOrId: string): Promise<{ name: string; pdf: Buffer } | Refusal> {
      const row = await find(dateOrId);
      if (row instanceof Refusal) return row;
      if (!(await isGenuine(row)))
        throw new Error(`close ${row.id} was changed: its signature does not match its document`);
      const pdf = signPdf(await certificatePdf(row), key);
      return { name: `kissi-close-${row.date}-${row.number}.pdf`, pdf };
    },

    /** The current key, and all that signed a close. */
    async keys(): Promise<Jwk[]> {
      const stored = await allKeys(database.queries);
      const keys = new Map(stored.map(({ id, public_key }) => [id, public_key]));
      return [...keys.set(key.id, publicBytes(key))].map(([id, x]) => jwkOf(id, x));
    },

    /**
     * Signs another document, which names its kind. The key is published like a close's; the audit entry of the
     * transaction names the new keys.
     */
    async sign(trx: Queries, document: string): Promise<{ signature: string; keyId: string; newKeys: RecordRef[] }> {
      const keyRow = { id: key.id, public_key: publicBytes(key), created_at: new Date(context.clock.now()) };
      const isNew = await insertKey(trx, keyRow);
      const newKeys: RecordRef[] = isNew ? [{ kind: 'close_key', id: key.id }] : [];
      return { signature: signatureOf(Buffer.from(document), key), keyId: key.id, newKeys };
    },

    /** Closes the days that are due. */
    closeDue: createCloseDue(context, closeDay),

    watch: createWatch(context),

    /** What waits for finance staff, for the overview. */
    attention: () => financeAttention(context),
  };
}
