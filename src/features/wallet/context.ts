// What the verbs of this family are given to work with, and the refusals they share.
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { MovementList } from '../../ledger/queries/movement-list.ts';
import type { Statements } from '../../ledger/queries/statement.ts';
import type { AccountTotals } from '../../ledger/queries/totals.ts';
import type { Payments, Side } from '../../payments/execute.ts';
import type { PepGuard } from '../admin/pep/service.ts';
import type { HeldCard, PlainCard } from '../cards/service.ts';
import type { Holder, HolderStatus, Holders, PartnerOnFile } from './store.ts';

export interface WalletContext {
  holders: Holders;
  findCard: Load<string, HeldCard | null>;
  /** Without its holder. */
  findPlainCard: Load<string, PlainCard | null>;
  findPartner: Load<string, PartnerOnFile | null>;
  /** Who is behind a processor's account; that family knows this one and not the other way round. */
  findProcessor: Load<string, { business_name: string } | null>;
  floats: AgentFloats;
  pins: GuardedPins;
  books: Books;
  totals: AccountTotals;
  movementList: MovementList;
  statements: Statements;
  payments: Payments;
  phone: PhoneReader;
  pep: PepGuard;
  clock: Clock;
}

/** What this family needs of agents, which know it and not the other way round. */
export interface AgentFloats {
  find: Load<string, AgentOnFile | null>;
  missing(): Refusal;
  statusRefusal(agent: AgentOnFile): Refusal | null;
  side(agent: AgentOnFile): Side;
}

export interface AgentOnFile {
  id: string;
  business_name: string;
  status: 'active' | 'suspended' | 'terminated';
}

/** Who is behind a card, when a card names the wallet. */
export interface CardHolder {
  holder: Holder;
  card: HeldCard | null;
}

export function cardHolder(card: HeldCard | null): CardHolder | Refusal {
  if (!card?.subscriber_id) return refuse('CARD_NOT_FOUND', 'There is no such card, or nobody holds it.');
  return { holder: { ...card, id: card.subscriber_id, status: card.holder_status }, card };
}

/** active, blocked or pending; a blocked card cannot be credited by its serial, however its holder stands. */
export function standingOf({ holder, card }: CardHolder): string {
  return card?.status === 'blocked' ? 'blocked' : holder.status.toLowerCase();
}

export function cardRefusal(card: Pick<PlainCard, 'status'> | null): Refusal | null {
  return card?.status === 'blocked' ? refuse('CARD_BLOCKED', 'The card is blocked.') : null;
}

export function noSuchSubscriber(who = 'subscriber'): Refusal {
  return refuse('SUBSCRIBER_NOT_FOUND', `There is no such ${who}.`);
}

/** Whether this holder may take part in such a transaction; the ledger asks again when it holds the account. */
export function holderRefusal(holder: HolderStatus, type: string, who: string): Refusal | null {
  switch (holder.status) {
    case 'BLOCKED':
      return refuse('SUBSCRIBER_BLOCKED', `The ${who} is blocked.`);
    case 'PENDING':
      return refuse('SUBSCRIBER_BLOCKED', `The ${who} is not active yet.`);
  }
  if (!holder.disabled_transaction_types.includes(type)) return null;
  return refuse('TRANSACTION_TYPE_DISABLED', `This type of transaction is disabled for the ${who}.`);
}
