// Answers incoming messages: the platform's from a queue in the database, those of the bridge at once.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../auth/vault.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import { type Clock, DAY_MS } from '../../kernel/clock.ts';
import type { MessagingConfig } from '../../kernel/config/config.ts';
import { newId } from '../../kernel/ids.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import { type AgentService, createAgentService } from './agent-service.ts';
import { createIncomingStore, finishIncoming, type UnansweredMessage } from './incoming-store.ts';
import { parseJson } from './json-post.ts';
import { createMessageQueue, type MessageQueue } from './message-queue.ts';
import { type PlatformMessage, readPlatformPost } from './payload.ts';
import { isFourDigits } from './possible-pin.ts';
import { createReports, type OpenFromChat } from './reports.ts';
import type { BridgeBody } from './schemas.ts';

export interface ConversationDependencies {
  database: Database;
  vault: Vault;
  clock: Clock;
  phone: PhoneReader;
  config: Pick<MessagingConfig, 'verifyToken' | 'agentService'>;
  /** By phone number, E.164. */
  findSubscriber: Load<string, { id: string } | null>;
  /** Whether the agent service receives the subscriber id of bridge messages; see docs/decisions/messaging.md. */
  bridgeNamesSubscribers: boolean;
  messaging: Outgoing;
  openCase: OpenFromChat;
  report(message: string, details: Record<string, unknown>): void;
}

/** Sends the answers. */
interface Outgoing {
  send(trx: Database['queries'], message: { to: string; kind: string; text: string }): Promise<void>;
  wake(): void;
}

interface IncomingMessage {
  event: string;
  message: string;
  from: string;
  phoneE164: string;
  verified: boolean;
  requestId: string;
  signal: AbortSignal;
}

export interface Answer {
  answer: string;
  status: 'success' | 'error';
}

export type Verification = Record<'mode' | 'token' | 'challenge', string | undefined>;

export interface Conversations extends MessageQueue {
  /** The challenge to return to a platform that sent the right token. */
  verify(query: Verification): string | Refusal;
  /** Stores the messages of a platform request, all or none; `verified` if the request was signed. */
  receive(entry: string | undefined, verified: boolean): Promise<Refusal | null>;
  bridge(body: BridgeBody, requestId: string): Promise<Answer | Refusal>;
  /** Deletes the ids of messages that the platform will not deliver again. */
  prune(): Promise<void>;
}

const MAX_CONCURRENT_ANSWERS = 32;
const MAX_BRIDGE_REQUESTS = 32;
/** Every message causes an outgoing text. */
const MAX_MESSAGES_PER_POST = 100;
/** The platform redelivers for a week. Ids are kept longer so that recorded requests cannot be replayed. */
const IDS_KEPT_MS = 90 * DAY_MS;
const PRUNE_BATCH = 500;

