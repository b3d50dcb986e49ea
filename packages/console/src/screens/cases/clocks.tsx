// The clocks of a case: until when somebody is to begin with it, and until when it is to be resolved.
import type { Case } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/page.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './cases.module.css';

type Clocks = Pick<
  Case,
  'acknowledge_by' | 'acknowledged_at' | 'resolve_by' | 'closed_at' | 'is_overdue' | 'is_complex' | 'created_at'
>;

/** The clock that runs out first. */
export function Due({ of }: { of: Clocks }) {
  const { acknowledge_by, acknowledged_at, resolve_by, closed_at, is_overdue } = of;
  if (closed_at) return <Instant at={closed_at} />;
  const next = acknowledged_at === null && acknowledge_by < resolve_by ? acknowledge_by : resolve_by;
  return (
    <span className={is_overdue ? classes.overdue : undefined}>
      {is_overdue && (
        <>
          <Trans>Overdue</Trans>,{' '}
        </>
      )}
      <Instant at={next} relative />
    </span>
  );
}

export function ClocksPanel({ of }: { of: Clocks }) {
  const { t } = useLingui();
  const { acknowledge_by, acknowledged_at, resolve_by, closed_at, is_complex, created_at } = of;
  return (
    <Panel title={t`Clocks`}>
      <Facts
        narrow
        facts={[
          [t`Due`, <Due key="due" of={of} />],
          acknowledged_at === created_at
            ? [t`Taken up`, t`By staff, who opened it`]
            : acknowledged_at
              ? [t`Taken up`, <Instant key="taken" at={acknowledged_at} />]
              : [t`To be taken up by`, <Instant key="take" at={acknowledge_by} />],
          closed_at
            ? [t`Closed`, <Instant key="closed" at={closed_at} />]
            : [t`To be resolved by`, <Instant key="resolve" at={resolve_by} />],
          is_complex && [t`Complex`, t`Yes: it has more time`],
          [t`Opened`, <Instant key="opened" at={created_at} />],
        ]}
      />
    </Panel>
  );
}
