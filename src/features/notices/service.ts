// Notices to customers: about their security, codes, and payments. All their texts are here, in their language.
import type { Queries } from '../../db/database.ts';
import type { OutboxRow } from '../../db/outbox-table.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { NoticesConfig } from '../../kernel/config/notices.ts';
import { toGsm } from '../../kernel/gsm.ts';
import { oneLine } from '../../kernel/text.ts';
import type { Channel, Messaging, OutgoingMessage } from '../messaging/service.ts';
import { type Addressee, createAddressees, type Holder } from './addressees.ts';
import { KINDS, type NoticeKind, type NoticeValues } from './kinds.ts';
import { fillIn } from './template.ts';
import { TEXTS, textKey } from './texts/texts.ts';

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
}

export interface NoticesContext {
  messaging: Pick<Messaging, 'send' | 'row' | 'wake' | 'channels'>;
  /** For `rows`. */
  queries: Queries;
  config: NoticesConfig;
  clock: Clock;
}

/** Values that somebody typed: names and devices. More of them would make the text longer than an SMS. */
const TYPED = ['device', 'payee', 'sender'];
const MAX_NAME = 24;

export function createNotices(context: NoticesContext): Notices {
  const { messaging, config, clock, queries } = context;
  const addressees = createAddressees(config, messaging.channels);

  /** One for each of the holder's channels. */
  async function messages(trx: Queries, notice: Notice): Promise<OutgoingMessage[]> {
    const { kind, values, expiresAt = clock.now() + KINDS[kind].validMs } = notice;
    if (config.notices === 'off' && !KINDS[kind].isCode) return [];
    const holder = await addressees.find(trx, notice);
    const to = notice.to ?? holder?.phone_number;
    if (!holder || to === undefined) return [];
    return holder.channels.map((channel) => ({
      to,
      kind,
      channel,
      text: textFor(holder, channel, kind, values),
      expiresAt,
    }));
  }

  return {
    async tell(trx, notice) {
      for (const message of await messages(trx, notice)) await messaging.send(trx, message);
    },
    rows: async (notice) => (await messages(queries, notice)).map(messaging.row),
    wake: messaging.wake,
  };
}

function textFor(
  { language }: Pick<Holder, 'language'>,
  channel: Channel,
  kind: NoticeKind,
  values: NoticeValues[NoticeKind],
): string {
  const shortened = Object.entries(values).map(([name, value]) => [
    name,
    TYPED.includes(name) ? short(String(value)) : value,
  ]);
  const text = fillIn(TEXTS[language][textKey(kind, values)], Object.fromEntries(shortened), language);
  return channel === 'sms' ? toGsm(text) : text;
}

function short(value: string): string {
  const line = oneLine(value) ?? '';
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).trimEnd()}.`;
}
