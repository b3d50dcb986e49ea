// The float requests that the agent made or got, read again while a screen shows them.
import type { FloatRequest } from '@kissi/client';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useAgentId } from './own-agent.ts';

const EVERY_MS = 30_000;
const QUERY = { limit: '20' };

export function useFloatRequests() {
  const id = useAgentId();
  const { data, ...state } = useRead(
    ['own-agent', id, 'float-requests'],
    (options) => kissi.floatRequests.list(id, QUERY, options),
    { everyMs: EVERY_MS },
  );
  const requests = data?.float_requests;
  return {
    ...state,
    requests,
    /** What waits for this agent's answer. */
    received: (requests ?? []).filter((request) => request.super_agent_id === id && isUndecided(request)),
  };
}

export const isUndecided = ({ state }: FloatRequest) => state === 'open' || state === 'accepting';
