// Who did something, by name.
import { Id, label } from './values.tsx';

interface Actor {
  actor_type: string;
  actor_id: string | null;
  actor_name: string | null;
}

/** Users and keys have names; others, such as customers, are shown by what they are and their id. */
export function ActorName({ entry: { actor_type, actor_id, actor_name } }: { entry: Actor }) {
  if (actor_name) return <>{actor_name}</>;
  return (
    <>
      {label(actor_type)} {actor_id && <Id value={actor_id} short />}
    </>
  );
}
