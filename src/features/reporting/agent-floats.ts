// The floats of agents with the hours that they are estimated to last, most urgent first.
import { integer, text, textOrNull } from '../../db/driver/columns.ts';
import { type Columns, onCitus, type StatementRunner, statement } from '../../db/driver/statement.ts';
import type { Page } from '../../http/paging.ts';
import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';

export interface AgentFloat {
  agentId: string;
  businessName: string;
  type: string;
  status: string;
  parentAgentId: string | null;
  balance: number;
  /** What customers took out of the float until the running hour, net, without funding, returns and transfers between agents. */
  outflowDay: number;
  outflowWeek: number;
  /** Null: the float does not shrink. */
  hoursLeft: number | null;
  /** Without terminated ones. */
  subAgents: number;
  /** The float and those of the sub-agents together. */
  networkBalance: number;
  /** The lowest of the agent and its sub-agents. */
  networkHoursLeft: number | null;
}

export interface FloatFilter {
  type?: 'super_agent' | 'sub_agent' | undefined;
  /** Only sub-agents of this agent. */
  parent_agent_id?: string | undefined;
  /** Only active agents whose float lasts less. */
  hoursLeftBelow?: number | undefined;
}

// The outflow to customers is the balance at the start of the period, plus what the agent was given in it, minus the balance at
// its end. Per agent these are three index look-ups and one range of the few movements between businesses, however many
// customers it serves.
const BUSINESS = `(case when m.type in ('agent_return', 'agent_transfer', 'processor_transfer') then m.from_account else m.to_account end)`;
const AMONG_BUSINESSES = `m.at >= $2 and m.at < $10 and m.type in ('partner_settlement', 'agent_fund', 'agent_return', 'agent_transfer',
  'processor_transfer', 'commission_settlement')`;
const GIVEN_COLUMNS = 'm.type, m.from_account, m.to_account, m.amount, m.at >= $1 as in_day';
const IS_GIVEN = `m.type in ('agent_fund', 'agent_return', 'agent_transfer', 'commission_settlement')`;

const FUNDED = `funded as materialized (
    select agent, coalesce(sum(amount) filter (where in_day), 0) as day, sum(amount) as week from (
      select to_account, amount, in_day from given where type <> 'agent_return'
      union all select from_account, -amount, in_day from given where type in ('agent_return', 'agent_transfer'))
      as each_movement (agent, amount, in_day) group by agent)`;

const PAGE = `estimated as (
    select *, case when greatest(day * 7, week) > 0 then balance * 168.0 / greatest(day * 7, week) end as hours_left from floats),
  below as (
    select parent_agent_id as parent, count(*) as agents, sum(balance) as balance, min(hours_left) as hours_left
    from estimated where parent_agent_id is not null group by 1),
  numbered as (
    select e.*, coalesce(below.agents, 0) as agents, e.balance + coalesce(below.balance, 0) as network_balance,
      least(e.hours_left, below.hours_left) as network_hours,
      row_number() over (order by e.hours_left nulls last, e.balance, e.id) as n, count(*) over () as total
    from estimated e left join below on below.parent = e.id
    where ($8::text is null or e.type = $8) and ($9::text is null or e.parent_agent_id = $9)
      and ($12::integer is null or (e.status = 'active' and e.hours_left < $12)))
  select id, business_name, type, status, parent_agent_id, balance, day, week, round(hours_left, 1), agents, network_balance,
    round(network_hours, 1), total
  from numbered where $7::text is null or id > $7 order by case when $7 is null then n end, id limit $5 offset $6`;

const BALANCE_BEFORE = (seq: string) => `(select p.balance_after from postings p
      where p.account_id = a.id and p.seq < ${seq}::bigint order by p.seq desc limit 1)`;

