// Whose webhooks a caller sees: those of its own partner or processor, or everybody's.
import { type Caller, isStaff } from '../auth/caller.ts';

/** The id of the caller's partner or processor. Null: staff, who see all. 'none': a caller that belongs to neither. */
export function webhookOwnerOf(caller: Caller): string | null {
  if (caller.kind === 'key') return caller.partnerId ?? caller.processorId ?? 'none';
  if (caller.kind === 'user' && caller.role === 'processor') return caller.processorId ?? 'none';
  return isStaff(caller) ? null : 'none';
}

/** Ids of partners begin with it; all others are processors'. */
export function isPartnerId(ownerId: string): boolean {
  return ownerId.startsWith('ptn_');
}
