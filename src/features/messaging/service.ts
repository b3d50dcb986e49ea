// The port for outgoing messages (credentials, codes, receipts): queued in the transaction of what they speak of.
import type { Vault } from '../../auth/vault.ts';
import type { Queries } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { insertMessage, listMessages } from './store.ts';

export interface OutgoingMessage {
  /** E.164. */
  to: string;
  /** What it is about, for example 'credentials'. */
  kind: string;
  text: string;
}

export interface SentMessage extends OutgoingMessage {
  id: string;
  createdAt: Date;
}

export interface Messaging {
  send(trx: Queries, message: OutgoingMessage): Promise<void>;
  /** The local outbox, newest first. */
  outbox(page: { limit: number; offset: number }): Promise<{ messages: SentMessage[]; total: number }>;
}

export function createMessaging(deps: { queries: Queries; vault: Vault; clock: Clock }): Messaging {
  const { queries, vault, clock } = deps;
  return {
    async send(trx, { to, kind, text }) {
      const id = newId('msg', clock);
      const created_at = new Date(clock.now());
      await insertMessage(trx, { id, recipient: to, kind, sealed_text: vault.seal(text, id), created_at });
    },
    async outbox(page) {
      const { rows, total } = await listMessages(queries, page);
      const messages = rows.map((row) => ({
        id: row.id,
        to: row.recipient,
        kind: row.kind,
        text: vault.open(row.sealed_text, row.id),
        createdAt: row.created_at,
      }));
      return { messages, total };
    },
  };
}
