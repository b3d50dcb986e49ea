// What waits for staff now, the urgent things first. Each line opens its screen.

import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { OverviewReply } from '../../api/overview.ts';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { ratioInPercent, count as written } from '../../format/money.ts';
import { date, fromNow } from '../../format/time.ts';
import { DRY_WITHIN_HOURS } from '../agents/dry-hours.ts';
import {
  type Ages,
  type AttentionItem,
  type AttentionName,
  attentionItems,
  type FurtherCounts,
  sum,
  type Urgency,
} from './attention-items.ts';
import classes from './overview.module.css';

const ORDER: readonly Urgency[] = ['high', 'medium', 'none'];

export function Attention({ overview }: { overview: OverviewReply }) {
  const { t } = useLingui();
  const names = useNames();
  const items = attentionItems(overview, useWaiting(overview));
  const waiting = items
    .filter(({ urgency }) => urgency !== 'none')
    .sort((one, other) => ORDER.indexOf(one.urgency) - ORDER.indexOf(other.urgency));
  const clear = items.filter(({ urgency }) => urgency === 'none').map(({ name }) => names[name]);
  return (
    <Panel title={t`Needs attention`} flush>
      {waiting.length > 0 && (
        <ul className={classes.items}>
          {waiting.map((item) => (
            <Item key={item.name} item={item} title={names[item.name]} overview={overview} />
          ))}
        </ul>
      )}
      {clear.length > 0 && (
        <p className={classes.clear}>
          <Icon name="approve" size={16} />
          <span>
            <Trans>In order:</Trans> {clear.join(', ')}
          </span>
        </p>
      )}
    </Panel>
  );
}

interface ItemProps {
  item: AttentionItem;
  title: string;
  overview: OverviewReply;
}

function Item({ item, title, overview }: ItemProps) {
  const { count, urgency, to, search = {} } = item;
  const detail = useDetail(item, overview);
  return (
    <li>
      <Link to={to} search={search as never} className={classes.item} data-urgency={urgency}>
        <span className={classes.mark} />
        <span className={classes.itemText}>
          <span className={classes.itemTitle}>{title}</span>
          {detail && <span className={classes.itemDetail}>{detail}</span>}
        </span>
        {count > 0 && <span className={classes.itemCount}>{written(count)}</span>}
        <Icon name="chevronRight" size={16} />
      </Link>
    </li>
  );
}

function useNames(): Record<AttentionName, string> {
  const { t } = useLingui();
  return {
    administrators: t`Administrators created on the server`,
    alerts: t`Alerts past due`,
    approvals: t`Approvals`,
    archiving: t`Database log archive`,
    audit: t`Audit chain`,
    cases: t`Cases past due`,
    closes: t`Days not closed`,
    cover: t`Cover of e-money`,
    deliveries: t`Webhook deliveries`,
    floats: t`Floats running dry`,
    statements: t`Bank statements`,
    suspense: t`Suspense`,
    unmatched: t`Unmatched bank and book items`,
  };
}

function useDetail({ name, count, ages, since }: AttentionItem, { finance, alerts }: OverviewReply): string {
  const { t } = useLingui();
  const written = useAges();
  if (name === 'alerts' && alerts && ages) return t`${sum(ages)} open. By age: ${written(ages)}`;
  if (name === 'approvals' && ages && sum(ages) !== count) {
    const [all, byAge] = [sum(ages), written(ages)];
    return t`${all} with those that others decide. By age: ${byAge}`;
  }
  if (name === 'floats') return t`Used up within ${DRY_WITHIN_HOURS} hours at the pace of the last day or week`;
  if (name === 'cover') return t`The trust accounts hold ${ratioInPercent(finance?.cover.ratio ?? '0')} of the e-money`;
  if (name === 'closes') return finance?.closes.last_date ? t`Closed until ${date(finance.closes.last_date)}` : '';
  if (name === 'statements' && finance) {
    const { covered_until: until, gaps } = finance.statements;
    const covered = until ? t`All accounts are covered until ${date(until)}` : t`No day is covered by all accounts`;
    return gaps.length > 0 ? `${covered}; ${t`${gaps.length} gaps between statements`}` : covered;
  }
  if (name === 'archiving')
    return since ? t`Last archived ${fromNow(since)}` : t`The database does not archive its log`;
  if (name === 'administrators') return since ? t`Last ${fromNow(since)}` : '';
  if (since) return t`Oldest ${fromNow(since)}`;
  return ages ? written(ages) : '';
}

/** Such as "over 7 days: 2, under a day: 4". */
function useAges(): (ages: Ages) => string {
  const { t } = useLingui();
  return ({ under_1_day: day, under_3_days: three, under_7_days: week, older }) =>
    [
      older > 0 && t`over 7 days: ${older}`,
      week > 0 && t`3 to 7 days: ${week}`,
      three > 0 && t`1 to 3 days: ${three}`,
      day > 0 && t`under a day: ${day}`,
    ]
      .filter(Boolean)
      .join(', ');
}

/** The same counts as in the navigation. Deliveries are left out for roles that cannot open them. */
function useWaiting({ counts: data, floats_dry }: OverviewReply): FurtherCounts {
  const mayOpen = useCan()('partners');
  return {
    dryFloats: floats_dry ?? null,
    toDecide: data?.approvals_to_decide ?? null,
    failingDeliveries: mayOpen ? (data?.deliveries_failing ?? 0) : null,
    overdueAlerts: data?.alerts_overdue ?? null,
    overdueCases: data?.cases_overdue ?? null,
    suspense: data?.suspense ?? null,
    unmatched: data?.unmatched ?? null,
  };
}
