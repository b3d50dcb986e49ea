// What production still needs, as the service itself checks it: npm run doctor on a page.

import type { ProductionCheck } from '@kissi/client';
import { i18n } from '@lingui/core';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Icon } from '../../components/icon.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { label } from '../../components/values.tsx';
import classes from './administration.module.css';

export default function Production() {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['production'], (options) => kissi.health.production(options));
  return (
    <Page
      title={t`Production`}
      description={t`What the service finds in its configuration and its database. Details are in English.`}
    >
      {!data && <Waiting error={error} retry={refetch} rows={10} />}
      {data && <Report checks={data.checks} />}
    </Page>
  );
}

function Report({ checks }: { checks: ProductionCheck[] }) {
  const count = (level: ProductionCheck['level']) => checks.filter((check) => check.level === level).length;
  const [errors, warnings] = [count('error'), count('warning')];
  return (
    <>
      <Text size="sm" fw={600}>
        <Plural value={errors} _0="No errors" one="# error" other="# errors" />
        {', '}
        <Plural value={warnings} _0="no warnings" one="# warning" other="# warnings" />
      </Text>
      {[...Map.groupBy(checks, ({ area }) => area)].map(([area, found]) => (
        <Panel key={area} title={label(area)} flush>
          <ul className={classes.checks}>
            {found.map((check) => (
              <Line key={check.id} check={check} />
            ))}
          </ul>
        </Panel>
      ))}
    </>
  );
}

const ICONS = { ok: 'approve', warning: 'alert', error: 'close' } as const;

function Line({ check: { name, level, message, action } }: { check: ProductionCheck }) {
  return (
    <li>
      <span className={classes.mark} data-level={level} role="img" aria-label={label(level)}>
        <Icon name={ICONS[level]} size={14} />
      </span>
      <div>
        <Text fw={600} size="sm">
          {i18n._(name)}
        </Text>
        <Text size="sm" c="dimmed" lang="en">
          {message}
        </Text>
        {action && (
          <Text size="sm" mt={2}>
            <Trans>To do:</Trans> <span lang="en">{action}</span>
          </Text>
        )}
      </div>
    </li>
  );
}
