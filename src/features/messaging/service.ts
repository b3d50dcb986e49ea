// Outgoing messages (credentials, codes, answers): queued in the transaction of their cause, sent afterwards.
import type { Vault } from '../../auth/vault.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Page } from '../../http/paging.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import { Metrics } from '../../kernel/metrics.ts';
import { createMessageQueue, type MessageQueue } from './message-queue.ts';
import { type MessageMetrics, messageMetrics } from './metrics.ts';
import { type PlatformConfig, platformSender, type SendText, type Sent } from './platform.ts';
import { type Backlog, type Claimed, createMessageStore, insertMessage, listLocal } from './store.ts';

export { type Conversations, createConversations } from './conversations.ts';

export interface OutgoingMessage {
  /** E.164. */
  to: string;
  /** The purpose, for example 'credentials'. */
  kind: string;
  text: string;
}

export interface SentMessage extends OutgoingMessage {
  id: string;
  createdAt: Date;
}

export interface Messaging extends MessageQueue {
  send(trx: Queries, message: OutgoingMessage): Promise<void>;
  /** The local outbox, newest first. */
  outbox(page: Page): Promise<{ messages: SentMessage[]; total: number }>;
  /** Deletes messages older than 90 days. */
  prune(): Promise<void>;
  backlog(): Promise<Backlog>;
}

export interface MessagingDependencies {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** Undefined: messages stay in the local outbox, where staff read them. */
  platform: PlatformConfig | undefined;
  metrics?: MessageMetrics;
  report(message: string, details: Record<string, unknown>): void;
}

/** The delay after each failed attempt. After the last one the message has failed. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
const MAX_CONCURRENT_SENDS = 16;
const KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 500;

export function createMessaging(context: MessagingDependencies): Messaging {
  const { database, vault, clock, platform } = context;
  const { queries } = database;
  const store = createMessageStore(database.queries);
  return {
    ...(platform ? createDelivery(context, store, platformSender(platform)) : NO_QUEUE),
    async send(trx, { to, kind, text }) {
      const id = newId('msg', clock);
      const now = new Date(clock.now());
      const message = { id, recipient: to, kind, sealed_text: vault.seal(text, id), created_at: now };
      // Local messages are not sent if a platform is configured later: their passwords and codes are outdated by then.
      const delivery = platform
        ? ({ status: 'pending', next_attempt_at: now } as const)
        : ({ status: 'local' } as const);
      await insertMessage(trx, { next_attempt_at: null, ...message, ...delivery });
    },
    async outbox(page) {
      const { rows, total } = await listLocal(queries, page);
      const messages = rows.map((row) => ({
        id: row.id,
        to: row.recipient,
        kind: row.kind,
        text: vault.open(row.sealed_text, row.id),
        createdAt: row.created_at,
      }));
      return { messages, total };
    },
    async prune() {
      const below = firstIdAt('msg', clock.now() - KEPT_MS);
      while ((await store.prune(below, PRUNE_BATCH)) >= PRUNE_BATCH);
    },
    backlog: store.backlog,
  };
}

const NO_QUEUE: MessageQueue = {
  deliver: async () => undefined,
  wake: () => undefined,
  settled: async () => undefined,
  stop: async () => undefined,
};

function createDelivery(
  context: MessagingDependencies,
  store: ReturnType<typeof createMessageStore>,
  sendText: SendText,
): MessageQueue {
  const { vault, clock, report, metrics = messageMetrics(new Metrics()) } = context;

  async function attempt({ id, recipient, sealed_text }: Claimed, signal: AbortSignal): Promise<Sent> {
    let text: string;
    try {
      text = vault.open(sealed_text, id);
    } catch {
      return { outcome: 'refused', reason: 'the text cannot be decrypted' };
    }
    return sendText({ to: recipient, text }, signal);
  }

  return createMessageQueue<Claimed>({
    clock,
    report,
    slots: MAX_CONCURRENT_SENDS,
    claim: store.claim,
    release: store.release,
    async process(message, lease, signal) {
      const sent = await attempt(message, signal);
      // A stop aborted the attempt: it does not count as a failure.
      if (sent.outcome === 'failed') signal.throwIfAborted();
      const at = clock.now();
      const after = afterAttempt(message.attempts, sent.outcome, at);
      const error = sent.outcome === 'sent' ? null : sent.reason;
      const { id, kind } = message;
      const recorded = await store.record({ id, lease, at: new Date(at), error, ...after });
      if (recorded && after.status !== 'pending') metrics.ended[after.status].value += 1;
      if (!recorded) report('sending a message outlasted its lease', { message_id: id });
      else if (after.status === 'failed')
        report('a message could not be sent', { message_id: id, kind, reason: error });
    },
  });
}

function afterAttempt(before: number, outcome: Sent['outcome'], at: number) {
  if (outcome === 'sent') return { status: 'sent', nextAt: null } as const;
  const wait = outcome === 'refused' ? undefined : RETRY_AFTER_MS[before];
  if (wait === undefined) return { status: 'failed', nextAt: null } as const;
  return { status: 'pending', nextAt: new Date(at + wait) } as const;
}
