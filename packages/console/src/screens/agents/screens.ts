// The screens of this family.
import type { Screen } from '../../app/screens.ts';

export const AGENTS: readonly Screen[] = [];
