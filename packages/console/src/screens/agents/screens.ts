// The screens about agents and their floats, for staff.
import { type Screen, STAFF, screensIn } from '../../app/screen.ts';

const screen = screensIn('Network', STAFF);

export const AGENTS: readonly Screen[] = [
  screen('/agents', 'Agents', ['agents:read'], () => import('./agents.tsx'), 'network'),
  screen('/agents/$id', 'Agent', ['agents:read'], () => import('./agent.tsx')),
];
