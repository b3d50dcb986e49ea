// The screen of the lab: phones that staff play.
import { type Screen, screensIn } from '../../app/screen.ts';

const screen = screensIn('System');

export const LAB: readonly Screen[] = [
  screen('/lab/phone', 'Lab phone', ['lab'], () => import('./phones.tsx'), 'phone'),
];
