// One-time codes that grant staff access to the accounts of politically exposed persons (PEPs).
import { codes, type PepCodeContext } from './codes.ts';

export { closeAccess } from './store.ts';

export type PepCodes = ReturnType<typeof codes>;

export function createPepCodes(context: PepCodeContext): PepCodes {
  return codes(context);
}
