// Float requests that can succeed: new sub-agents of one super-agent, each for one way to ask or to answer.
import { assertStatus } from '../support/gateway.ts';
import type { Agent, Host, PreparedRequest } from './world.ts';

interface Tools {
  host: Host;
  /** With float. */
  superAgent: Agent;
  newSubAgent(): Promise<Agent>;
}

const ROUTE = '/api/v1/agents/float-requests/{id}';
const nothing = () => ({});

/** By the operation's name. A sub-agent has one open request, so they are prepared again periodically. */
export async function prepareFloatRequests(tools: Tools): Promise<[string, PreparedRequest][]> {
  const { superAgent, newSubAgent } = tools;
  const [asking, cancelling] = [await newSubAgent(), await newSubAgent()];
  const answered = async () => ({ bearer: superAgent.token, pathValue: await ask(tools, await newSubAgent()) });
  const cancelled = { bearer: cancelling.token, pathValue: await ask(tools, cancelling) };
  return [
    [
      'POST /api/v1/agents/{id}/float-requests',
      { bearer: asking.token, pathValue: asking.id, fields: () => ({ amount: 100, note: 'Hostile' }) },
    ],
    [`POST ${ROUTE}/accept`, { ...(await answered()), fields: () => ({ pin: superAgent.pin }) }],
    [`POST ${ROUTE}/decline`, { ...(await answered()), fields: () => ({ reason: 'A reason' }) }],
    [`POST ${ROUTE}/cancel`, { ...cancelled, fields: nothing }],
  ];
}

async function ask({ host }: Tools, { id, token }: Agent): Promise<string> {
  const path = `/api/v1/agents/${id}/float-requests`;
  return assertStatus(await host.call('POST', path, { token, body: { amount: 100 } }), 201).json.float_request.id;
}
