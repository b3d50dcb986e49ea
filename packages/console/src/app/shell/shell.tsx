// The frame around all screens. Only staff load the staff frame: agents and merchants work over slow networks.
import { Suspense } from 'react';
import { useUser } from '../../api/user.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { Loading } from '../../components/states.tsx';
import { loadTexts } from '../language.ts';
import { OwnFrame } from './own-frame.tsx';

const StaffFrame = lazyPart(async () => {
  const [frame] = await Promise.all([import('./staff-frame.tsx'), loadTexts('staff')]);
  return frame;
});

/** Agents' and merchants' users see only their own account. */
const OWN_ROLES = ['super_agent', 'sub_agent', 'processor'];

export function Shell() {
  const { role } = useUser();
  if (OWN_ROLES.includes(role)) return <OwnFrame />;
  return (
    <Suspense fallback={<Loading />}>
      <StaffFrame />
    </Suspense>
  );
}
