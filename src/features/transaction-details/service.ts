// One transaction with its postings, parties, fees, related movements and seal, limited to what the caller may see.
import type { Actor, AuditLog } from '../../audit/log.ts';
import { type Caller, isStaff } from '../../auth/caller.ts';
import { isAllowed } from '../../auth/permissions.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { lastFour } from '../../kernel/text.ts';
import { commissionAccountOf } from '../../ledger/commission-accounts.ts';
import type { MovementDetails, MovementPosting, MovementRecords } from '../../ledger/queries/movement-details.ts';
import { isSystemAccount } from '../../ledger/system-accounts.ts';
import { createContacts, maskedContact } from '../../parties/contacts.ts';
import { createPartyViews, type NameDependencies, rolesOf } from '../../parties/names.ts';
import { type Earned, takeEarned } from '../../payments/fees.ts';
import type { Compliance } from '../compliance/service.ts';
import type { WebhookDeliveries } from '../partners/deliveries/service.ts';
import {
  accountView,
  operatorView,
  ownAccountOf,
  type TransactionRecord,
  withoutOthersRequest,
} from '../transactions/service.ts';
import type { FeeView, PartyDetails, PostingView, RelatedView, Side, TransactionDetails } from './details.ts';
import { createEvidence, type EvidenceDependencies } from './evidence.ts';
import { createDetailsMasking, type MaskingDependencies } from './pep-masking.ts';
import { type AlertView, alertView, auditView, type DeliveryView, deliveryView } from './views.ts';

export interface DetailDependencies extends NameDependencies, EvidenceDependencies, MaskingDependencies {
  records: MovementRecords;
  compliance: Pick<Compliance, 'alerts'>;
  deliveries: Pick<WebhookDeliveries, 'list'>;
  audit: AuditLog;
  /** The public link of a movement's receipt; null: its type has none. */
  receiptUrl(movement: MovementDetails): string | null;
}

export { detailsJson } from './details.ts';
export { detailsReply } from './schemas.ts';

export type TransactionLookup = ReturnType<typeof createTransactionLookup>;

const ATTACHED = { limit: 50, offset: 0 };

export function createTransactionLookup(dependencies: DetailDependencies) {
  const { records, compliance, deliveries, audit, pepPayments, receiptUrl } = dependencies;
  const masked = createDetailsMasking(dependencies);
  const partyView = createPartyViews(dependencies);
  const contactOf = createContacts(dependencies.database.reader, dependencies.findAgent);

  return { movement, details, evidence: createEvidence(dependencies, details) };

  /** A movement that the caller may see. One of another account is answered as one that does not exist. */
  async function movement(actor: Actor, id: string): Promise<MovementDetails | Refusal> {
    const found = await records.find(id);
    const own = ownAccountOf(actor.caller);
    if (!found) return (await records.archivedRefusal(id)) ?? noSuchTransaction();
    if (own !== null && !isParty(found, own)) return noSuchTransaction();
    const refusal = own === null ? await pepPayments.refusal(actor, found, noSuchTransaction()) : null;
    return refusal ?? found;
  }

  async function details(actor: Actor, id: string): Promise<TransactionDetails | Refusal> {
    const found = await movement(actor, id);
    if (found instanceof Refusal) return found;
    const own = ownAccountOf(actor.caller);
    return masked(actor.caller, own, await describe(actor, found, own));
  }

  async function describe(actor: Actor, movement: MovementDetails, own: string | null): Promise<TransactionDetails> {
    const { caller } = actor;
    const [payerRole, payeeRole] = rolesOf(movement.type);
    const [postings, original, followUps, seal, payer, payee, attached] = await Promise.all([
      records.postings(movement),
      records.original(movement),
      records.followUps(movement.id),
      records.seal(movement),
      visibleParty(caller, movement.fromAccount, payerRole, own),
      visibleParty(caller, movement.toAccount, payeeRole, own),
      attachedTo(actor, movement),
    ]);
    const seen = postings.filter(({ accountId }) => own === null || accountId === own);
    const related = [
      ...(original ? [{ ...original, relation: 'original' as const }] : []),
      ...followUps.map((each) => ({ ...each, relation: relationOf(each.type) })),
    ];
    return {
      ...recordOf(caller, movement, seen, own),
      ...slipOf(movement),
      receipt_url: receiptUrl(movement),
      payer,
      payee,
      postings: seen.map((posting) => postingView(caller, movement, posting)),
      fees: (seesAllFees(movement, own) ? postings : seen).flatMap((posting) => feeView(movement, posting)),
      related: related.map(({ id: transaction_id, at, ...each }) => ({
        ...{ relation: each.relation, transaction_id, type: each.type, amount: each.amount },
        created_at: at.toISOString(),
      })),
      seal: seal && {
        ...{ batch: seal.batch, chain: seal.chain, number: seal.number, format: seal.format, mac: seal.mac },
        sealed_at: seal.at.toISOString(),
      },
      ...attached,
    };
  }

  /** Full numbers for callers who may read them elsewhere, and for the party itself. */
  async function visibleParty(
    caller: Caller,
    id: string,
    role: string | null,
    own: string | null,
  ): Promise<PartyDetails> {
    const party = await partyView(id, role, seesFullNames(caller));
    const contact = await contactOf(id, party.kind);
    const isShown = own === id || seesNumbers(caller, party.kind);
    return { ...party, ...(isShown ? contact : maskedContact(contact, party.kind)) };
  }

  /** Alerts, deliveries and audit entries, each for the callers that can read them elsewhere. */
  async function attachedTo(actor: Actor, movement: MovementDetails) {
    const [alerts, sent, found] = await Promise.all([
      isAllowed(actor.caller, 'compliance:read') ? alertsOf(actor, movement) : null,
      isStaff(actor.caller) ? deliveriesOf(actor, movement) : null,
      isAllowed(actor.caller, 'audit:read') ? audit.find({ resourceId: movement.id, ...ATTACHED }) : null,
    ]);
    const entries = found?.entries;
    const asked = { actor_type: movement.actorType, actor_id: movement.actorId };
    const names = await audit.actorNames(isStaff(actor.caller) ? [asked, ...(entries ?? [])] : []);
    return {
      ...(alerts ? { alerts } : {}),
      ...(sent ? { webhook_deliveries: sent } : {}),
      ...(entries ? { audit_entries: entries.map((entry) => auditView(entry, names)) } : {}),
      ...(isStaff(actor.caller) ? { actor_name: names.get(movement.actorId ?? '') ?? null } : {}),
    };
  }

  async function alertsOf(actor: Actor, { id }: MovementDetails): Promise<AlertView[]> {
    const found = await compliance.alerts(actor, { transaction_id: id }, ATTACHED);
    return found instanceof Refusal ? [] : found.rows.flatMap(alertView);
  }

  /** A partner is told about credits under its own reference, and a merchant about payments under their ids. */
  async function deliveriesOf(actor: Actor, movement: MovementDetails): Promise<DeliveryView[]> {
    const { id, relatedId, details, reference, fromAccount, toAccount } = movement;
    const credits = reference === null ? [] : [fromAccount, toAccount].map((partner_id) => ({ partner_id, reference }));
    // Events about one thing have one reference, such as an authorisation, its capture and its refunds.
    const about = [id, relatedId, details.hold_id, details.payment_request_id].filter(
      (each) => typeof each === 'string',
    );
    const filters = [...credits, ...about.map((each) => ({ reference: each }))];
    const pages = await Promise.all(filters.map((filter) => deliveries.list(actor, filter, ATTACHED)));
    return pages.flatMap((page) => page.deliveries.flatMap(deliveryView));
  }
}

