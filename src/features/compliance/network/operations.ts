// The payment network of a subject: whom it paid and was paid by, and the payments among these.
import type { Static } from 'typebox';
import type { Actor } from '../../../audit/log.ts';
import { isStaff } from '../../../auth/caller.ts';
import type { Database } from '../../../db/database.ts';
import { type Clock, iso } from '../../../kernel/clock.ts';
import { Refusal, refuse } from '../../../kernel/refusal.ts';
import type { AccountKind } from '../../../ledger/account-kinds.ts';
import { type PaymentLink, paymentLinks } from '../../../ledger/queries/counterparties.ts';
import { createPartyViews, type NameDependencies } from '../../../parties/names.ts';
import type { PepGuard } from '../../../parties/pep-access.ts';
import { type PeriodQuery, readNetworkPeriod } from './period.ts';
import { MAX_LINKS, MAX_NODES, type networkReply } from './schemas.ts';

export interface NetworkDependencies extends NameDependencies {
  database: Database;
  clock: Clock;
  pep: PepGuard;
}

type Network = Static<typeof networkReply>;

/** The kinds of accounts that alerts are about. */
const SUBJECT_KINDS: readonly (AccountKind | null)[] = ['wallet', 'agent_float', 'processor'];

/** Postings that are read of the subject, and of each counterparty. */
const MAX_POSTINGS = { subject: 10_000, counterparty: 500 };

export function createNetwork(deps: NetworkDependencies) {
  const { database, clock, pep, kindOf } = deps;
  const partyView = createPartyViews(deps);

  async function nodesOf(actor: Actor, subject: string, ids: readonly string[], links: readonly PaymentLink[]) {
    const full = isStaff(actor.caller);
    return Promise.all(
      ids.map(async (id) => {
        const { kind, name } = await partyView(id, null, full);
        const node = { id, kind: kind as AccountKind, is_subject: id === subject };
        const [paid, received] = [totalOf(links, subject, id), totalOf(links, id, subject)];
        return { ...node, name, ...(id === subject ? {} : { paid_by_subject: paid, paid_to_subject: received }) };
      }),
    );
  }

  return {
    /** Refused for a politically exposed person. Counterparties who are one are not shown. */
    async network(actor: Actor, subject: string, query: PeriodQuery): Promise<Network | Refusal> {
      const kind = await kindOf(subject);
      if (!SUBJECT_KINDS.includes(kind)) {
        return refuse('NOT_FOUND', 'There is no such subscriber, agent or processor.');
      }
      const pepRefusal = await pep.refusalOf(actor, subject, 'history');
      if (pepRefusal) return pepRefusal;
      const period = readNetworkPeriod(query, clock.now());
      if (period instanceof Refusal) return period;
      const own = await paymentLinks(database.queries, [subject], { period, maxPostings: MAX_POSTINGS.subject });
      const all = counterpartiesOf(subject, own.links);
      const hidden = await pep.hidden(actor, all);
      const counterparties = all.filter((id) => !hidden.has(id));
      const shown = counterparties.slice(0, MAX_NODES - 1);
      const among = await paymentLinks(database.queries, shown, {
        period,
        maxPostings: MAX_POSTINGS.counterparty,
        within: shown,
      });
      const ids = [subject, ...shown];
      const ofShown = own.links.filter(({ from, to }) => ids.includes(from) && ids.includes(to));
      const links = [...ofShown, ...among.links];
      const isCut = shown.length < counterparties.length || links.length > MAX_LINKS;
      return {
        subject_id: subject,
        period: { from: iso(period.from), to: iso(period.to) },
        counterparty_count: counterparties.length,
        nodes: await nodesOf(actor, subject, ids, own.links),
        links: links.slice(0, MAX_LINKS).map(linkView),
        truncated: isCut || own.isMinimum || among.isMinimum,
      };
    },
  };
}

/** By the value of all payments in both directions, highest first. */
function counterpartiesOf(subject: string, links: readonly PaymentLink[]): string[] {
  const values = new Map<string, number>();
  for (const { from, to, value } of links) {
    const other = from === subject ? to : from;
    if (other !== subject) values.set(other, (values.get(other) ?? 0) + value);
  }
  return [...values].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([id]) => id);
}

function totalOf(links: readonly PaymentLink[], from: string, to: string) {
  const found = links.find((link) => link.from === from && link.to === to);
  return found ? sumView(found) : { payments: 0, value: 0, first_at: null, last_at: null };
}

function linkView(link: PaymentLink) {
  return { from: link.from, to: link.to, ...sumView(link) };
}

function sumView({ payments, value, firstAt, lastAt }: PaymentLink) {
  return { payments, value, first_at: iso(firstAt), last_at: iso(lastAt) };
}
