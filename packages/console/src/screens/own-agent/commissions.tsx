// What the agent earned: the periods that are not settled yet, and the settlements.
import { Trans, useLingui } from '@lingui/react/macro';
import { Title } from '@mantine/core';
import { Link as RowLink } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Link } from '../../components/link.tsx';
import own from '../../components/own/own.module.css';
import { Figure, Figures, OwnPage } from '../../components/own/own-page.tsx';
import { Empty, Waiting } from '../../components/states.tsx';
import { Absent } from '../../components/status.tsx';
import { amount } from '../../format/money.ts';
import { date, instant, today } from '../../format/time.ts';
import { HOME, useAgentId } from './own-agent.ts';

const SHOWN = '50';

export function Commissions() {
  const { t } = useLingui();
  const id = useAgentId();
  const { data, error, refetch } = useRead(['own-agent', id, 'commissions', SHOWN], (options) =>
    kissi.agents.commissions(id, { limit: SHOWN }, options),
  );
  return (
    <OwnPage title={t`Commission`} home={HOME} narrow>
      {!data && <Waiting error={error} retry={refetch} />}
      {data && (
        <>
          {data.settlement_mode === 'instant' ? <WithEachPayment /> : <NotSettled periods={data.accrued_by_period} />}
          {(data.settlement_mode !== 'instant' || data.settlements.length > 0) && (
            <Settlements rows={data.settlements} total={data.settled_total} />
          )}
        </>
      )}
    </OwnPage>
  );
}

function WithEachPayment() {
  const { t } = useLingui();
  const now = today();
  return (
    <>
      <Figures>
        <Earned label={t`Today (SLE)`} from={now} />
        <Earned label={t`This month (SLE)`} from={`${now.slice(0, 8)}01`} />
      </Figures>
      <p>
        <Trans>
          Your commission is paid into your float with each payment. The receipts in your{' '}
          <Link to="/agent/history">history</Link> show it.
        </Trans>
      </p>
    </>
  );
}

function Earned({ label, from }: { label: string; from: string }) {
  const id = useAgentId();
  const query = { from, limit: '1' };
  const { data, error } = useRead(['own-agent', id, 'earned', from], (options) =>
    kissi.agents.transactions(id, query, options),
  );
  const earned = data?.totals?.commissions;
  return <Figure label={label} value={earned === undefined ? error ? <Absent /> : '…' : amount(earned)} />;
}

type Reply = Awaited<ReturnType<typeof kissi.agents.commissions>>;

function NotSettled({ periods }: { periods: Reply['accrued_by_period'] }) {
  const { t } = useLingui();
  return (
    <section>
      <Title order={2} mb="xs">{t`Not paid yet (SLE)`}</Title>
      {periods.length === 0 ? (
        <Empty icon="clock" title={<Trans>Nothing earned since the last payment</Trans>} />
      ) : (
        <Figures>
          {periods.map(({ period, amount: earned, ends_at }) => {
            const end = instant(ends_at);
            return (
              <Figure
                key={period}
                label={periodName(period)}
                value={amount(earned)}
                note={<Trans>Paid after {end}</Trans>}
              />
            );
          })}
        </Figures>
      )}
    </section>
  );
}

/** A day, or a week as the service names it. */
const periodName = (period: string) => (/^\d{4}-\d\d-\d\d$/.test(period) ? date(period) : period);

function Settlements({ rows, total }: { rows: Reply['settlements']; total: number }) {
  const { t } = useLingui();
  return (
    <section>
      <Title order={2} mb="xs">{t`Paid into your float (SLE)`}</Title>
      {rows.length === 0 ? (
        <Empty icon="clock" title={t`Nothing paid yet`} />
      ) : (
        <ul className={own.rows}>
          {rows.map(({ transaction_id, period, settled_at, amount: paid }) => (
            <li key={transaction_id}>
              <RowLink to={`/agent/receipt/${transaction_id}`} className={own.row}>
                <b>{period ? periodName(period) : t`Commission`}</b>
                <b className={own.end}>{amount(paid)}</b>
                <small>{instant(settled_at)}</small>
              </RowLink>
            </li>
          ))}
        </ul>
      )}
      <p>{t`In total: ${amount(total)}`}</p>
    </section>
  );
}
