// One-time codes that grant staff access to the accounts of politically exposed persons (PEPs).
import { createCodes, type PepCodeContext } from './codes.ts';

export { closeAccess } from './store.ts';

export type PepCodes = ReturnType<typeof createCodes>;

export function createPepCodes(context: PepCodeContext): PepCodes {
  return createCodes(context);
}
