// The rules that raised an alert, with their figures at that time, and whether they changed since.
import type { Alert } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Absent, Status } from '../../components/values.tsx';
import classes from './compliance.module.css';
import { figuresOf, foundBy, periodInWords, type TriggeredRule, thresholdInWords } from './words.ts';

export function RulesAtTheTime({ alert }: { alert: Alert }) {
  const { t } = useLingui();
  const { rules = [] } = figuresOf(alert);
  if (rules.length === 0) return null;
  return (
    <Panel title={t`Rules and figures at the time`} flush>
      <div className={classes.scroll}>
        <table className={`${classes.table} ${classes.wide}`}>
          <thead>
            <tr>
              <th scope="col">{t`Rule`}</th>
              <th scope="col" className={classes.end}>{t`Found`}</th>
              <th scope="col" className={classes.end}>{t`Allowed`}</th>
              <th scope="col">{t`Outcome`}</th>
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <RuleRow key={rule.rule_id} rule={rule} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function RuleRow({ rule }: { rule: TriggeredRule }) {
  const { t } = useLingui();
  const found = foundBy(rule);
  const period = rule.window_seconds === null ? null : periodInWords(rule.window_seconds);
  return (
    <tr>
      <th scope="row">
        <Link to={`/rules/${rule.rule_id}`}>{rule.name}</Link>
        <ChangedSince rule={rule} />
      </th>
      <td className={classes.end}>
        <strong>{found === null ? <Absent /> : thresholdInWords(rule.kind, found)}</strong>
      </td>
      <td className={classes.end}>
        {thresholdInWords(rule.kind, rule.threshold)}
        {period && <Text size="xs" c="dimmed">{t`within ${period}`}</Text>}
      </td>
      <td>
        <Status
          value={rule.outcome === 'block' ? 'Blocked' : 'Flagged'}
          tone={rule.outcome === 'block' ? 'red' : 'yellow'}
        />
      </td>
    </tr>
  );
}

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
