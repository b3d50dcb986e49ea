// Partner administration: terms, outstanding amounts, settlements and webhook secrets.
import type { Actor, ChangeContext } from '../../../audit/log.ts';
import type { Vault } from '../../../auth/vault.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { created, ok } from '../../../http/endpoint.ts';
import type { Page } from '../../../http/paging.ts';
import { newId } from '../../../kernel/ids.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { changeAccount, openAccount } from '../../../ledger/accounts.ts';
import type { Books } from '../../../ledger/queries/account-history.ts';
import { noSuchPartner, outstandingOf, type PartnerRow } from '../../../parties/partner.ts';
import type { Payments } from '../../../payments/execute.ts';
import type { UrlRules } from '../../../webhooks/address.ts';
import type { ChangeOperation } from '../../approvals/service.ts';
import { auditResource } from './context.ts';
import { boundsRefusal, readTerms } from './input.ts';
import { type NewPartner, type PartnerFields, partnerView } from './schemas.ts';
import { createSettle } from './settlement.ts';
import * as store from './store.ts';
import { createEndpointLoader } from './webhook-endpoints.ts';
import { createSecretRotation, issueSecret } from './webhook-secrets.ts';

export interface PartnersDependencies extends ChangeContext {
  vault: Vault;
  books: Books;
  payments: Payments;
  treasuryAccount: string;
  webhookUrls: UrlRules;
  /** Called after an update, because a partner's status and allowlist apply to its API keys. */
  keysChanged(): void;
}

export interface CreatedPartner {
  partner: store.Partner;
  /** Shown once. */
  webhookSecret: string;
}

export type Partners = ReturnType<typeof createPartners>;

/** Terms that apply unless the administrator sets them. */
const DEFAULT_TERMS = {
  webhook_url: null,
  ip_allowlist: [],
  min_amount: 1,
  max_amount: 50_000_000,
  outstanding_limit: 1_000_000_000,
  status: 'active',
} satisfies Omit<store.PartnerTerms, 'name'>;

export function createPartners(deps: PartnersDependencies) {
  const { database, audit, books, clock } = deps;

  async function complete(row: PartnerRow): Promise<store.Partner> {
    const account = await books.balance(row.id);
    return { ...row, outstanding: outstandingOf(account?.balance ?? 0) };
  }

  async function insert(trx: DatabaseTransaction, actor: Actor, terms: store.PartnerTerms): Promise<CreatedPartner> {
    const now = new Date(clock.now());
    const row = await store.insertPartner(trx, { id: newId('ptn', clock), ...terms, created_at: now, updated_at: now });
    // A negative balance is what the partner owes, down to its limit. Settlements cannot exceed zero.
    const bounds = { floor: floorOf(row), ceiling: 0, frozen: isFrozen(row) };
    await openAccount(trx, { id: row.id, kind: 'partner_clearing', ...bounds, openedAt: now });
    const webhookSecret = await issueSecret(deps, trx, row.id);
    await audit.record(trx, actor, { action: 'partner.create', ...auditResource(row.id), details: { ...terms } });
    return { partner: { ...row, outstanding: 0 }, webhookSecret };
  }

  async function change(trx: DatabaseTransaction, actor: Actor, id: string, update: Partial<store.PartnerTerms>) {
    const before = await store.lockPartner(trx, id);
    if (!before) return noSuchPartner();
    const refusal = boundsRefusal({ ...before, ...update });
    if (refusal) return refusal;
    const changes = differences(before, update);
    if (Object.keys(changes).length === 0) return before;
    const row = await store.updatePartner(trx, id, { ...update, updated_at: new Date(clock.now()) });
    // Waits for payments in flight, so that none of this partner's is posted after the suspension is confirmed.
    if (changes.outstanding_limit || changes.status) {
      await changeAccount(trx, id, { floor: floorOf(row), frozen: isFrozen(row) });
    }
    await audit.record(trx, actor, { action: 'partner.update', ...auditResource(id), details: changes });
    return row;
  }

  async function get(id: string): Promise<store.Partner | Refusal> {
    const row = await store.findPartner(database.queries, id);
    return row ? complete(row) : noSuchPartner();
  }

  const createOperation: ChangeOperation<unknown, NewPartner, CreatedPartner> = {
    kind: 'change',
    name: 'partners.create',
    action: 'partners.change',
    secretResult: ['webhook_secret'],
    describe: ({ body }) => `Create the partner ${body.name}.`,
    before: async () => null,
    after: ({ partner }) => partnerView(partner),
    plan(actor, { body }) {
      const read = readTerms(body, deps);
      if (read instanceof Refusal) return read;
      const terms = { ...DEFAULT_TERMS, name: body.name, ...read };
      return boundsRefusal(terms) ?? ((trx) => insert(trx, actor, terms));
    },
    reply({ partner, webhookSecret }) {
      const message = 'The partner was created. The webhook secret is shown only once.';
      return created({ success: true, message, partner: partnerView(partner), webhook_secret: webhookSecret });
    },
  };

  const updateOperation: ChangeOperation<{ id: string }, PartnerFields, store.Partner> = {
    kind: 'change',
    name: 'partners.update',
    action: 'partners.change',
    describe: ({ params }) => `Change the partner ${params.id}.`,
    async before(_actor, { params }) {
      const partner = await get(params.id);
      return partner instanceof Refusal ? null : partnerView(partner);
    },
    after: partnerView,
    plan(actor, { params, body }) {
      const update = readTerms(body, deps);
      if (update instanceof Refusal) return update;
      return async (trx) => {
        const row = await change(trx, actor, params.id, update);
        return row instanceof Refusal ? row : complete(row);
      };
    },
    settled: deps.keysChanged,
    reply: (partner) => ok({ success: true, message: 'The partner was updated.', partner: partnerView(partner) }),
  };

  return {
    get,
    createOperation,
    async list(filter: store.PartnerFilter, page: Page): Promise<{ partners: store.Partner[]; total: number }> {
      const { rows, total } = await store.listPartners(database.queries, filter, page);
      return { partners: await Promise.all(rows.map(complete)), total };
    },
    updateOperation,
    settleOperation: createSettle(deps),
    webhookEndpoint: createEndpointLoader(deps),
    ...createSecretRotation(deps),
  };
}

function isFrozen({ status }: Pick<store.PartnerTerms, 'status'>): boolean {
  return status !== 'active';
}

/** The ledger checks the floor of the locked account for every movement. */
function floorOf({ outstanding_limit }: Pick<store.PartnerTerms, 'outstanding_limit'>): number {
  return 0 - outstanding_limit;
}

/** The changed fields with their old and new values. */
function differences(
  before: PartnerRow,
  update: Partial<store.PartnerTerms>,
): Record<string, { from: unknown; to: unknown }> {
  const pairs = Object.entries(update).map(
    ([field, to]) => [field, { from: before[field as keyof store.PartnerTerms], to }] as const,
  );
  return Object.fromEntries(pairs.filter(([, { from, to }]) => JSON.stringify(from) !== JSON.stringify(to)));
}
