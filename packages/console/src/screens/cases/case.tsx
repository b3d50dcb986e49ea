// One case: the customer, the transfer, both wallets, what was written, its clocks and files, and what can be done.
import { type CaseDetails, KissiError } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { PepGate } from '../../components/pep-gate.tsx';
import { Waiting } from '../../components/states.tsx';
import { Absent, Id, label, Status } from '../../components/values.tsx';
import { CaseActions } from './actions.tsx';
import classes from './cases.module.css';
import { ClocksPanel } from './clocks.tsx';
import { FilesPanel } from './files.tsx';
import { RecallPanel } from './recall.tsx';
import { Timeline } from './timeline.tsx';
import { TransferPanel } from './transfer.tsx';
import { WalletsPanel } from './wallets.tsx';
import { STATE_TONES, useKindNames, useStateNames } from './words.ts';

const EVERY_MS = 15_000;

export default function CaseScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const record = useRead(['cases', 'one', id], (options) => kissi.cases.get(id, options), { everyMs: EVERY_MS });
  useReadWith(record, 'cases');
  const { data, error, refetch } = record;
  if (data) return <Record key={id} details={data.case} />;
  if (error instanceof KissiError && error.code === 'PEP_ACCESS_REQUIRED') {
    return (
      <Page title={t`Case`} above={[{ title: t`Cases`, to: '/cases' }]}>
        <PepGate onOpen={() => void refetch()} />
      </Page>
    );
  }
  return <Waiting error={error} retry={refetch} />;
}

function Record({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const can = useCan();
  const kinds = useKindNames();
  const states = useStateNames();
  const { number, kind, state, customer_name, transaction_id } = details;
  return (
    <Page
      title={`${kinds[kind]} · ${number}`}
      heading={
        <>
          {kinds[kind]} · <span className={classes.number}>{number}</span>
        </>
      }
      above={[{ title: t`Cases`, to: '/cases' }]}
      badge={<Status value={state} text={states[state]} tone={STATE_TONES[state]} />}
      description={customer_name}
      actions={<CaseActions details={details} />}
    >
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          <Panel title={t`What happened`}>
            <Text className={classes.text ?? ''}>{details.description}</Text>
          </Panel>
          <RecallPanel details={details} />
          {transaction_id && can('payments:read') && <TransferPanel id={transaction_id} />}
          <WalletsPanel details={details} />
        </Stack>
        <Stack gap="lg" miw={0} className={classes.aside ?? ''}>
          <ClocksPanel of={details} />
          <About details={details} />
          <FilesPanel details={details} />
        </Stack>
        <Timeline details={details} />
      </div>
    </Page>
  );
}

function About({ details }: { details: CaseDetails }) {
  const { t } = useLingui();
  const { subscriber_id, customer_name, assignee_name, channel, id } = details;
  return (
    <Panel title={t`Case`}>
      <Facts
        narrow
        facts={[
          [t`Customer`, <Party key="customer" id={subscriber_id} name={customer_name} />],
          [t`Assigned to`, assignee_name ?? <Absent key="none" />],
          [t`Opened by`, channel === 'ussd' ? 'USSD' : label(channel)],
          [t`Case id`, <Id key="id" value={id} short />],
        ]}
      />
    </Panel>
  );
}
