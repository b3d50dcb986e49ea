// The overview of what needs attention and how business goes.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('Work');

export const OVERVIEW: readonly Screen[] = [
  screen('/overview', 'Overview', ['reports:read'], () => import('./overview.tsx'), 'home'),
];