export function createConversations(context: ConversationDependencies): Conversations {
  const { database, vault, clock, phone, config, findSubscriber, messaging, report } = context;
  const store = createIncomingStore(database.queries);
  // The bridge is unauthenticated. Failures provoked there must not open the breaker of the platform.
  const shared = { config: config.agentService, clock, report };
  const platformAgent = createAgentService({ ...shared, channel: 'platform' });
  const bridgeAgent = createAgentService({ ...shared, channel: 'bridge' });
  const reported = createReports(context.openCase);
  let bridgeInFlight = 0;
  if (config.agentService && !config.agentService.identity) {
    report('requests to the agent service are not signed: set AGENT_SERVICE_NAME to a name in SERVICE_SECRETS', {});
  }

  async function answerTo(agent: AgentService, incoming: IncomingMessage): Promise<Answer> {
    const { event, message, from, phoneE164, verified, requestId, signal } = incoming;
    const subscriber = await findSubscriber(phoneE164);
    if (!subscriber) return { answer: PLEASE_REGISTER, status: 'success' };
    const subscriberId = verified || context.bridgeNamesSubscribers ? subscriber.id : null;
    // Anybody can claim a number that is not verified.
    const reply = subscriberId && (await reported({ subscriberId, message, messageId: requestId }));
    if (reply) return { answer: reply, status: 'success' };
    const question = { event, message, from, phoneE164, subscriber_id: subscriberId };
    const answer = await agent.ask(question, { verified, requestId, signal });
    return answer === null ? { answer: SORRY, status: 'error' } : { answer, status: 'success' };
  }

  function decrypted({ id, sealed_text }: UnansweredMessage): string | null {
    try {
      return vault.open(sealed_text, id);
    } catch (error) {
      report('an incoming message cannot be decrypted', { message_id: id, error });
      return null;
    }
  }

  async function replyTo(waiting: UnansweredMessage, signal: AbortSignal): Promise<string> {
    const { id, platform_user: from, sender: phoneE164, verified } = waiting;
    const message = decrypted(waiting);
    if (message === null) return SORRY;
    if (message === NO_TEXT) return TEXT_ONLY;
    const incoming = { event: 'message', message, from, phoneE164, verified, requestId: id, signal };
    const { answer } = await answerTo(platformAgent, incoming);
    signal.throwIfAborted();
    return answer;
  }

  const queue = createMessageQueue<UnansweredMessage>({
    clock,
    report,
    slots: MAX_CONCURRENT_ANSWERS,
    claim: store.claim,
    release: store.release,
    async process(waiting, lease, signal) {
      const text = await replyTo(waiting, signal);
      const isFinished = await database.transact(async (trx) => {
        const finished = await finishIncoming(trx, waiting.id, lease);
        if (finished) await messaging.send(trx, { to: waiting.sender, kind: 'answer', text });
        return finished;
      });
      if (isFinished) messaging.wake();
      else report('answering a message outlasted its lease', { message_id: waiting.id });
    },
  });

  /** Tells the sender of what may be a PIN. The message itself is neither stored nor forwarded. */
  async function warn(senders: readonly string[]): Promise<void> {
    if (senders.length === 0) return;
    await database.transact(async (trx) => {
      for (const to of new Set(senders)) await messaging.send(trx, { to, kind: 'answer', text: NEVER_YOUR_PIN });
    });
    messaging.wake();
  }

  /** Encrypted, because messages may contain secrets. */
  function receivedOf({ id, from, text }: PlatformMessage) {
    const sender = phone(`+${from}`);
    if (sender === null) return [];
    const sealedText = vault.seal(text?.toWellFormed() ?? NO_TEXT, id);
    return [{ id, place: newId('msg', clock), platformUser: from, sender, sealedText }];
  }

  return {
    ...queue,
    verify({ mode, token, challenge }) {
      const isRight =
        config.verifyToken !== undefined && token !== undefined && equalInConstantTime(config.verifyToken, token);
      if (mode === 'subscribe' && isRight && challenge !== undefined) return challenge;
      return refuse('FORBIDDEN', 'hub.mode must be subscribe and hub.verify_token must be the configured token.');
    },
    async receive(entry, verified) {
      const { messages, count, unknown } = readPlatformPost(entry === undefined ? undefined : parseJson(entry));
      if (count > MAX_MESSAGES_PER_POST) {
        report('the messaging platform sent too many messages in one request', { count });
        return refuse('PAYLOAD_TOO_LARGE', `A request carries at most ${MAX_MESSAGES_PER_POST} messages.`);
      }
      const [pins, others] = [messages.filter(mayBePin), messages.filter((message) => !mayBePin(message))];
      await warn(pins.flatMap(({ from }) => phone(`+${from}`) ?? []));
      const received = others.flatMap(receivedOf);
      if (received.length < others.length) unknown.push('sender');
      if (unknown.length > 0) {
        report('the messaging platform sent unknown content', { what: [...new Set(unknown)].slice(0, 10) });
      }
      if (received.length === 0) return null;
      const inserted = await store.insert(received, { verified, at: new Date(clock.now()) });
      if (inserted > 0) queue.wake();
      return null;
    },
    async bridge({ phoneE164: claimedNumber, ...incoming }, requestId) {
      const phoneE164 = phone(claimedNumber);
      if (phoneE164 === null) return refuse('INVALID_REQUEST', 'phoneE164 is not a valid phone number.');
      if (isFourDigits(incoming.message)) return { answer: NEVER_YOUR_PIN, status: 'success' };
      if (bridgeInFlight >= MAX_BRIDGE_REQUESTS) return { answer: SORRY, status: 'error' };
      bridgeInFlight += 1;
      try {
        return await answerTo(bridgeAgent, {
          ...incoming,
          phoneE164,
          verified: false,
          requestId,
          signal: NEVER_ABORTED,
        });
      } finally {
        bridgeInFlight -= 1;
      }
    },
    async prune() {
      const before = new Date(clock.now() - IDS_KEPT_MS);
      while ((await store.prune(before, PRUNE_BATCH)) >= PRUNE_BATCH);
    },
  };
}

const mayBePin = ({ text }: PlatformMessage) => text !== null && isFourDigits(text);

// Never aborted: a stop waits for the HTTP requests in flight.
const NEVER_ABORTED = new AbortController().signal;

/** The stored text of a message without text. Real texts are never empty. */
const NO_TEXT = '';

/** Compares in constant time, for texts of any length. */
function equalInConstantTime(expected: string, actual: string): boolean {
  const [a, b] = [expected, actual].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

const PLEASE_REGISTER =
  'This number is not registered with us yet. To open a wallet, register with any of our agents or in the app; ' +
  'it takes a minute and needs your name, this number and a PIN of your choice.';

const SORRY =
  'We cannot answer you right now. Please try again in a few minutes, or see one of our agents. We will never ask for your PIN here.';

const NEVER_YOUR_PIN =
  'Your message was deleted because it looks like a PIN. Never send your PIN here: enter it only in the app or after dialling our USSD code. If you sent it to somebody else, change it now.';

const TEXT_ONLY = 'Sorry, we can only read text messages here. Please write to us what you need.';
