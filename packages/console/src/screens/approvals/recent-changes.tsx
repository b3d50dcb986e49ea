// What happened to the holder's record before a PIN reset: a new number or name is a reason to call the holder first.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { Instant, label } from '../../components/values.tsx';
import classes from './approvals.module.css';
import { fieldName } from './words.ts';

export function RecentChanges({ approval: { recent_changes: changes } }: { approval: Approval }) {
  const { t } = useLingui();
  if (!changes) return null;
  return (
    <Panel title={t`Changes of the last 30 days`} flush={changes.length > 0}>
      {changes.length === 0 ? (
        <Text size="sm" c="dimmed">
          <Trans>Nothing was changed.</Trans>
        </Text>
      ) : (
        <table className={classes.changes}>
          <thead>
            <tr>
              <th scope="col">
                <Trans>When</Trans>
              </th>
              <th scope="col">
                <Trans>What</Trans>
              </th>
              <th scope="col">
                <Trans>Who</Trans>
              </th>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <tr key={`${change.at} ${change.action}`}>
                <td>
                  <Instant at={change.at} />
                </td>
                <td>{[label(change.action), change.fields.map(fieldName).join(', ')].filter(Boolean).join(': ')}</td>
                <td>{[change.by_name ?? change.by, change.approved_by_name].filter(Boolean).join(', ') || '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
