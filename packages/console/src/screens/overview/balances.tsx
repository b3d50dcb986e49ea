// The money of the operator's customers and partners now, and its cover.

import { useLingui } from '@lingui/react/macro';
import type { OverviewReply } from '../../api/overview.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Money } from '../../components/values.tsx';
import { ratioInPercent } from '../../format/money.ts';
import { date } from '../../format/time.ts';

interface BalancesProps {
  balances: NonNullable<OverviewReply['balances']>;
  cover: NonNullable<OverviewReply['finance']>['cover'] | undefined;
}

export function Balances({ balances, cover }: BalancesProps) {
  const { t } = useLingui();
  const value = (minorUnits: number) => <Money value={minorUnits} />;
  return (
    <Panel title={t`Balances (SLE)`} aside={<Link to="/finance" size="sm">{t`Finance`}</Link>}>
      <Facts
        facts={[
          [t`E-money in total`, value(balances.e_money)],
          [t`Wallets`, value(balances.wallets)],
          [t`Agent floats`, value(balances.agent_floats)],
          [t`Merchants`, value(balances.processors)],
          [t`Pay-outs in transit`, value(balances.payouts_in_transit)],
          [t`Commissions not settled`, value(balances.agent_commissions)],
          [t`Fee income`, value(balances.fee_income)],
          [t`Owed by partners`, value(balances.partner_debts)],
          [t`Suspense`, value(balances.suspense)],
          cover?.ratio && cover.date ? [t`Cover on ${date(cover.date)}`, ratioInPercent(cover.ratio)] : null,
        ]}
      />
    </Panel>
  );
}
