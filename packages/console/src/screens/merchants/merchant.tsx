// One merchant: record, balance, payments, pay-outs and keys, and what the role may change.
import type { GetProcessorResponse } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Alert, Grid, Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { AddressTabs } from '../../components/address-tabs.tsx';
import { Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { LargeMoney } from '../../components/large-money.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { MerchantQr } from '../../components/merchant-qr.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, Money, Status } from '../../components/values.tsx';
import { today } from '../../format/time.ts';
import { MerchantActions } from './actions.tsx';
import { TerminalKeys } from './keys.tsx';
import { MerchantTransactions } from './transactions.tsx';

/** Loaded when the tab is opened. */
const MerchantHolds = lazyPart(() => import('./holds.tsx'));
const MerchantPayouts = lazyPart(() => import('./payouts.tsx'));
const MerchantRefusals = lazyPart(() => import('./refusals.tsx'));
const RecordTimeline = lazyPart(() => import('../timeline/record-timeline.tsx'));
const MerchantRequests = lazyPart(() => import('./requests.tsx'));
const MerchantWebhooks = lazyPart(() => import('./webhooks.tsx'));

type Merchant = GetProcessorResponse['processor'];

const EVERY_MS = 30_000;

export default function MerchantScreen() {
  const { t } = useLingui();
  const can = useCan();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const record = useRead(['processor', id], (options) => kissi.processors.get(id, options), { everyMs: EVERY_MS });
  useReadWith(record, 'processor', 'timeline');
  const { data, error, refetch } = record;
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { processor } = data;
  return (
    <Page
      title={processor.business_name}
      badge={<Status value={processor.status} />}
      above={[{ title: t`Merchants`, to: '/merchants' }]}
      description={processor.merchant_id}
      actions={<MerchantActions merchant={processor} />}
    >
      {processor.suspend_reason && (
        <Alert color="red" icon={<Icon name="alert" />}>{t`Suspended: ${processor.suspend_reason}`}</Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 4, lg: 3 }}>
          <Stack gap="lg">
            <Balance merchant={processor} />
            {can('processors:history') && <TodayPanel id={id} />}
            <Record merchant={processor} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8, lg: 9 }}>
          <Activity merchant={processor} />
        </Grid.Col>
      </Grid>
    </Page>
  );
}

function Balance({ merchant }: { merchant: Merchant }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Balance`}>
      <LargeMoney value={merchant.balance} />
    </Panel>
  );
}

function TodayPanel({ id }: { id: string }) {
  const { t } = useLingui();
  const query = { from: today(), limit: '1' };
  const { data } = useRead([`processor-transactions-${id}`, 'today', query], (options) =>
    kissi.processors.transactions(id, query, options),
  );
  const totals = data?.totals;
  if (!totals) return null;
  return (
    <Panel title={t`Today (SLE)`}>
      <Facts
        facts={[
          [t`Sales`, <Money key="sales" value={totals.received} />],
          [t`Refunds`, <Money key="refunds" value={totals.refunded} />],
          [t`Fees`, <Money key="fees" value={totals.fees} />],
          [t`Earned`, <Money key="net" value={totals.net} />],
        ]}
      />
    </Panel>
  );
}

function Record({ merchant }: { merchant: Merchant }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Record`}>
      <Facts
        facts={[
          [t`Contact`, merchant.contact_name],
          [t`Phone number`, merchant.phone_number],
          [t`Email`, merchant.email],
          [t`Merchant id`, <Id key="merchant" value={merchant.merchant_id} />],
          [t`Merchant number`, <Id key="number" value={merchant.merchant_number} />],
          [t`Registered`, <Instant key="created" at={merchant.created_at} />],
          [t`Processor id`, <Id key="id" value={merchant.id} short />],
        ]}
      />
      {merchant.merchant_number !== null && (
        <Group gap="xs" mt="md">
          <MerchantQr id={merchant.id} number={merchant.merchant_number} size="compact-sm" />
        </Group>
      )}
    </Panel>
  );
}

function Activity({ merchant }: { merchant: Merchant }) {
  const { t } = useLingui();
  const can = useCan();
  const { id } = merchant;
  const hasHistory = can('processors:history');
  return (
    <AddressTabs
      name="tab"
      tabs={[
        hasHistory && { value: 'payments', title: t`Payments`, content: <MerchantTransactions id={id} /> },
        hasHistory && { value: 'payouts', title: t`Pay-outs`, content: <MerchantPayouts merchant={merchant} /> },
        hasHistory && { value: 'refusals', title: t`Refused`, content: <MerchantRefusals id={id} /> },
        can('payments:read') && { value: 'holds', title: t`Holds`, content: <MerchantHolds id={id} /> },
        can('payment-requests:read') && {
          value: 'requests',
          title: t`Requests`,
          content: <MerchantRequests id={id} />,
        },
        can('partners') && { value: 'webhooks', title: t`Webhooks`, content: <MerchantWebhooks id={id} /> },
        can('api-keys') && { value: 'keys', title: t`Terminal keys`, content: <TerminalKeys id={id} /> },
        can('processors:history', 'audit:read') && {
          value: 'timeline',
          title: t`Timeline`,
          content: <RecordTimeline record={{ kind: 'merchant', id, phone: merchant.phone_number }} />,
        },
      ]}
    />
  );
}
