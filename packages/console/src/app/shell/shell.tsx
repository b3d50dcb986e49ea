// The frame around all screens. That of staff is loaded for staff only: agents and merchants work over slow networks.
import { lazy, Suspense } from 'react';
import { useUser } from '../../api/user.ts';
import { IdleLock } from '../../session/idle-lock.tsx';
import { OwnFrame } from './own-frame.tsx';

const StaffFrame = lazy(() => import('./staff-frame.tsx'));

/** Users of agents and merchants see only their own account. */
const OWN_ROLES = ['super_agent', 'sub_agent', 'processor'];

export function Shell() {
  const { role } = useUser();
  return (
    <IdleLock>
      {OWN_ROLES.includes(role) ? (
        <OwnFrame />
      ) : (
        <Suspense>
          <StaffFrame />
        </Suspense>
      )}
    </IdleLock>
  );
}
