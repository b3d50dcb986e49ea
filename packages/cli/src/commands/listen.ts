// kissi listen: shows the webhooks of a partner or one's own, forwards them to a local address, and replays them.
import { emitKeypressEvents } from 'node:readline';
import { formatMoney } from '@kissi/client';
import { CheckFailed, UsageError } from '../errors.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { formatTime } from '../output/format.ts';
import { announce, jsonText, print, printable, remark, styled } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';
import type { EventSource, Listener, WebhookEvent } from '../webhooks/event.ts';
import { createFollower } from '../webhooks/follower.ts';
import { CREDIT_EVENTS, createOwnReceiver, exampleEvents, isOwner } from '../webhooks/own.ts';
import { createReceiver, UrlRefused } from '../webhooks/receiver.ts';

export interface ListenFlags extends GlobalFlags {
  partner?: string;
  forwardTo?: string;
  replay?: string;
  receive?: boolean;
  follow?: boolean;
  port?: string;
  publicUrl?: string;
  webhookSecret?: string;
  /** Separated by commas. */
  events?: string;
  bodies?: boolean;
  /** End after this many events. */
  count?: string;
}

const FORWARD_TIMEOUT_MS = 15_000;

export async function listen(flags: ListenFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const partnerId = await listenedTo(connection, flags);
  if (flags.forwardTo !== undefined && !URL.canParse(flags.forwardTo))
    throw new UsageError(`--forward-to ${flags.forwardTo} is not a URL.`);
  const stop = Promise.withResolvers<void>();
  const state: { last: WebhookEvent | null; failed: boolean; left: number } = {
    ...{ last: null, failed: false },
    left: flags.replay === undefined ? Number(flags.count ?? Number.POSITIVE_INFINITY) : 1,
  };
  const onEvent = async (event: WebhookEvent) => {
    if (flags.replay !== undefined && event.id !== flags.replay) return 503;
    state.last = event;
    const status = await handle(event, flags);
    state.failed = status < 200 || status > 299;
    state.left -= 1;
    // After the reply to the service was sent.
    if (state.left <= 0) setImmediate(stop.resolve);
    return status;
  };
  const source = await started({ connection, partnerId, flags, listener: { onEvent, onFailure: stop.reject } });
  const restoreKeys = readKeys(source, () => state.last, stop.resolve);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.resolve());
  try {
    if (flags.replay !== undefined) await source.replay(flags.replay);
    await stop.promise;
  } finally {
    restoreKeys();
    await source.stop();
  }
  if (flags.replay !== undefined && state.failed) throw new CheckFailed('The event was not accepted.');
}

/** The partner whose webhooks staff listen to; null: one's own. */
async function listenedTo(connection: Connection, { partner }: ListenFlags): Promise<string | null> {
  if (partner !== undefined) return partner;
  if (await isOwner(connection)) return null;
  const { partnerId } = connection.profile;
  if (!partnerId) throw new UsageError("--partner is missing: the partner's id.");
  return partnerId;
}

interface StartOptions {
  connection: Connection;
  partnerId: string | null;
  flags: ListenFlags;
  listener: Listener;
}

/** A service on this machine can call back. Others are followed, unless an address was given that they reach. */
async function started({ connection, partnerId, flags, listener }: StartOptions): Promise<EventSource> {
  const secret = flags.webhookSecret ?? connection.profile.webhookSecret;
  const common = { connection, secret };
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(connection.url).hostname);
  const receives = flags.receive === true || flags.publicUrl !== undefined || (isLocal && flags.follow !== true);
  const at = { port: Number(flags.port ?? 0), publicUrl: flags.publicUrl };
  const receiver = () =>
    partnerId === null
      ? createOwnReceiver({ connection, events: eventsOf(connection, flags), ...at })
      : createReceiver({ ...common, partnerId, ...at });
  let source = receives ? receiver() : createFollower({ ...common, partnerId });
  try {
    await source.start(listener);
  } catch (error) {
    if (!(error instanceof UrlRefused) || flags.receive === true || flags.publicUrl !== undefined) throw error;
    source = createFollower({ ...common, partnerId });
    await source.start(listener);
  }
  announce(`Ready. ${source.description}`);
  if (secret === undefined && !source.checksSignatures)
    announce('Signatures are not checked: give the secret with --webhook-secret or KISSI_WEBHOOK_SECRET.');
  return source;
}

