// Linking cards as operations: linking to a new holder can need approval, as changing a phone number does.
import type { Actor } from '../../audit/log.ts';
import { created } from '../../http/endpoint.ts';
import { readSerial } from '../../parties/card.ts';
import type { ChangeOperation } from '../approvals/service.ts';
import type { CardContext } from './context.ts';
import { type Child, createLinking, type Link, type Linked } from './linking.ts';
import { recordOf } from './record.ts';
import { readCard } from './store.ts';

type LinkOperation<Body> = ChangeOperation<unknown, Body, Linked>;

export interface LinkOperations {
  link: LinkOperation<Link>;
  child: LinkOperation<Child>;
}

export function createLinkOperations(context: CardContext): LinkOperations {
  const { database, pep } = context;
  const linking = createLinking(context);

  /** The last holder. A politically exposed person is not named: the approver may have no access. */
  async function before(_actor: Actor, { body }: { body: { card_serial: string } }) {
    const serial = readSerial(body.card_serial);
    const holder = serial && (await readCard(database.queries, serial))?.unlinked_subscriber_id;
    return { subscriber_id: holder && !(await pep.isPep(holder)) ? holder : null };
  }

  const shared = {
    kind: 'change',
    action: 'subscribers.change_phone',
    permission: 'cards:write',
    before,
    after: ({ holder }: Linked) => ({ subscriber_id: holder.is_pep ? null : holder.id }),
    covers: ({ isMoved }: Linked) => isMoved,
    storedReply: ({ card: { serial } }: Linked) => created({ success: true, message: LINKED, card: { serial } }),
  } as const;

  return {
    link: {
      ...shared,
      name: 'cards.link',
      describe: ({ body }) => `Link a card that another subscriber had to subscriber ${body.subscriber_id}.`,
      plan: (actor, { body }) => linking.link(actor, body),
      subscriberId: ({ body }) => body.subscriber_id,
      reply: ({ card }) => created({ success: true, message: LINKED, card: recordOf(card) }),
    },
    child: {
      ...shared,
      name: 'cards.child',
      describe: () => 'Link a card that another subscriber had as a child card.',
      plan: (actor, { body }) => linking.child(actor, body),
      reply: ({ card }) => created({ success: true, message: 'The child card was linked.', card: recordOf(card) }),
    },
  };
}

const LINKED = 'The card was linked.';
