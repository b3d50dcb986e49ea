// The logged-in user and what their role allows.

import { type CurrentUser, session } from './session.ts';
import { useStore } from './store.ts';

/** Use only inside the shell, which is shown to logged-in users. */
export function useUser(): CurrentUser {
  const state = useStore(session);
  if (state.kind !== 'in' && state.kind !== 'locked') throw new Error('nobody is logged in');
  return state.user;
}

/** Whether the role has any of the permissions. The service checks again on every request. */
export function useCan(): (...permissions: string[]) => boolean {
  const { permissions: granted } = useUser();
  return (...permissions) => permissions.some((permission) => granted.includes(permission));
}
