// The overview of what needs attention and how business goes.
import type { Screen } from '../../app/screens.ts';

export const OVERVIEW: readonly Screen[] = [];
