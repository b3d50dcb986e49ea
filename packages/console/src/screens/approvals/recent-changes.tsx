// What happened to the holder's record before a PIN reset: a new number or name is a reason to call the holder first.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Text } from '@mantine/core';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { label } from '../../components/values.tsx';
import { instant } from '../../format/time.ts';
import classes from './approvals.module.css';
import { fieldName } from './words.ts';

type Change = NonNullable<Approval['recent_changes']>[number];

export function RecentChanges({ approval: { recent_changes: changes } }: { approval: Approval }) {
  const { t } = useLingui();
  if (!changes) return null;
  return (
    <Panel title={t`Changes in the last 30 days`}>
      {changes.length === 0 && (
        <Text size="sm" c="dimmed">
          <Trans>Nothing was changed.</Trans>
        </Text>
      )}
      {changes.some(({ fields }) => fields.includes('phone_number')) && (
        <Alert color="yellow" icon={<Icon name="alert" />} mb="sm">
          <Trans>The phone number is new. Make sure that it is the holder's before a code is sent to it.</Trans>
        </Alert>
      )}
      <ul className={classes.changesOfHolder}>
        {changes.map((change) => (
          <li key={`${change.at} ${change.action}`}>
            <Text fw={600}>
              <What change={change} />
            </Text>
            <Text size="sm" c="dimmed">
              {instant(change.at)} · {change.by_name ?? change.by ?? t`Nobody is recorded`}
              {change.approved_by_name && ` · ${t`approved by ${change.approved_by_name}`}`}
            </Text>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function What({ change: { action, fields } }: { change: Change }) {
  const names = fields.map(fieldName).join(', ');
  if (action === 'subscriber.register') return <Trans>Registered</Trans>;
  if (action === 'subscriber.update' && names) return <Trans>Changed: {names}</Trans>;
  return [label(action), names].filter(Boolean).join(': ');
}
