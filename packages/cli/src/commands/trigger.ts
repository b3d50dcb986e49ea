// kissi trigger: makes a credit's event really happen in a test environment, or sends an example of another event.
import { randomUUID } from 'node:crypto';
import { operation } from '../command-table.ts';
import { CheckFailed, isKissiError, UsageError } from '../errors.ts';
import { fieldValue } from '../flags.ts';
import type { GlobalFlags } from '../global-flags.ts';
import { showReply } from '../output/reply.ts';
import { print, remark } from '../output/terminal.ts';
import { Connection, connectionFlags } from '../session/connection.ts';
import { CREDIT_EVENTS, exampleEvents, isOwner, sendExamples } from '../webhooks/own.ts';

const EVENTS = CREDIT_EVENTS;
type EventName = (typeof EVENTS)[number];

export interface TriggerFlags extends GlobalFlags {
  partner?: string;
  account?: string;
  amount?: string;
  reference?: string;
  /** For examples: the webhook endpoint. */
  endpoint?: string;
}

/** No account has this number: its check digit is valid, and numbers do not start with zeros. */
const UNKNOWN_ACCOUNT = '0000000000';
const KEY_LIFETIME_MS = 10 * 60 * 1000;

interface TestKey {
  keyId: string;
  secret: string;
}

export async function trigger(name: string, flags: TriggerFlags): Promise<void> {
  const connection = new Connection(connectionFlags(flags));
  const examples = exampleEvents();
  if (examples.includes(name)) return sendExample(connection, name, flags);
  const event = EVENTS.find((known) => known === name);
  if (!event) throw new UsageError(`There is no event ${name}: choose ${[...EVENTS, ...examples].join(', ')}.`);
  const partnerId = flags.partner ?? connection.profile.partnerId;
  if (!partnerId) throw new UsageError("--partner is missing: the partner's id.");
  await refuseProduction(connection);
  const key = await createKey(connection, partnerId);
  try {
    await carryOut(connection, event, key, flags);
  } finally {
    await connection.call(operation('revokeApiKey'), { path: { id: key.keyId } });
  }
}

/** To the endpoints of the merchant or partner who triggers it; staff name one. */
async function sendExample(connection: Connection, type: string, { endpoint, json }: TriggerFlags): Promise<void> {
  if (endpoint === undefined && !(await isOwner(connection))) {
    throw new UsageError('--endpoint is missing: the id of the webhook endpoint.');
  }
  const sent = await sendExamples(connection, type, endpoint);
  if (json) return print(JSON.stringify({ type, delivery_ids: sent }, null, 2));
  for (const id of sent) print(`${type} will be sent as ${id}: kissi integration delivery ${id}`);
}

/** Keys start with svc_live_ in production and with svc_test_ elsewhere; production refuses test keys. */
async function refuseProduction(connection: Connection): Promise<void> {
  const query = { limit: '1' };
  const reply = (await connection.call(operation('listApiKeys'), { query })) as unknown as {
    api_keys: { prefix: string }[];
  };
  if (reply.api_keys.some(({ prefix }) => isLive(prefix))) throw isProduction();
}

const isLive = (prefix: string) => prefix.startsWith('svc_live_');
const isProduction = () =>
  new CheckFailed('This is a production environment: kissi trigger moves money in test environments only.');

/** A key of the partner for this event alone. */
async function createKey(connection: Connection, partnerId: string): Promise<TestKey> {
  const body = {
    name: 'kissi trigger',
    scopes: ['inbound:write'],
    partner_id: partnerId,
    expires_at: new Date(Date.now() + KEY_LIFETIME_MS).toISOString(),
  };
  const reply = await connection.call(operation('createApiKey'), { body });
  if (reply?.lastResponse?.status === 202) {
    throw new CheckFailed(
      "Creating API keys needs another user's approval here. Make the credit with your own key: kissi inbound credit",
    );
  }
  const { api_key: created, secret } = reply as unknown as { api_key: { id: string; prefix: string }; secret: string };
  const key = { keyId: created.id, secret };
  if (!isLive(created.prefix)) return key;
  await connection.call(operation('revokeApiKey'), { path: { id: key.keyId } });
  throw isProduction();
}

async function carryOut(connection: Connection, event: EventName, key: TestKey, flags: TriggerFlags): Promise<void> {
  const amount = fieldValue({ name: 'amount', type: 'money' }, flags.amount ?? '10.00');
  const reference = flags.reference ?? `trigger-${randomUUID()}`;
  const account_number =
    event === 'credit.failed' ? UNKNOWN_ACCOUNT : (flags.account ?? (await anyAccount(connection)));
  const body = { reference, amount, account_number, narration: 'kissi trigger', payer: { name: 'Test payer' } };
  const credited = await credit(connection, key, body, event);
  if (event !== 'credit.reversed') {
    if (credited) await showReply(operation('creditWallet'), credited, flags);
    return;
  }
  const reverse = operation('reverseInboundCredit');
  const inbound_id = String((credited?.data as Record<string, unknown> | undefined)?.inbound_id);
  const reply = await connection.call(reverse, {
    path: { inbound_id },
    body: { reason: 'kissi trigger', request_id: reference },
  });
  if (reply?.lastResponse?.status === 202) {
    const { approval } = reply as unknown as { approval: { id: string } };
    throw new CheckFailed(
      `The credit was made. Its reversal needs another user: kissi approvals approve ${approval.id}`,
    );
  }
  await showReply(reverse, reply, flags);
}

/** The refusal is what credit.failed reports, so it is not an error here. */
async function credit(
  connection: Connection,
  key: TestKey,
  body: object,
  event: EventName,
): Promise<Record<string, unknown> | undefined> {
  const client = await connection.client(key);
  try {
    return (await client.post({ url: '/api/v1/inbound/credit', body })) as unknown as Record<string, unknown>;
  } catch (error) {
    if (event !== 'credit.failed' || !isKissiError(error) || error.name !== 'KissiRefusalError') throw error;
    remark('The credit was refused, as this event requires.');
    return { code: error.code, message: error.message, ...error.fields };
  }
}

async function anyAccount(connection: Connection): Promise<string> {
  const query = { status: 'ACTIVE', limit: '1' };
  const reply = (await connection.call(operation('listSubscribers'), { query })) as unknown as {
    subscribers: { account_number?: string }[];
  };
  const account = reply.subscribers[0]?.account_number;
  if (!account) throw new UsageError('There is no active subscriber to credit: choose one with --account NUMBER.');
  return account;
}
