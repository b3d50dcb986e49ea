// Dependencies shared by the agent operations.
import type { Actor, ChangeContext } from '../../audit/log.ts';
import type { GuardedPins } from '../../auth/pins/guarded-pins.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { CardLookups } from '../../parties/card.ts';
import type { LookupLimit } from '../../parties/lookup-limit.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';
import type { Users } from '../admin/users/service.ts';
import type { Fees } from '../fees/service.ts';
import type { Messaging } from '../messaging/service.ts';
import type { Notices } from '../notices/service.ts';
import type { Transactions } from '../transactions/service.ts';

export interface AgentContext extends ChangeContext {
  users: Users;
  pins: GuardedPins;
  messaging: Messaging;
  notices: Pick<Notices, 'tell'>;
  findAgent: Load<string, AgentRow | null>;
  holders: Holders;
  cards: CardLookups;
  books: Books;
  payments: Payments;
  /** Refuses commission percentages that the fees do not cover. */
  fees: Pick<Fees, 'percentRefusal'>;
  /** Moves everything on the commission account into the float, even for a suspended agent. */
  settleCommission(actor: Actor, agentId: string): Promise<void>;
  transactions: Transactions;
  /** The operator's treasury account that this process uses to fund floats. */
  treasuryAccount: string;
  /** Maximum amount of one funding. */
  fundMax: number;
  /** Maximum amount that the treasury issues in one UTC day. */
  treasuryDailyLimit: number;
  phone: PhoneReader;
  lookupLimit: Pick<LookupLimit, 'ofAgent' | 'ofRegistration'>;
  /** If true, very common PINs cannot be set. */
  refuseCommonPins: boolean;
}

/** The resource fields of an audit entry about an agent. */
export function auditResource(id: string) {
  return { resourceType: 'agent', resourceId: id };
}
