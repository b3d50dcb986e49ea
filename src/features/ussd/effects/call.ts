// Who asks the service, and at which step of which session.
import type { State } from '../engine/state.ts';

export interface EffectCall {
  state: State;
  sessionId: string;
  /** The number that dials, in E.164. */
  number: string;
  ip: string;
  /** Of the session and step: what is done with it is done once. */
  requestId: string;
}
