// Outgoing messages (credentials, codes, answers): queued in the transaction of their cause, sent afterwards.
import type { Vault } from '../../auth/vault.ts';
import type { Database, Queries } from '../../db/database.ts';
import { type OutboxRow, OutboxTable } from '../../db/outbox-table.ts';
import type { Page } from '../../http/paging.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { firstIdAt, newId } from '../../kernel/ids.ts';
import { Metrics } from '../../kernel/metrics.ts';
import { CHANNELS, type Channel } from './channel.ts';
import { createMessageQueue, type MessageQueue } from './message-queue.ts';
import { type MessageMetrics, messageMetrics } from './metrics.ts';
import type { Provider, Providers, Sent } from './provider.ts';
import { type Backlog, type Claimed, createMessageStore, insertMessages, listLocal } from './store.ts';

export { CHANNELS, type Channel } from './channel.ts';
export { type Conversations, createConversations } from './conversations.ts';
export type { Provider, Providers } from './provider.ts';

export interface OutgoingMessage {
  /** E.164. */
  to: string;
  /** The purpose, for example 'credentials'. */
  kind: string;
  text: string;
  /** The chat if absent, or by SMS if only that has a provider. */
  channel?: Channel;
  /** From then on it is worth nothing, and is not sent any more. */
  expiresAt?: number;
}

export interface KeptMessage extends OutgoingMessage {
  id: string;
  /** Attempts that were made before, and why the last one failed. */
  attempts: number;
  reason: string;
}

export interface SentMessage extends OutgoingMessage {
  id: string;
  createdAt: Date;
}

export interface Messaging extends MessageQueue {
  send(trx: Queries, message: OutgoingMessage): Promise<void>;
  /** The same, for a commit of the ledger. */
  row(message: OutgoingMessage): OutboxRow;
  /** Messages with ids of their own, of which some may be there already. `retryMs`: when the pending ones are due. */
  keep(trx: Queries, messages: readonly KeptMessage[], retryMs: number): Promise<void>;
  provider(channel: Channel): Provider | undefined;
  /** The channels with a provider. */
  channels: readonly Channel[];
  /** The local outbox, newest first; `to`: only of this number. */
  outbox(page: Page, to?: string): Promise<{ messages: SentMessage[]; total: number }>;
  /** Deletes messages older than 90 days. */
  prune(): Promise<void>;
  backlog(): Promise<Backlog>;
}

export interface MessagingDependencies {
  database: Database;
  vault: Vault;
  clock: Clock;
  /** Without a provider, messages stay in the local outbox, where staff read them. */
  providers: Providers;
  metrics?: MessageMetrics;
  report(message: string, details: Record<string, unknown>): void;
}

/** Its time was over before it was sent. */
type Late = { outcome: 'late' };

/** The delay after each failed attempt. After the last one the message has failed. */
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS, 60 * MINUTE_MS];
const KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 500;

const MESSAGES = new OutboxTable('messages');

