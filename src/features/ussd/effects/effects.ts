// What the menus ask for, done by the services of the features: the same functions as other channels call.
import { type SubscriberCaller, ussdCaller } from '../../../auth/caller.ts';
import type { Refusal } from '../../../kernel/refusal.ts';
import type { Answer, Effect, PinHolder, RefusedAnswer } from '../engine/state.ts';
import { type AgentEffectsContext, createAgentEffects } from './agent.ts';
import type { EffectCall } from './call.ts';
import { type CustomerEffectsContext, createCustomerEffects } from './customer.ts';
import { createPeople, type PeopleContext } from './people.ts';

export type EffectsContext = CustomerEffectsContext & AgentEffectsContext & PeopleContext;

export function createEffects(context: EffectsContext) {
  const people = createPeople(context);
  const customer = createCustomerEffects(context);
  const agent = createAgentEffects(context);

  function holder({ state, sessionId }: EffectCall): SubscriberCaller {
    const { customer: found } = state.person;
    if (!found) throw new Error('somebody without a wallet asks for a customer’s page');
    return ussdCaller(found.id, { id: sessionId, pinSalt: Buffer.from(found.pinSalt, 'base64') });
  }

  function agentOf({ state }: EffectCall): PinHolder {
    const { agent: found } = state.person;
    if (!found) throw new Error('somebody who is no agent asks for an agent’s page');
    return found;
  }

  async function answerTo(effect: Effect, call: EffectCall): Promise<Answer | Refusal> {
    switch (effect.kind) {
      case 'register':
        return people.register(effect, call);
      case 'cashInQuote':
        return agent.cashInQuote(effect, agentOf(call));
      case 'cashIn':
        return agent.cashIn(effect, agentOf(call), call);
      case 'redeem':
        return agent.redeem(effect, agentOf(call), call);
      case 'invite':
        return agent.invite(effect, agentOf(call), call);
      case 'float':
        return agent.float(effect, agentOf(call), call);
      default:
        return customer.answer(effect, { caller: holder(call), ip: call.ip, requestId: call.requestId });
    }
  }

  return {
    identify: people.identify,
    prune: people.prune,
    async run(effect: Effect, call: EffectCall): Promise<Answer> {
      const outcome = (await people.changedRefusal(call)) ?? (await answerTo(effect, call));
      return 'kind' in outcome ? outcome : refusedAnswer(outcome);
    },
  };
}

/** Sierra Leone is on UTC. */
function refusedAnswer({ code, details }: Refusal): RefusedAnswer {
  const { attempts_remaining: left, locked_until: until, quote } = details;
  return {
    kind: 'refused',
    code,
    ...(typeof left === 'number' ? { attemptsLeft: left } : {}),
    ...(typeof until === 'string' ? { lockedUntil: until.slice(11, 16) } : {}),
    ...(code === 'QUOTE_CHANGED' && quote ? { quote: quoteIn(quote as QuoteDetails) } : {}),
  };
}

/** A cash-out code's price has neither id nor name. */
interface QuoteDetails {
  id?: string | null;
  recipient_name?: string;
  amount: number;
  fee: number;
  total: number;
}

function quoteIn({ id = null, recipient_name: name = '', amount, fee, total }: QuoteDetails) {
  return { id, name, amount, fee, total };
}
