// The rules that raised an alert, with their figures at that time, and whether they changed since.
import type { Alert } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Absent, Status } from '../../components/values.tsx';
import { figuresOf, foundBy, periodInWords, type TriggeredRule, thresholdInWords } from './words.ts';

export function RulesAtTheTime({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const { rules = [] } = figuresOf(alert);
  if (rules.length === 0) return null;
  return (
    <Panel title={t`Rules and figures at the time`} flush>
      <SmallTable
        wide
        rows={rules}
        columns={[
          {
            title: t`Rule`,
            cell: (rule) => (
              <>
                <Link to={`/rules/${rule.rule_id}`}>{rule.name}</Link>
                <ChangedSince rule={rule} />
              </>
            ),
          },
          { title: t`Found`, end: true, cell: (rule) => <strong>{foundInWords(rule) ?? <Absent />}</strong> },
          { title: t`Allowed`, end: true, cell: (rule) => <Allowed rule={rule} /> },
          { title: t`Outcome`, cell: ({ outcome }) => <Outcome blocks={outcome === 'block'} /> },
        ]}
      />
    </Panel>
  );
}

function foundInWords(rule: TriggeredRule): string | null {
  const found = foundBy(rule);
  return found === null ? null : thresholdInWords(rule.kind, found);
}

function Allowed({ rule: { kind, threshold, window_seconds } }: { rule: TriggeredRule }) {
  const { t } = useLingui();
  const period = window_seconds === null ? null : periodInWords(window_seconds);
  return (
    <>
      {thresholdInWords(kind, threshold)}
      {period && <Text size="xs" c="dimmed">{t`within ${period}`}</Text>}
    </>
  );
}

const Outcome = ({ blocks }: { blocks: boolean }) => (
  <Status value={blocks ? 'Blocked' : 'Flagged'} tone={blocks ? 'red' : 'yellow'} />
);

function ChangedSince({ rule: { rule_id, rule_version } }: { rule: TriggeredRule }) {
  const { data } = useRead(['rules', rule_id], (options) => kissi.rules.get(rule_id, options));
  const now = data?.rule.version ?? rule_version;
  return (
    <Text size="xs" c="dimmed">
      <Trans>Version {rule_version}</Trans>
      {now !== rule_version && (
        <>
          {' '}
          <Trans>(changed since, now version {now})</Trans>
        </>
      )}
    </Text>
  );
}
