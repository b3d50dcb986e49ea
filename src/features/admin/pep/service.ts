// Access to the accounts of politically exposed persons: opened with a one-time code, asked for wherever one is named.
import { type CodeParts, codes } from './codes.ts';
import { createGuard, type PepGuard } from './guard.ts';

export type { PepGuard } from './guard.ts';
export { closeAccess } from './store.ts';

export interface Pep extends ReturnType<typeof codes> {
  guard: PepGuard;
}

export function createPep(context: CodeParts): Pep {
  return { ...codes(context), guard: createGuard(context) };
}