/** By default all that the owner can get. */
function eventsOf(connection: Connection, { events }: ListenFlags): string[] {
  if (events !== undefined) return events.split(',');
  return [...exampleEvents(), ...(connection.profile.partnerId ? CREDIT_EVENTS : [])];
}

async function handle(event: WebhookEvent, flags: ListenFlags): Promise<number> {
  const { forwardTo } = flags;
  // An event that the service did not sign is shown, and goes no further.
  const forwarded = forwardTo === undefined || event.signature === 'invalid' ? null : await forward(event, forwardTo);
  if (flags.json) print(jsonText(eventRecord(event, forwarded)));
  else for (const line of eventLines(event, forwarded, flags.bodies === true)) print(line);
  if (event.signature === 'invalid') return 401;
  return forwarded === null ? 200 : (forwarded.status ?? 502);
}

export interface Forwarded {
  /** Null if there was no reply. */
  status: number | null;
  error?: string;
  durationMs: number;
}

async function forward({ body, headers }: WebhookEvent, url: string): Promise<Forwarded> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, durationMs: elapsed() };
  } catch (error) {
    const cause = (error as { cause?: Error }).cause ?? (error as Error);
    return { status: null, error: cause.message, durationMs: elapsed() };
  }
}

function payloadOf({ body }: WebhookEvent): Record<string, unknown> {
  try {
    const payload: unknown = JSON.parse(body.toString('utf8'));
    return typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function eventRecord(event: WebhookEvent, forwarded: Forwarded | null): object {
  const { id, signature, fault } = event;
  const outcome = forwarded && {
    status: forwarded.status,
    error: forwarded.error ?? null,
    duration_ms: forwarded.durationMs,
  };
  return { id, signature, ...(fault ? { fault } : {}), payload: payloadOf(event), forwarded: outcome };
}

export function eventLines(event: WebhookEvent, forwarded: Forwarded | null, withBody: boolean): string[] {
  const payload = payloadOf(event);
  const object = objectOf(payload);
  const amount = Number.isSafeInteger(object.amount)
    ? formatMoney(object.amount as number, { currency: printable(String(object.currency ?? 'SLE')) })
    : '';
  const line = [
    styled('dim', formatTime(String(payload.occurred_at ?? payload.created_at ?? ''))),
    styled('bold', printable(String(payload.event ?? payload.type ?? 'unknown event'))),
    amount,
    printable(String(object.reference ?? object.transaction_id ?? '')),
    styled('dim', printable(event.id)),
    signatureText(event),
    ...(forwarded === null ? [] : [forwardedText(forwarded)]),
  ];
  const body = withBody ? JSON.stringify(payload, null, 2).split('\n') : [];
  return [line.filter((part) => part !== '').join('  '), ...body.map((text) => `    ${printable(text)}`)];
}

/** What the event is about: its data.object, or the payload of a credit itself. */
function objectOf(payload: Record<string, unknown>): Record<string, unknown> {
  const { object } = (payload.data ?? {}) as { object?: unknown };
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>) : payload;
}

function signatureText({ signature, fault }: WebhookEvent): string {
  if (signature === 'valid') return styled('green', 'signature valid');
  if (signature === 'invalid') return styled('red', `signature invalid: ${fault}`);
  return signature === 'made here' ? 'signed here' : styled('dim', 'signature not checked');
}

function forwardedText({ status, error, durationMs }: Forwarded): string {
  const text = `→ ${status ?? printable(error ?? 'no reply')} in ${durationMs} ms`;
  return styled(status !== null && status < 300 ? 'green' : 'red', text);
}

/** On a terminal: r replays the last event, b shows its body, q ends. Returns what ends the reading. */
function readKeys(source: EventSource, last: () => WebhookEvent | null, end: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY) return () => undefined;
  remark('Keys: r replays the last event, b shows its body, q ends.');
  emitKeypressEvents(stdin);
  stdin.setRawMode(true);
  const onKey = (_text: string, key: { name?: string; ctrl?: boolean }) => {
    const event = last();
    if (key.name === 'q' || (key.ctrl && key.name === 'c')) end();
    else if (event && key.name === 'r')
      source.replay(event.id).catch((error: Error) => print(styled('red', error.message)));
    else if (event && key.name === 'b') print(jsonText(payloadOf(event), 2));
  };
  stdin.on('keypress', onKey);
  return () => {
    stdin.off('keypress', onKey);
    stdin.setRawMode(false);
    stdin.pause();
  };
}