export const FLOATS = onCitus(
  statement(
    'report-agent-floats',
    `with given as materialized (
    select ${GIVEN_COLUMNS} from agents cross join lateral (
      select type, from_account, to_account, amount, at from movements m where ${BUSINESS} = agents.id and ${AMONG_BUSINESSES}) m
    where ${IS_GIVEN}),
  ${FUNDED},
  floats as (
    select a.id, a.business_name, a.type, a.status, a.parent_agent_id, account.balance,
      coalesce(day_ago.balance_after, 0) + coalesce(funded.day, 0) - coalesce(hour_start.balance_after, 0) as day,
      coalesce(week_ago.balance_after, 0) + coalesce(funded.week, 0) - coalesce(hour_start.balance_after, 0) as week
    from agents a
    cross join lateral (select balance from accounts where id = a.id limit 1) account
    left join lateral (select balance_after from postings where account_id = a.id and seq < $3::bigint
      order by seq desc limit 1) day_ago on true
    left join lateral (select balance_after from postings where account_id = a.id and seq < $4::bigint
      order by seq desc limit 1) week_ago on true
    left join lateral (select balance_after from postings where account_id = a.id and seq < $11::bigint
      order by seq desc limit 1) hour_start on true
    left join funded on funded.agent = a.id
    where a.status <> 'terminated'),
  ${PAGE}`,
    floatOf,
  ),
  // What the shards and the coordinator have about an agent is grouped: a join of these results would be a nested loop.
  `with ids as materialized (select id from agents),
  given as materialized (select ${GIVEN_COLUMNS} from movements m
    where ${BUSINESS} in (select id from ids) and ${AMONG_BUSINESSES} and ${IS_GIVEN}),
  ${FUNDED},
  balances as materialized (
    select a.id, a.balance, ${BALANCE_BEFORE('$3')} as day_ago, ${BALANCE_BEFORE('$4')} as week_ago,
      ${BALANCE_BEFORE('$11')} as hour_start
    from accounts a where a.id in (select id from ids)),
  floats as (
    select id, max(business_name) as business_name, max(type) as type, max(status) as status,
      max(parent_agent_id) as parent_agent_id, max(balance) as balance, sum(day) as day, sum(week) as week
    from (select id, business_name, type, status, parent_agent_id, null::bigint as balance, 0::numeric as day, 0::numeric as week
      from agents where status <> 'terminated'
      union all select id, null, null, null, null, balance, coalesce(day_ago, 0) - coalesce(hour_start, 0),
        coalesce(week_ago, 0) - coalesce(hour_start, 0) from balances
      union all select agent, null, null, null, null, null, day, week from funded) parts
    group by id having max(status) is not null and max(balance) is not null),
  ${PAGE}`,
);

function floatOf(columns: Columns): { float: AgentFloat; total: number } {
  const [id, businessName, type, status, parent, balance, day, week, hours, ...network] = columns;
  const [subAgents, networkBalance, networkHours, total] = network;
  const float = {
    agentId: text(id),
    businessName: text(businessName),
    type: text(type),
    status: text(status),
    parentAgentId: textOrNull(parent ?? null),
    balance: integer(balance),
    outflowDay: integer(day),
    outflowWeek: integer(week),
    hoursLeft: hours == null ? null : Number(hours),
    subAgents: integer(subAgents),
    networkBalance: integer(networkBalance),
    networkHoursLeft: networkHours == null ? null : Number(networkHours),
  };
  return { float, total: integer(total) };
}

/**
 * The faster of the rates of a day and a week is used: funding earlier does less harm than too late. Both end with the last full
 * hour: with the payments of the last minutes in it, one large withdrawal would multiply the rate. The pages of
 * an export are in order of ids: the order by urgency changes with every payment, and records would be missing or doubled.
 */
export async function agentFloats(
  pool: StatementRunner,
  now: number,
  { type, parent_agent_id, hoursLeftBelow }: FloatFilter,
  { limit, offset, after }: Page,
): Promise<{ floats: AgentFloat[]; total: number }> {
  const end = Math.floor(now / HOUR_MS) * HOUR_MS;
  const [day, week] = [end - DAY_MS, end - 7 * DAY_MS];
  const since = [new Date(day), new Date(week), day * 1_000, week * 1_000];
  const filter = [type ?? null, parent_agent_id ?? null, new Date(end), end * 1_000, hoursLeftBelow ?? null];
  const read = (pageLimit: number, pageOffset: number, afterId: string | null) =>
    pool.run(FLOATS, [...since, pageLimit, pageOffset, afterId, ...filter]);
  const rows = await read(limit, offset, after === undefined ? null : (after ?? ''));
  // Each row has the total, so that a page after the last one does not know it.
  const total = rows[0]?.total ?? (offset > 0 ? (await read(1, 0, null))[0]?.total : 0) ?? 0;
  return { floats: rows.map(({ float }) => float), total };
}
