// Search: all look-ups that the caller may make, in parallel, each bounded and by an index.
import type { Actor } from '../../audit/log.ts';
import { type Caller, isAgentUser } from '../../auth/caller.ts';
import { isAllowed, type Permission } from '../../auth/permissions.ts';
import type { Reader } from '../../db/driver/reader.ts';
import { type Clock, iso } from '../../kernel/clock.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import { movementsBySlip } from '../../ledger/queries/movement-by-slip.ts';
import type { LookupLimit } from '../../parties/lookup-limit.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { PepPayments } from '../../parties/pep-payments.ts';
import { hasEnded } from '../../parties/registration.ts';
import type { Holders } from '../../parties/subscriber.ts';
import * as hits from './hits.ts';
import { type PhoneReaders, readSearch, type SearchText } from './query.ts';
import * as store from './store.ts';

export interface SearchDependencies extends PhoneReaders {
  reader: Reader;
  holders: Pick<Holders, 'byId'>;
  pep: PepGuard;
  pepPayments: Pick<PepPayments, 'partiesOf'>;
  lookupLimit: LookupLimit;
  books: Pick<Books, 'archivedBefore'>;
  clock: Clock;
}

/** A hit with the accounts or subscribers it is about. */
interface Found {
  hit: hits.Hit;
  about: readonly (string | null)[];
}

export interface SearchResult {
  hits: hits.Hit[];
  /** The types with more matches than are returned. */
  truncated: hits.Hit['type'][];
  archived_before?: string;
}

export type Search = ReturnType<typeof createSearch>;

