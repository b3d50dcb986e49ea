// The agent whose login this is.
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';

export const HOME = '/agent';

/** What payments of this screen change. */
export const CHANGES = ['own-agent'];

export function useAgentId(): string {
  const { agent_id } = useUser();
  if (!agent_id) throw new Error('This login belongs to no agent.');
  return agent_id;
}

export function useOwnAgent() {
  const id = useAgentId();
  return useRead(['own-agent', id], (options) => kissi.agents.get(id, options));
}