export function createMessaging(context: MessagingDependencies): Messaging {
  const { database, vault, clock, providers } = context;
  const { queries } = database;
  const store = createMessageStore(database.queries);
  const channels = CHANNELS.filter((channel) => providers[channel] !== undefined);
  const byDefault = providers.chat || !providers.sms ? 'chat' : 'sms';
  const queues = channels.flatMap((channel) => {
    const provider = providers[channel];
    return provider ? [createDelivery(context, store, channel, provider)] : [];
  });

  function newMessage(
    message: OutgoingMessage,
    { id = newId('msg', clock), attempts = 0, reason = '', waitMs = 0 } = {},
  ) {
    const { to, kind, text, channel = byDefault, expiresAt } = message;
    const now = clock.now();
    // Local messages are not sent if a provider is configured later: their passwords and codes are outdated by then.
    const delivery = providers[channel]
      ? { status: 'pending' as const, next_attempt_at: new Date(now + waitMs) }
      : { status: 'local' as const, next_attempt_at: null };
    return {
      ...{ id, recipient: to, kind, channel, sealed_text: vault.seal(text, id), created_at: new Date(now), attempts },
      ...{ ...delivery, lease: null, leased_until: null, finished_at: null, last_error: reason === '' ? null : reason },
      expires_at: expiresAt === undefined ? null : new Date(expiresAt),
    };
  }

  return {
    ...together(queues),
    channels,
    provider: (channel) => providers[channel],
    send: (trx, message) => insertMessages(trx, [newMessage(message)]),
    keep: (trx, messages, waitMs) =>
      insertMessages(
        trx,
        messages.map(({ id, attempts, reason, ...message }) => newMessage(message, { id, attempts, reason, waitMs })),
      ),
    row(message) {
      const { sealed_text, ...row } = newMessage(message);
      return { table: MESSAGES, row: { ...row, sealed_text: `\\x${sealed_text.toString('hex')}` } };
    },
    async outbox(page, to) {
      const { rows, total } = await listLocal(queries, page, to);
      const messages = rows.map((row) => ({
        id: row.id,
        to: row.recipient,
        kind: row.kind,
        channel: row.channel,
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

/** Each channel has a queue of its own: a provider that is slow or dead does not hold up the other. */
function together(queues: readonly MessageQueue[]): MessageQueue {
  const each = async (run: (queue: MessageQueue) => Promise<void>) => void (await Promise.all(queues.map(run)));
  return {
    deliver: () => each((queue) => queue.deliver()),
    wake: () => {
      for (const queue of queues) queue.wake();
    },
    settled: () => each((queue) => queue.settled()),
    stop: () => each((queue) => queue.stop()),
  };
}

function createDelivery(
  context: MessagingDependencies,
  store: ReturnType<typeof createMessageStore>,
  channel: Channel,
  provider: Provider,
): MessageQueue {
  const { vault, clock, report, metrics = messageMetrics(new Metrics()) } = context;

  async function attempt(
    { id, recipient, sealed_text, expires_at }: Claimed,
    signal: AbortSignal,
  ): Promise<Sent | Late> {
    if (expires_at !== null && expires_at.getTime() <= clock.now()) return { outcome: 'late' };
    let text: string;
    try {
      text = vault.open(sealed_text, id);
    } catch {
      return { outcome: 'refused', reason: 'the text cannot be decrypted' };
    }
    return provider.send({ id, to: recipient, text }, signal);
  }

  return createMessageQueue<Claimed>({
    clock,
    report,
    slots: provider.slots,
    claim: (limit, lease) => store.claim(channel, Math.min(limit, provider.room()), lease),
    release: store.release,
    async process(message, lease, signal) {
      const sent = await attempt(message, signal);
      // A stop aborted the attempt: it does not count as a failure.
      if (sent.outcome === 'failed') signal.throwIfAborted();
      const at = clock.now();
      const after = afterAttempt(message, sent.outcome, at);
      const error = 'reason' in sent ? sent.reason : null;
      const { id, kind } = message;
      const recorded = await store.record({ id, lease, at: new Date(at), error, ...after });
      if (recorded && after.status !== 'pending') metrics.ended[channel][after.status].value += 1;
      if (!recorded) report('sending a message outlasted its lease', { message_id: id });
      else if (after.status === 'failed')
        report('a message could not be sent', { message_id: id, kind, reason: error });
    },
  });
}

function afterAttempt({ attempts, expires_at }: Claimed, outcome: (Sent | Late)['outcome'], at: number) {
  if (outcome === 'sent') return { status: 'sent', nextAt: null } as const;
  if (outcome === 'late') return { status: 'dropped', nextAt: null } as const;
  const wait = outcome === 'refused' ? undefined : RETRY_AFTER_MS[attempts];
  if (wait === undefined) return { status: 'failed', nextAt: null } as const;
  if (expires_at !== null && expires_at.getTime() <= at + wait) return { status: 'dropped', nextAt: null } as const;
  return { status: 'pending', nextAt: new Date(at + wait) } as const;
}
