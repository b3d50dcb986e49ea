// Dependencies of the wallet's operations, and the refusal for a holder's PIN.
import type { AuditLog } from '../../audit/log.ts';
import type { GuardedPins, PinVerdict } from '../../auth/pins/guarded-pins.ts';
import { pinRefusal } from '../../auth/pins/refusals.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import type { Refusal } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { AgentRow } from '../../parties/agent.ts';
import type { CardLookups } from '../../parties/card.ts';
import type { FundingPartner } from '../../parties/partner.ts';
import type { PepGuard } from '../../parties/pep-access.ts';
import type { Holders } from '../../parties/subscriber.ts';
import type { Payments } from '../../payments/execute.ts';

export interface WalletContext {
  audit: AuditLog;
  holders: Holders;
  cards: CardLookups;
  findPartner: Load<string, FundingPartner | null>;
  findAgent: Load<string, AgentRow | null>;
  pins: GuardedPins;
  books: Books;
  payments: Payments;
  phone: PhoneReader;
  pep: PepGuard;
  clock: Clock;
}

export async function holderPinRefusal(verifying: Promise<PinVerdict>): Promise<Refusal | null> {
  const verdict = await verifying;
  return verdict.outcome === 'right' ? null : pinRefusal(verdict, 'customer');
}
