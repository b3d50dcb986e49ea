// Verifies accounts against their owners: each account has one, and its terms are what the owner's record says.
import { KYC_LIMITS } from '../kernel/kyc.ts';
import { commissionAccountSql } from '../ledger/commission-accounts.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/system-accounts.ts';
import { type Check, rowsOf } from '../ledger/verification/findings.ts';

const RULES = {
  account_without_owner: "an account has no owner of its kind, or is not one of the operator's",
  owner_without_account: 'a subscriber, agent, processor or partner has no account',
  account_terms_differ:
    "the terms of an account (floor, ceiling, daily limit, frozen, disabled types, cards, reduction after a PIN reset) are not its owner's",
  subscriber_count_differs: 'a count of subscribers by status and level is not the number of their records',
} as const;

const byLevel = (limit: 'maxBalance' | 'dailyLimit') =>
  `case s.kyc_level ${Object.entries(KYC_LIMITS)
    .map(([level, limits]) => `when ${level} then ${limits[limit]}`)
    .join(' ')} end::bigint`;

// The cards that cannot be used, as features/cards writes them to the account.
const UNUSABLE = `select subscriber_id, array_agg(serial order by serial) as serials from (
    select card.subscriber_id, card.serial from cards card left join cards parent on parent.serial = card.parent_serial
      where card.subscriber_id is not null and (card.status = 'blocked' or parent.status = 'blocked')
    union all select retired_subscriber_id, serial from cards where retired_subscriber_id is not null
    union all select unlinked_subscriber_id, serial from cards where unlinked_subscriber_id is not null) each_card
  group by 1`;

/** Each owner with the terms that its account must have. */
const OWNERS = `
  select s.id, 'wallet' as kind, 0::bigint as floor, ${byLevel('maxBalance')} as ceiling, ${byLevel('dailyLimit')} as daily_limit,
    s.status <> 'ACTIVE' as frozen, s.disabled_transaction_types as disabled_types, coalesce(u.serials, '{}') as barred,
    s.pin_reset_at + interval '24 hours' as reduced_until, null::bigint as reduced_floor
  from subscribers s left join (${UNUSABLE}) u on u.subscriber_id = s.id
  union all select id, 'agent_float', 0, null, null, status <> 'active', '{}', '{}',
    pin_reset_at + interval '24 hours', pin_reset_floor from agents
  union all select ${commissionAccountSql('id')}, 'agent_commission', 0, null, null, false, '{}', '{}', null, null from agents
  union all select id, 'processor', 0, null, null, status <> 'active', '{}', '{}', null, null from processors
  union all select id, 'partner_clearing', -outstanding_limit, 0, null, status <> 'active', '{}', '{}', null, null from partners
  union all select id, kind, null, null, null, false, '{}', '{}', null, null from (values ${[...SYSTEM_ACCOUNTS]
    .map(([id, kind]) => `('${id}', '${kind}')`)
    .join(', ')}) as operator (id, kind)`;

const sorted = (column: string) => `array(select unnest(${column}) order by 1)`;

const DIFFERENCES = `select coalesce(a.id, o.id), a.id is null, o.id is null,
    concat_ws(', ', case when a.floor is distinct from o.floor then 'floor ' || coalesce(a.floor::text, 'none') end,
      case when a.ceiling is distinct from o.ceiling then 'ceiling ' || coalesce(a.ceiling::text, 'none') end,
      case when a.daily_limit is distinct from o.daily_limit then 'daily limit ' || coalesce(a.daily_limit::text, 'none') end,
      case when a.frozen <> o.frozen then 'frozen ' || a.frozen end,
      case when ${sorted('a.disabled_types')} <> ${sorted('o.disabled_types')} then 'disabled types' end,
      case when ${sorted('a.barred')} <> ${sorted('o.barred')} then 'cards' end,
      case when a.reduced_until is distinct from o.reduced_until or a.reduced_floor is distinct from o.reduced_floor
        then 'reduction after a PIN reset' end) as differing
  from accounts a full join (${OWNERS}) o on o.id = a.id and o.kind = a.kind`;

// Lists return these counts as their totals. One count is spread over several rows.
const COUNTS = `select coalesce(c.status, s.status), coalesce(c.kyc_level, s.kyc_level), coalesce(c.count, 0), coalesce(s.count, 0)
  from (select status, kyc_level, sum(count) as count from subscriber_counts group by 1, 2) c
  full join (select status, kyc_level, count(*) from subscribers group by 1, 2) s
    on s.status = c.status and s.kyc_level = c.kyc_level
  where coalesce(c.count, 0) <> coalesce(s.count, 0)`;

export const ACCOUNT_OWNERS: Check = {
  rules: RULES,
  async run(connection, findings) {
    const text = `select * from (${DIFFERENCES}) d (id, lost, ghost, differing) where lost or ghost or differing <> ''`;
    for await (const [id, lost, ghost, differing] of rowsOf(connection, 'account_owners', text)) {
      if (lost === 't') findings.fault('owner_without_account', id as string, 'no account of its kind');
      else if (ghost === 't') findings.fault('account_without_owner', id as string, 'no owner of its kind');
      else findings.fault('account_terms_differ', id as string, differing as string);
    }
    for await (const [status, level, count, records] of rowsOf(connection, 'subscriber_counts', COUNTS)) {
      findings.fault('subscriber_count_differs', `${status}, level ${level}`, `${count}, by the records ${records}`);
    }
  },
};