export function noSuchTransaction(): Refusal {
  return refuse('NOT_FOUND', 'There is no such transaction.');
}

function isParty({ fromAccount, toAccount }: MovementDetails, accountId: string): boolean {
  return accountId === fromAccount || accountId === toAccount;
}

/** Staff and keys that can read subscribers' records. */
function seesFullNames(caller: Caller): boolean {
  return isStaff(caller) || (ownAccountOf(caller) === null && isAllowed(caller, 'subscribers:read'));
}

const RECORDS = { wallet: 'subscribers:read', agent_float: 'agents:read', processor: 'processors:read' } as const;

/** Whether the caller can read the record of any such party. */
function seesNumbers(caller: Caller, kind: PartyDetails['kind']): boolean {
  if (ownAccountOf(caller) !== null) return false;
  return kind !== null && kind in RECORDS && isAllowed(caller, RECORDS[kind as keyof typeof RECORDS]);
}

function recordOf(
  caller: Caller,
  movement: MovementDetails,
  seen: readonly MovementPosting[],
  own: string | null,
): TransactionRecord {
  const [posting] = seen;
  if (own === null || !posting) return operatorView(movement, isStaff(caller));
  const { id: movementId, ...entry } = movement;
  const seenByOwn = { ...entry, ...posting, movementId, seq: 0, change: posting.amount, amount: entry.amount };
  return accountView(own, withoutOthersRequest(own, seenByOwn));
}

/** What the receipt of a card payment shows. */
function slipOf({ id, type, details }: MovementDetails) {
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : null);
  const card = text('card_serial');
  return {
    // Of a captured payment, that of its authorisation.
    authorization_code: type === 'pos_payment' ? (text('hold_id') ?? id).slice(-6) : null,
    card: card && lastFour(card),
    terminal_id: text('terminal_id'),
  };
}

function sideOf({ fromAccount, toAccount }: MovementDetails, accountId: string): Side {
  if ([fromAccount, commissionAccountOf(fromAccount)].includes(accountId)) return 'payer';
  return [toAccount, commissionAccountOf(toAccount)].includes(accountId) ? 'payee' : 'operator';
}

/** Balances of the operator's own accounts are for those who see its fees. */
function postingView(caller: Caller, movement: MovementDetails, posting: MovementPosting): PostingView {
  const { accountId, amount, fee, balanceAfter } = posting;
  const isHidden = isSystemAccount(accountId) && !isAllowed(caller, 'fees:read');
  const party = sideOf(movement, accountId);
  return { account_id: accountId, party, amount, fee, balance_after: isHidden ? null : balanceAfter };
}

/** An agent tells the customer the fee of a cash-in or cash-out, before and on the receipt. */
function seesAllFees({ type }: MovementDetails, own: string | null): boolean {
  return own === null || type === 'agent_cashin' || type === 'wallet_withdraw';
}

function feeView(movement: MovementDetails, { accountId, fee }: MovementPosting): FeeView[] {
  const party = sideOf(movement, accountId);
  if (party === 'operator' || !isParty(movement, accountId)) return [];
  const earned: Earned = takeEarned(movement.details).earned;
  return [{ party, account_id: accountId, charged: fee, earned: earned[party] }];
}

function relationOf(type: string): RelatedView['relation'] {
  if (type === 'suspense_resolution') return 'resolution';
  return type === 'inbound_reversal' || type === 'payout_returned' ? 'reversal' : 'refund';
}
