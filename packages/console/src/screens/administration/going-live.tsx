// The checklist before the first real payment: what the service can tell, and what a person has to confirm.
import { Plural, useLingui } from '@lingui/react/macro';
import { Progress, Text } from '@mantine/core';
import { useRead } from '../../api/queries.ts';
import { useUser } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import classes from './administration.module.css';
import { type Findings, findingsOf, type GoingLiveFacts, readFacts } from './going-live-checks.ts';
import { OwnChecks } from './own-checks.tsx';
import { type Check, useChecks } from './use-checks.tsx';

export default function GoingLive() {
  const { t } = useLingui();
  const { environment } = useUser().service;
  const { data, error, refetch } = useRead(['going-live'], (options) => readFacts(environment, options));
  return (
    <Page title={t`Going live`} description={t`What to do before the first real payment.`}>
      {!data && <Waiting error={error} retry={refetch} rows={10} />}
      {data && <Checklist findings={findingsOf(data)} own={data.own} />}
    </Page>
  );
}

function Checklist({ findings, own }: { findings: Findings; own: GoingLiveFacts['own'] }) {
  const { t } = useLingui();
  const checks = useChecks(findings);
  const confirmed = own.filter(({ confirmed_at }) => confirmed_at !== null).length;
  const done = checks.filter(({ isDone }) => isDone).length + confirmed;
  const all = checks.length + own.length;
  return (
    <>
      <div>
        <Text size="sm" mb={6} fw={600}>
          <Plural value={done} one={`# of ${all} is done`} other={`# of ${all} are done`} />
        </Text>
        <Progress value={(done / all) * 100} aria-label={t`Done`} />
      </div>
      <Panel title={t`Checked by the service`} flush>
        <Checks checks={checks} />
      </Panel>
      <Panel title={t`Confirmed by you`} flush>
        <OwnChecks items={own} />
      </Panel>
    </>
  );
}

function Checks({ checks }: { checks: Check[] }) {
  const { t } = useLingui();
  return (
    <ul className={classes.checks}>
      {checks.map(({ name, isDone, about, link }) => {
        const state = isDone ? 'done' : 'open';
        const words = { done: t`Done`, open: t`Open` };
        return (
          <li key={name}>
            <span className={classes.mark} data-state={state} role="img" aria-label={words[state]}>
              <Icon name={isDone ? 'approve' : 'close'} size={14} />
            </span>
            <div>
              <Text fw={600} size="sm">
                {name}
              </Text>
              <Text size="sm" c="dimmed" component="div">
                {about}
              </Text>
            </div>
            {link ? (
              <Link to={link.to} size="sm">
                {link.title}
              </Link>
            ) : (
              <span />
            )}
          </li>
        );
      })}
    </ul>
  );
}
