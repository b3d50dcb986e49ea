// Fee quotes: what a payment would cost, from the same code that prices payments.
import type { Static } from 'typebox';
import type { Actor } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import { forbiddenSentence, isAllowed } from '../../auth/permissions.ts';
import type { Load } from '../../db/batch-loader.ts';
import { parseAmount } from '../../kernel/money.ts';
import { Refusal, refuse } from '../../kernel/refusal.ts';
import { MOVEMENT_TYPES } from '../../ledger/movement-types.ts';
import { type AgentRow, earningAgentSide, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { noSuchProcessor, otherProcessorRefusal, type PaidProcessor, processorSide } from '../../parties/processor.ts';
import type { Payments } from '../../payments/execute.ts';
import { invalidAmount, type Side } from '../../payments/plan.ts';
import type { Quote } from '../../payments/quote.ts';
import type { CardPayments } from '../card-payments/service.ts';
import { PARTY_FIELDS, QUOTED_PAYMENTS, type QuotedPayment, type QuotedType } from './quoted-payments.ts';
import type { quoteQuery } from './schemas.ts';

export interface QuoteContext {
  payments: Payments;
  findAgent: Load<string, AgentRow | null>;
  findProcessor: Load<string, PaidProcessor | null>;
  refundTerms: CardPayments['refundTerms'];
}

type QuoteInput = Static<typeof quoteQuery>;

export function createQuotes({ payments, findAgent, findProcessor, refundTerms }: QuoteContext) {
  /** The side that the request identifies; null: the type has none. */
  async function namedSide(caller: Caller, input: QuoteInput): Promise<Side | null | Refusal> {
    const { party }: QuotedPayment = QUOTED_PAYMENTS[input.transaction_type];
    if (party === 'agent_id') {
      const agent = await findAgent(input.agent_id ?? '');
      return agent ? (ownRefusal(caller, agent) ?? earningAgentSide(agent)) : noSuchAgent();
    }
    if (party !== 'processor_id') return null;
    const processor = await findProcessor(input.processor_id ?? '');
    if (!processor) return noSuchProcessor();
    return otherProcessorRefusal(caller, processor.id) ?? processorSide(processor);
  }

  return {
    async quote(actor: Actor, input: QuoteInput): Promise<Quote | Refusal> {
      const { caller } = actor;
      const type = input.transaction_type;
      const { permission, party }: QuotedPayment = QUOTED_PAYMENTS[type];
      if (!isAllowed(caller, permission)) return refuse('FORBIDDEN', forbiddenSentence(caller, permission));
      const refusal = fieldRefusal(input, party);
      if (refusal) return refusal;
      const named = await namedSide(caller, input);
      if (named instanceof Refusal) return named;
      const amount = parseAmount(input.amount);
      if (amount === null) return invalidAmount();
      if (type !== 'pos_refund') return payments.quote({ type, amount, ...sidesOf(type, named) });
      const terms = await refundTerms(actor, input.transaction_id ?? '', amount);
      return terms instanceof Refusal ? terms : payments.quote(terms.plan, terms.refunded);
    },
  };
}

/** The price depends on the parties of the type, not on which wallet, partner or system account it is. */
function sidesOf(type: QuotedType, named: Side | null): { payer: Side; payee: Side } {
  const [payer, payee] = MOVEMENT_TYPES[type].parties.map((party) => ({ accountId: '', party })) as [Side, Side];
  if (!named) return { payer, payee };
  return payer.party === named.party ? { payer: named, payee } : { payer, payee: named };
}

function fieldRefusal(input: QuoteInput, party: QuotedPayment['party']): Refusal | null {
  const type = input.transaction_type;
  if (party && input[party] === undefined) return refuse('INVALID_REQUEST', `${party} is required for ${type}.`);
  const other = PARTY_FIELDS.find((field) => field !== party && input[field] !== undefined);
  return other ? refuse('INVALID_REQUEST', `${other} does not apply to ${type}.`) : null;
}
