// Verifies and changes an agent's PIN. Checks existence first, then ownership, then status, then the PIN.
import type { Actor } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import { newPinRefusal, pinFormRefusal, pinRefusal, type RightPin } from '../../auth/pins/refusals.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { type AgentRow, agentStatusRefusal, noSuchAgent, ownRefusal } from '../../parties/agent.ts';
import { type AgentContext, auditResource } from './context.ts';
import { lockAgent } from './store.ts';

export interface PinChangeRequest {
  current_pin: string;
  new_pin: string;
}

/** By API contract, a wrong PIN of an agent gets 400. */
const WRONG_PIN_STATUS = 400;

async function verify(pins: GuardedPins, { caller }: Actor, agentId: string, pin: string): Promise<RightPin | Refusal> {
  const verdict = await pins.verify(caller, agentId, pin);
  return verdict.outcome === 'right' ? verdict : pinRefusal(verdict, 'agent', { wrong: WRONG_PIN_STATUS });
}

export async function agentPinRefusal(
  pins: GuardedPins,
  actor: Actor,
  agentId: string,
  pin: string,
): Promise<Refusal | null> {
  const verified = await verify(pins, actor, agentId, pin);
  return verified instanceof Refusal ? verified : null;
}

export function createPinChecks({ database, audit, pins, findAgent, refuseCommonPins }: AgentContext) {
  function refusalOf({ caller }: Actor, agent: AgentRow | null): Refusal | null {
    return agent ? (ownRefusal(caller, agent) ?? agentStatusRefusal(agent)) : noSuchAgent();
  }

  /** False if the PIN changed or was locked after the verification. */
  function replace(actor: Actor, id: string, change: { version: number; pin: string }): Promise<boolean | Refusal> {
    return database.transact(async (trx) => {
      // Not a share lock: two changes of the PIN would wait for each other, because audit entries lock the record.
      const refusal = refusalOf(actor, await lockAgent(trx, id));
      if (refusal) return refusal;
      if (!(await pins.replace(trx, id, change))) return false;
      await audit.record(trx, actor, { action: 'agent.change_pin', ...auditResource(id) });
      return true;
    });
  }

  return {
    async changePin(actor: Actor, id: string, request: PinChangeRequest): Promise<true | Refusal> {
      const refusal =
        pinFormRefusal(request.current_pin, { field: 'current_pin' }) ??
        newPinRefusal(request.new_pin, { field: 'new_pin', refuseCommon: refuseCommonPins }) ??
        refusalOf(actor, await findAgent(id));
      if (refusal) return refusal;
      // After losing a race for the row, verify again against the PIN that the winner stored.
      for (;;) {
        const verified = await verify(pins, actor, id, request.current_pin);
        if (verified instanceof Refusal) return verified;
        const replaced = await replace(actor, id, { version: verified.version, pin: request.new_pin });
        if (replaced === true || replaced instanceof Refusal) return replaced;
      }
    },
  };
}
