// What the verbs of this family are given to work with, the refusals they share, and whose processor a caller may see.
import type { AuditLog } from '../../audit/log.ts';
import type { Caller } from '../../auth/caller.ts';
import type { Load } from '../../db/batch-loader.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { PhoneReader } from '../../kernel/phone.ts';
import { type Refusal, refuse } from '../../kernel/refusal.ts';
import type { Books } from '../../ledger/queries/account-history.ts';
import type { AccountTotals } from '../../ledger/queries/totals.ts';
import type { Payments } from '../../payments/execute.ts';
import type { Users } from '../admin/users/service.ts';
import type { Messaging } from '../messaging/service.ts';
import type { Holders, Wallet } from '../wallet/service.ts';
import type { ProcessorOnFile } from './store.ts';

export interface ProcessorContext {
  database: Database;
  audit: AuditLog;
  users: Pick<Users, 'createLogin'>;
  messaging: Messaging;
  books: Books;
  totals: AccountTotals;
  payments: Payments;
  holders: Holders;
  findProcessor: Load<string, ProcessorOnFile | null>;
  wallet: Pick<Wallet, 'accountHistory'>;
  phone: PhoneReader;
  clock: Clock;
}

/** What an audit entry is about. */
export function about(id: string) {
  return { resourceType: 'processor', resourceId: id };
}

export function noSuchProcessor(which = 'processor'): Refusal {
  return refuse('NOT_FOUND', `There is no such ${which}.`);
}

export function suspendedRefusal(which = 'processor'): Refusal {
  return refuse('PROCESSOR_SUSPENDED', `The ${which} is suspended.`);
}

/** The one processor that this caller sees and moves; null: all of them, and of nobody's user none. */
export function onlyProcessorOf(caller: Caller): string | null {
  if (caller.kind === 'user' && caller.role === 'processor') return caller.processorId ?? 'none';
  return caller.kind === 'key' ? caller.processorId : null;
}

/** Of a processor there is; one there is not is 404 to everybody. */
export function foreignRefusal(caller: Caller, id: string): Refusal | null {
  const only = onlyProcessorOf(caller);
  if (only === null || only === id) return null;
  return refuse('FORBIDDEN', `This ${caller.kind === 'key' ? 'API key' : 'user'} belongs to another processor.`);
}
