// What holders chose about their notices: language, channels, payments and balances.
import type { Actor, AuditLog } from '../../audit/log.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Language } from '../../http/pages/language.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Channel } from '../messaging/service.ts';
import type { Addressees } from './addressees.ts';

export interface NoticeSettings {
  language: Language;
  /** Where notices and codes go. */
  channels: readonly Channel[];
  /** Whether payments are told. */
  payments: boolean;
  show_balance: boolean;
}

export type SettingsChange = Partial<NoticeSettings>;

export interface SettingsContext {
  database: Database;
  audit: Pick<AuditLog, 'record'>;
  addressees: Addressees;
  /** The channels that work. */
  offered: readonly Channel[];
  clock: Clock;
}

export type Settings = ReturnType<typeof createSettings>;

export function createSettings({ database, audit, addressees, offered, clock }: SettingsContext) {
  async function read(queries: Queries, ownerId: string, forUpdate = false): Promise<NoticeSettings> {
    const row = queries.selectFrom('notice_preferences').selectAll().where('owner_id', '=', ownerId);
    const stored = await (forUpdate ? row.forUpdate() : row).executeTakeFirst();
    return {
      language: stored?.language === 'kri' ? 'kri' : 'en',
      channels: addressees.chosen(stored?.channels ?? null),
      // Merchants and agents are told only if they want to.
      payments: stored?.payments ?? ownerId.startsWith('sub_'),
      show_balance: stored?.shows_balance ?? true,
    };
  }

  async function write(trx: Queries, ownerId: string, change: SettingsChange): Promise<NoticeSettings> {
    const settings = { ...(await read(trx, ownerId, true)), ...change };
    const { language, payments, show_balance } = settings;
    const row = { language, payments, shows_balance: show_balance, updated_at: new Date(clock.now()) };
    // Without a choice of their own, holders follow the operator's default.
    const channels = change.channels ? { channels: [...new Set(change.channels)] } : {};
    await trx
      .insertInto('notice_preferences')
      .values({ owner_id: ownerId, ...row, ...channels })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet({ ...row, ...channels }))
      .execute();
    return settings;
  }

  return {
    offered,
    of: (ownerId: string): Promise<NoticeSettings> => read(database.queries, ownerId),

    /** The caller has checked that this actor may. */
    async change(actor: Actor, ownerId: string, change: SettingsChange): Promise<NoticeSettings | Refusal> {
      const missing = change.channels?.find((channel) => !offered.includes(channel));
      if (missing !== undefined) return refuse('INVALID_REQUEST', `channels: ${missing} is not available here.`);
      const fields = Object.keys(change);
      if (fields.length === 0) return read(database.queries, ownerId);
      return database.transact(async (trx) => {
        const settings = await write(trx, ownerId, change);
        const details = { fields };
        const about = { resourceType: resourceType(ownerId), resourceId: ownerId };
        await audit.record(trx, actor, { action: 'notifications.update', ...about, details });
        return settings;
      });
    },
  };
}

function resourceType(ownerId: string): string {
  if (ownerId.startsWith('sub_')) return 'subscriber';
  return ownerId.startsWith('agent_') ? 'agent' : 'processor';
}
