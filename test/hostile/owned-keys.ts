// Keys of a partner and a processor in the hostile tests: what they must neither read nor change.
import type { Outcome, WireRequest } from '../support/wire.ts';
import type { Fixtures, OwnedKey } from './world.ts';

/** In the records of other owners and in the full legal names of subscribers. No reply to an owned key may contain one. */
export const FOREIGN = {
  partnerName: 'Foreign-Bank',
  merchantName: 'Foreign-Grill',
  narration: 'Foreign-Narration',
  lastName: 'Kamara-Foreign',
};

/** The scopes of an owned key: all that one can be created with. */
export const OWNED_SCOPES = [
  'payments:read',
  'payments:write',
  'balance:read',
  'subscribers:read',
  'subscribers:write',
  'cards:read',
  'cards:write',
  'treasury:write',
  'payouts:write',
] as const;

/** The fixtures with this key as the only credential, so that valid requests are made with it. */
export function withOwnedKey(fixtures: Fixtures, key: OwnedKey): Fixtures {
  const { keyring } = fixtures;
  const partnerId = key.owner === 'partner' ? key.ownerId : keyring.partner.partnerId;
  return { ...fixtures, keyring: { ...keyring, bearers: [key.bearer], terminal: key, partner: { ...key, partnerId } } };
}

/** The owned key that authenticates the request, if there is one. */
export function ownedKeyOf({ headers }: WireRequest, keys: readonly OwnedKey[]): OwnedKey | undefined {
  const sent = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return keys.find(
    ({ id, bearer }) => sent.includes(`authorization: Bearer ${bearer}`) || sent.includes(`x-api-key-id: ${id}`),
  );
}

/** Describes what a reply to an owned key reveals about others, or null. */
export function foreignText(request: WireRequest, outcome: Outcome): string | null {
  if (typeof outcome === 'string') return null;
  const [body, sent] = [outcome.body.toString('utf8'), `${request.target} ${request.body.toString('utf8')}`];
  const found = Object.values(FOREIGN).find((text) => body.includes(text) && !sent.includes(text));
  return found === undefined ? null : `the reply to an owned key contains ${found}`;
}

type Query = (text: string, values: unknown[]) => Promise<{ rows: Record<string, unknown>[] }>;

/** Movements and audited changes by owned keys that do not concern their owner. */
export async function foreignChanges(query: Query, keys: readonly OwnedKey[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const { id, ownerId } of keys) {
    // A card payment is the only movement by which an owned key debits another account: the customer's, with the PIN.
    const movements = await query(
      `select id, type, from_account, to_account from movements where actor_type = 'key' and actor_id = $1
        and from_account <> $2 and not (type = 'pos_payment' and to_account = $2)`,
      [id, ownerId],
    );
    const entries = await query(
      `select action, resource_id, details from (
        select actor_id, action, resource_id, details::jsonb as details from audit_log union all
        select actor_id, action, resource_id, details::jsonb from audit_inbox) entries
      where actor_id = $1 and action not like '%.refused' and details ->> 'payer' is distinct from $2
        and not (action like 'webhook\\_%' and $2 in (details ->> 'owner_id', details ->> 'partner_id', details ->> 'processor_id'))
        and not (action like 'bulk_payment.%' and details ->> 'payer_id' = $2)
        and not (action like 'payment_request.%' and details ->> 'payee' = $2)
        and not (action = 'transaction.evidence' and exists (
          select from movements m where m.id = resource_id and $2 in (m.from_account, m.to_account)))`,
      [id, ownerId],
    );
    found.push(...movements.rows, ...entries.rows.filter((entry) => !isOwnExport(entry, ownerId)));
  }
  return found;
}

/** Lists without an owner in their path, which contain only what belongs to the key's owner. */
const NARROWED_LISTS = [
  '/api/v1/transactions',
  '/api/v1/processors',
  '/api/v1/request-log',
  '/api/v1/webhook-endpoints',
  '/api/v1/webhook-deliveries',
  '/api/v1/payment-requests',
  '/api/v1/bulk-payments',
];

/** The export of a list of the owner, such as /api/v1/processors/{id}/transactions; foreignText checks its content. */
function isOwnExport({ action, resource_id }: Record<string, unknown>, ownerId: string): boolean {
  if (!String(action).startsWith('list.export')) return false;
  const path = String(resource_id);
  return path.split('/').includes(ownerId) || NARROWED_LISTS.includes(path);
}

/** The number of movements that owned keys made, so that a run in which they achieve nothing is noticed. */
export async function ownMovements(query: Query, keys: readonly OwnedKey[]): Promise<number> {
  const text = `select count(*)::int as n from movements where actor_type = 'key' and actor_id = any ($1)`;
  return Number((await query(text, [keys.map(({ id }) => id)])).rows[0]?.n);
}
