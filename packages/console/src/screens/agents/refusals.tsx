// An agent's refused payments.
import { RefusalList } from '../refusals/list.tsx';

export default function AgentRefusals({ id }: { id: string }) {
  return (
    <RefusalList
      resource={`agent-refusals-${id}`}
      read={(client, query, options) => client.agents.refusals(id, query, options)}
    />
  );
}
