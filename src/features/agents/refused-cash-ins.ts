// Refused cash-ins count as look-ups of the agent: they move no money, and tell whether a customer exists.
import type { Actor } from '../../audit/log.ts';
import { isAgentUser } from '../../auth/caller.ts';
import { pinFormRefusal } from '../../auth/pins/refusals.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { comparableSerial } from '../../parties/card.ts';
import type { Executed, PaymentOptions } from '../../payments/plan.ts';
import type { CashIn } from './cash-in.ts';
import type { AgentContext } from './context.ts';

type MakeCashIn = (actor: Actor, body: CashIn, options: PaymentOptions) => Promise<Executed | Refusal>;

/** Decided before the customer is looked up. */
const BEFORE_CUSTOMER = ['INVALID_REQUEST', 'REQUEST_CONFLICT', 'FORBIDDEN'];

/** Cash-ins that succeed are never limited. */
export function countRefused(
  { holders, cards, phone, lookupLimit }: Pick<AgentContext, 'holders' | 'cards' | 'phone' | 'lookupLimit'>,
  cashIn: MakeCashIn,
): MakeCashIn {
  async function customerOf({ subscriber_id, phone_number, card_serial }: CashIn): Promise<string | null> {
    if (card_serial !== undefined) return (await cards.withHolder(card_serial))?.subscriber_id ?? null;
    const number = phone(phone_number ?? '');
    const holder = await (number === null ? holders.byId(subscriber_id ?? '') : holders.byPhone(number));
    return holder?.id ?? null;
  }

  return async (actor, body, options) => {
    const outcome = await cashIn(actor, body, options);
    const { caller } = actor;
    if (!(outcome instanceof Refusal) || !isAgentUser(caller)) return outcome;
    if (BEFORE_CUSTOMER.includes(outcome.code) || pinFormRefusal(body.pin)) return outcome;
    const { subscriber_id, phone_number, card_serial } = body;
    const customer = await customerOf(body);
    const sought = subscriber_id ?? phone(phone_number ?? '') ?? comparableSerial(card_serial ?? '');
    const found = customer === null ? [] : [customer];
    return (await lookupLimit.ofAgent(caller.agentId ?? caller.id, sought, found)) ?? outcome;
  };
}
