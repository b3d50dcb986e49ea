// Notices to customers: about their security, codes, and payments. All their texts are here, in their language.
import type { AuditLog } from '../../audit/log.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { OutboxRow } from '../../db/outbox-table.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NoticesConfig } from '../../kernel/config/notices.ts';
import type { Channel, Messaging, OutgoingMessage } from '../messaging/service.ts';
import { type Addressee, createAddressees } from './addressees.ts';
import { KINDS, type NoticeKind, type NoticeValues } from './kinds.ts';
import type { NoticeMetrics } from './metrics.ts';
import { createPaymentReader, type PaymentReader } from './payments/reader.ts';
import { createSettings, type Settings } from './settings.ts';
import { textKey } from './texts/texts.ts';
import { wording } from './wording.ts';

export type { NoticeKind, NoticeValues } from './kinds.ts';

/** A notice about security, or a code. `to`: another number than the holder's, such as the old one. */
export type Notice = {
  [Kind in NoticeKind]: Addressee & { kind: Kind; values: NoticeValues[Kind]; to?: string; expiresAt?: number };
}[NoticeKind];

export interface Notices {
  /** Queues the notice in the transaction of what it tells about. It is sent once that is committed. */
  tell(trx: Queries, notice: Notice): Promise<void>;
  /** The same, as rows for a commit of the ledger. */
  rows(notice: Notice): Promise<OutboxRow[]>;
  /** Sends what was queued at once, after the commit. Otherwise it is sent within a second. */
  wake(): void;
  /** Tells customers about the payments that were committed since the last time. */
  tellPayments(stopping?: AbortSignal): Promise<void>;
  settings: Settings;
  /** Another gateway goes on telling payments. */
  stop(): Promise<void>;
}

export interface NoticesContext {
  messaging: Pick<Messaging, 'send' | 'row' | 'keep' | 'wake' | 'channels' | 'provider'>;
  database: Database;
  audit: Pick<AuditLog, 'record'>;
  config: NoticesConfig;
  /** The local outbox can be read, so that payments are told there if no provider is set. */
  showsOutbox: boolean;
  clock: Clock;
  metrics: NoticeMetrics;
  report(message: string, details: Record<string, unknown>): void;
}

export function createNotices(context: NoticesContext): Notices {
  const { messaging, config, clock, database, showsOutbox } = context;
  const addressees = createAddressees(config, messaging.channels);
  const readers = config.notices === 'all' ? toldChannels().map(createReader) : [];

  /** Those that have a provider, and the default one where the local outbox can be read. */
  function offeredChannels(): readonly Channel[] {
    const local = showsOutbox || messaging.channels.length === 0 ? addressees.byDefault : [];
    return [...new Set([...messaging.channels, ...local])];
  }

  function toldChannels(): readonly Channel[] {
    return offeredChannels().filter((channel) => showsOutbox || messaging.provider(channel) !== undefined);
  }

  function createReader(channel: Channel): PaymentReader {
    const isChosen = (channels: readonly string[] | null) => addressees.chosen(channels).includes(channel);
    return createPaymentReader({ ...context, channel, provider: messaging.provider(channel), isChosen });
  }

  /** One for each of the holder's channels. */
  async function messages(trx: Queries, notice: Notice): Promise<OutgoingMessage[]> {
    const { kind, values } = notice;
    const expiresAt = Math.min(notice.expiresAt ?? Number.POSITIVE_INFINITY, clock.now() + KINDS[kind].validMs);
    if (config.notices === 'off' && !KINDS[kind].isCode) return [];
    const holder = await addressees.find(trx, notice);
    const to = notice.to ?? holder?.phone_number;
    if (!holder || to === undefined) return [];
    return holder.channels.map((channel) => ({
      to,
      kind,
      channel,
      text: wording(holder, channel, textKey(kind, values), values),
      expiresAt,
    }));
  }

  return {
    async tell(trx, notice) {
      for (const message of await messages(trx, notice)) await messaging.send(trx, message);
    },
    rows: async (notice) => (await messages(database.queries, notice)).map(messaging.row),
    wake: messaging.wake,
    settings: createSettings({ ...context, addressees, offered: offeredChannels() }),
    async tellPayments(stopping) {
      await Promise.all(readers.map((reader) => reader.run(stopping)));
    },
    async stop() {
      await Promise.all(readers.map((reader) => reader.release()));
    },
  };
}
