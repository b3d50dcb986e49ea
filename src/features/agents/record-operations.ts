// Agent registrations and changes. Those that set what the agent earns can need approval, as a fee change does; those of
// the phone number as a login change does.
import { created, ok } from '../../http/endpoint.ts';
import type { AgentRow } from '../../parties/agent.ts';
import { phoneRefusalOf } from '../admin/users/service.ts';
import type { ChangeOperation, Input } from '../approvals/service.ts';
import type { AgentContext } from './context.ts';
import { type Agent, newRecordOf, percentOrNull, recordFor } from './record.ts';
import { createRegistration, DEFAULT_TERMS, type RegisteredAgent, type Registration } from './registration.ts';
import { readAgent } from './store.ts';
import { type AgentChanges, createUpdate, type UpdatedAgent } from './update.ts';

interface RecordOperations {
  register: ChangeOperation<unknown, Registration, RegisteredAgent>;
  update: UpdateOperation;
  changePhone: UpdateOperation;
  /** Each has its own policy. Decided before the transaction, which checks it on the locked row. */
  updateFor(input: Input<{ id: string }, AgentChanges>): Promise<UpdateOperation>;
}

type UpdateOperation = ChangeOperation<{ id: string }, AgentChanges, UpdatedAgent>;

const ACTION = { kind: 'change', action: 'fees.change', permission: 'agents:write' } as const;

/** `complete` adds the float and what else belongs to the record in a reply. */
export function createRecordOperations(
  context: AgentContext,
  complete: (row: AgentRow) => Promise<Agent>,
): RecordOperations {
  const { plan: planUpdate, refusalOf } = createUpdate(context);
  const update: UpdateOperation = {
    ...ACTION,
    name: 'agents.update',
    describe: ({ params }) => `Change what agent ${params.id} earns.`,
    async before(_actor, { params }) {
      const row = await readAgent(context.database.queries, params.id);
      return row && editableOf(row);
    },
    after: ({ row }) => editableOf(row),
    plan: (actor, { params, body }) => planUpdate(actor, params.id, body, { isPhoneChange: false }),
    covers: ({ changesPrice }) => changesPrice,
    refusalOf,
    reply: async ({ row }, { caller }) =>
      ok({ success: true, message: UPDATED, agent: recordFor(caller, await complete(row)) }),
    storedReply: ({ row: { id, commission_tier } }) =>
      ok({ success: true, message: UPDATED, agent: { id, commission_tier } }),
  };
  const changePhone: UpdateOperation = {
    ...update,
    name: 'agents.change_phone',
    action: 'users.change',
    describe: ({ params }) => `Change the phone number of agent ${params.id} and its login.`,
    plan: (actor, { params, body }) => planUpdate(actor, params.id, body, { isPhoneChange: true }),
    // Its policy is enabled whenever the one for fees is, and its approvers are the same.
    covers: ({ changesPhone, changesPrice }) => changesPhone || changesPrice,
  };
  return {
    update,
    changePhone,
    async updateFor({ params, body }) {
      const number = body.phone_number === undefined ? null : context.phone(body.phone_number);
      if (number === null) return update;
      const row = await readAgent(context.database.queries, params.id);
      return row && row.phone_number !== number ? changePhone : update;
    },
    register: {
      ...ACTION,
      name: 'agents.register',
      describe: ({ body }) => `Register an agent with the commission tier ${body.commission_tier}.`,
      before: async () => null,
      after: ({ agent }) => ({ type: agent.type, email: agent.email, ...editableOf(agent) }),
      plan: createRegistration(context),
      covers: ({ agent }) => agent.commission_tier !== DEFAULT_TERMS.commission_tier,
      refusalOf: phoneRefusalOf,
      reply({ agent, userId }) {
        const ids = { agent_id: agent.id, user_id: userId };
        return created({ success: true, message: 'The agent was registered.', ...ids, agent: newRecordOf(agent) });
      },
    },
  };
}

const UPDATED = 'The agent was changed.';

/** All that a request can change, so that the approver sees it. */
function editableOf(row: AgentRow) {
  const { business_name, first_name, last_name, phone_number, location, commission_tier, settlement_mode } = row;
  const terms = { commission_tier, commission_percent: percentOrNull(row.commission_percent), settlement_mode };
  return { business_name, first_name, last_name, phone_number, location, ...terms };
}
