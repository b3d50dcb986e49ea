// One-time codes that open access to the accounts of politically exposed persons.
import { type CodeParts, codes } from './codes.ts';

export { closeAccess } from './store.ts';

export type PepCodes = ReturnType<typeof codes>;

export function createPepCodes(context: CodeParts): PepCodes {
  return codes(context);
}
