// The screens about cases: complaints of customers, and recalls of wrong transfers.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Customers');

export const CASES: readonly Screen[] = [
  screen('/cases', 'Cases', ['cases:read'], () => import('./cases.tsx'), 'inbox'),
  screen('/cases/$id', 'Case', ['cases:read'], () => import('./case.tsx')),
];
