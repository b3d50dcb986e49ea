// Cover at a glance: the money in the trust accounts against the e-money, what is to do, and both by day.
import type { CloseSummary, GetOverviewReply } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useOverview } from '../../../api/overview.ts';
import { useRead } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { Facts } from '../../../components/facts.tsx';
import { Page, Panel } from '../../../components/page.tsx';
import { SmallTable } from '../../../components/small-table.tsx';
import { Failed, Loading } from '../../../components/states.tsx';
import { Money } from '../../../components/values.tsx';
import { money, ratioInPercent } from '../../../format/money.ts';
import { date } from '../../../format/time.ts';
import classes from '../finance.module.css';
import type { Finance } from '../open-items.ts';
import { kindName } from '../words.ts';
import { ByDay } from './by-day.tsx';
import { ToDo } from './to-do.tsx';

export default function Cover() {
  const { t } = useLingui();
  const overview = useOverview({ everyMs: 60_000 });
  const closes = useRead(['closes', 'by-day'], (options) => kissi.closes.list({ limit: '90' }, options));
  const error = overview.error ?? closes.error;
  const retry = () => void Promise.all([overview.refetch(), closes.refetch()]);
  const { finance, balances } = overview.data ?? {};
  return (
    <Page
      title={t`Cover`}
      description={t`E-money is what customers, agents and merchants hold. The trust accounts at the banks must cover it.`}
    >
      {error ? <Failed error={error} retry={retry} /> : null}
      {!error && !(finance && closes.data) && <Loading />}
      {finance && closes.data && (
        <>
          <div className={classes.columns}>
            <Ratio cover={finance.cover} closes={closes.data.closes} />
            <ToDo finance={finance} />
          </div>
          <ByDay closes={closes.data.closes} coveredUntil={finance.cover.date} />
          {balances && <EMoney balances={balances} />}
        </>
      )}
    </Page>
  );
}

function Ratio({ cover, closes }: { cover: Finance['cover']; closes: CloseSummary[] }) {
  const { t } = useLingui();
  const day = cover.date ? date(cover.date) : '';
  const close = closes.find((each) => each.date === cover.date);
  const { ratio, trust_balance: trust, e_money: eMoney } = cover;
  if (ratio === null || trust === null || eMoney === null) {
    return (
      <Panel title={t`Cover ratio`}>
        <Text className={classes.ratio ?? ''} c="dimmed">
          –
        </Text>
        <Text size="sm" c="dimmed">{t`Unknown until every trust account has a statement and there is e-money.`}</Text>
      </Panel>
    );
  }
  return (
    <Panel title={t`Cover ratio`}>
      <Stack gap="md">
        <div>
          <div className={`${classes.ratio} ${cover.is_below_1 ? classes.bad : classes.good}`}>
            {ratioInPercent(ratio)}
          </div>
          <Text size="sm" c="dimmed">
            {cover.is_below_1 ? (
              <Trans>The e-money was not covered at the end of {day}.</Trans>
            ) : (
              <Trans>The e-money was covered at the end of {day}.</Trans>
            )}
          </Text>
        </div>
        <Bars trust={trust} eMoney={eMoney} isBelow={cover.is_below_1} />
        <Facts
          facts={[
            [t`Difference`, <strong key="difference">{money(trust - eMoney)}</strong>],
            close
              ? [t`In suspense`, money(close.suspense)]
              : [t`This day's close`, <Trans key="close">Not closed yet</Trans>],
          ]}
        />
      </Stack>
    </Panel>
  );
}

function Bars({ trust, eMoney, isBelow }: { trust: number; eMoney: number; isBelow: boolean }) {
  const { t } = useLingui();
  const most = Math.max(eMoney, trust, 1);
  return (
    <Stack gap="sm">
      <Bar name={t`Trust money`} value={trust} most={most} tone={isBelow ? 'bad' : 'good'} />
      <Bar name={t`E-money`} value={eMoney} most={most} />
    </Stack>
  );
}

function Bar({ name, value, most, tone }: { name: string; value: number; most: number; tone?: 'good' | 'bad' }) {
  return (
    <div>
      <Text size="sm" component="div" display="flex" style={{ justifyContent: 'space-between', gap: '1rem' }}>
        <span>{name}</span>
        <span>{money(value)}</span>
      </Text>
      <div className={classes.bar} data-tone={tone} aria-hidden>
        <span style={{ width: `${(Math.max(value, 0) / most) * 100}%` }} />
      </div>
    </div>
  );
}

function EMoney({ balances }: { balances: NonNullable<GetOverviewReply['balances']> }) {
  const { t } = useLingui();
  const rows: [kind: string, balance: number][] = [
    ['wallet', balances.wallets],
    ['agent_float', balances.agent_floats],
    ['processor', balances.processors],
    ['fee_income', balances.fee_income],
    ['payouts_in_transit', balances.payouts_in_transit],
    ['agent_commission', balances.agent_commissions],
  ];
  return (
    <Panel title={t`E-money now`} flush>
      <SmallTable
        rows={rows}
        columns={[
          { title: t`Held by`, cell: ([kind]) => kindName(kind) },
          { title: t`Balance (SLE)`, end: true, cell: ([, balance]) => <Money value={balance} /> },
        ]}
        total={[t`E-money`, <Money key="total" value={balances.e_money} />]}
      />
    </Panel>
  );
}