export function createSearch(dependencies: SearchDependencies) {
  const { reader, holders, pep, pepPayments, lookupLimit, books, clock } = dependencies;
  const isRegistered = (row: store.FoundSubscriber) => !hasEnded(row, clock.now());

  return async function search(actor: Actor, q: string): Promise<SearchResult | Refusal> {
    const query = readSearch(q, dependencies);
    if (!query) return refuse('INVALID_REQUEST', 'q must have at least 3 characters.');
    return isAgentUser(actor.caller) ? searchForAgent(actor, query) : searchForStaff(actor, query);
  };

  async function searchForStaff(actor: Actor, query: SearchText): Promise<SearchResult> {
    const { caller } = actor;
    const seesPeps = await pep.hasAccess(caller);
    const ifAllowed = (permission: Permission, look: () => Promise<Found[]>) =>
      isAllowed(caller, permission) ? look() : [];
    const found = await Promise.all([
      ifAllowed('subscribers:read', () => subscribers(caller, query, seesPeps)),
      ifAllowed('cards:read', () => cards(caller, query)),
      ifAllowed('payments:read', () => transactions(query)),
      ifAllowed('inbound:review', () => credits(query)),
      ifAllowed('agents:read', () => named(store.AGENTS, query, hits.agentHit)),
      ifAllowed('processors:read', () => named(store.PROCESSORS, query, hits.processorHit)),
      ifAllowed('partners:read', () => named(store.PARTNERS, query, hits.partnerHit)),
    ]);
    const archived = isAllowed(caller, 'payments:read') ? await books.archivedBefore() : null;
    return { ...(await masked(actor, found.flat())), ...(archived === null ? {} : { archived_before: iso(archived) }) };
  }

  /** Only a complete phone number, account number or card serial. Misses are limited as in other look-ups. */
  async function searchForAgent(actor: Actor, query: SearchText): Promise<SearchResult | Refusal> {
    const { caller } = actor;
    const guesser = isAgentUser(caller) ? (caller.agentId ?? caller.id) : null;
    const [byNumber, ofCard] = await Promise.all([
      reader.run(store.SUBSCRIBERS.byIdentifier, [query.phoneNumber, null, query.accountNumber]),
      holderOfCard(query.serial),
    ]);
    const rows = [...byNumber, ...ofCard].filter(isRegistered);
    // The same for everybody: a miss would reveal who is politically exposed.
    const seen = rows.map((row) => hits.subscriberHit(caller, row, query, cardMatch(row)));
    const refusal = await lookupLimit.ofAgent(guesser, query.text, [...new Set(seen.map(({ id }) => id))]);
    return refusal ?? distinct(seen);

    function cardMatch(row: store.FoundSubscriber): 'card_serial' | undefined {
      return byNumber.includes(row) ? undefined : 'card_serial';
    }
  }

  async function holderOfCard(serial: string | null): Promise<store.FoundSubscriber[]> {
    if (serial === null) return [];
    const card = (await reader.run(store.CARDS, [serial])).find((each) => each.serial === serial);
    if (!card?.subscriber_id) return [];
    return reader.run(store.SUBSCRIBERS.byIdentifier, [null, card.subscriber_id, null]);
  }

  async function subscribers(caller: Caller, query: SearchText, seesPeps: boolean): Promise<Found[]> {
    const [exact, ...byPart] = await Promise.all([
      reader.run(store.SUBSCRIBERS.byIdentifier, [query.phoneNumber, query.id, query.accountNumber]),
      store.findByPart(reader, store.SUBSCRIBERS, query.part, seesPeps),
      store.findByName(reader, store.SUBSCRIBERS, query.text, seesPeps),
    ]);
    // Without access, an identifier of a PEP does not match either: a hit would confirm a guess.
    const rows = [...exact.filter(({ is_pep }) => seesPeps || !is_pep), ...byPart.flat()].filter(isRegistered);
    return rows.map((row) => ({ hit: hits.subscriberHit(caller, row, query), about: [row.is_pep ? row.id : null] }));
  }

  async function cards(caller: Caller, { serialStart }: SearchText): Promise<Found[]> {
    if (serialStart === null) return [];
    const rows = await reader.run(store.CARDS, [serialStart]);
    const seesHolders = isAllowed(caller, 'subscribers:read');
    return Promise.all(
      rows.map(async (row) => {
        const holder = seesHolders && row.subscriber_id ? await holders.byId(row.subscriber_id) : null;
        const name = holder && `${holder.first_name} ${holder.last_name}`;
        return { hit: hits.cardHit(row, name), about: [row.subscriber_id, row.retired_subscriber_id] };
      }),
    );
  }

  async function transactions({ slip }: SearchText): Promise<Found[]> {
    const rows = await movementsBySlip(reader, slip, store.FETCHED);
    const parties = await pepPayments.partiesOf(rows);
    return rows.map((row) => ({ hit: hits.transactionHit(row), about: parties.get(row.id) ?? [] }));
  }

  async function credits(query: SearchText): Promise<Found[]> {
    const rows = await reader.run(store.CREDITS, [query.slip.reference, query.id]);
    return rows.map((row) => ({ hit: hits.creditHit(row, query), about: [row.subscriber_id] }));
  }

  async function named<Row>(
    lookups: store.NamedLookups<Row>,
    query: SearchText,
    hitOf: (row: Row, query: SearchText) => hits.Hit,
  ): Promise<Found[]> {
    const found = await Promise.all([
      reader.run(lookups.byIdentifier, [query.phoneNumber, query.id, query.text]),
      store.findByPart(reader, lookups, query.part),
      store.findByName(reader, lookups, query.text),
    ]);
    return found.flat().map((row) => ({ hit: hitOf(row, query), about: [] }));
  }

  /** Access to the politically exposed persons among the hits is audited once per person. */
  async function masked(actor: Actor, found: Found[]): Promise<SearchResult> {
    const hidden = await pep.hidden(
      actor,
      found.flatMap(({ about }) => about),
    );
    const isHidden = ({ about }: Found) => about.some((id) => id !== null && hidden.has(id));
    return distinct(found.flatMap((each) => (isHidden(each) ? hits.hiddenHits(each.hit) : [each.hit])));
  }
}

/** Each record once, at most MAX_HITS of each type. */
function distinct(all: hits.Hit[]): SearchResult {
  const first = new Map<string, hits.Hit>();
  for (const hit of all) {
    const key = `${hit.type} ${hit.id}`;
    if (!first.has(key)) first.set(key, hit);
  }
  const byType = Map.groupBy(first.values(), ({ type }) => type);
  return {
    hits: [...byType.values()].flatMap((found) => found.slice(0, store.MAX_HITS)),
    truncated: [...byType].filter(([, found]) => found.length > store.MAX_HITS).map(([type]) => type),
  };
}
