// The user who is logged in, and what the role may do.

import { type CurrentUser, session } from './session.ts';
import { useStore } from './store.ts';

/** Only below the shell, which is shown to users who are logged in. */
export function useUser(): CurrentUser {
  const state = useStore(session);
  if (state.kind !== 'in' && state.kind !== 'locked') throw new Error('nobody is logged in');
  return state.user;
}

/** Whether the role has the permission; the service decides again on every request. */
export function useCan(): (...permissions: string[]) => boolean {
  const { permissions: granted } = useUser();
  return (...permissions) => permissions.some((permission) => granted.includes(permission));
}
