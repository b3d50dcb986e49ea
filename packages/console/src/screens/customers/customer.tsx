// Everything about one customer: identity, wallet, cards, payments, timeline and notes.
import { KissiError, type SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense } from 'react';
import { useRead, useReadWith } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { lazyPart } from '../../components/lazy-part.ts';
import { Page } from '../../components/page.tsx';
import { PepGate } from '../../components/pep-gate.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { Status } from '../../components/values.tsx';
import { CustomerActions } from './actions.tsx';
import { CardsPanel } from './cards.tsx';
import classes from './customer.module.css';
import { HoldsPanel } from './holds.tsx';
import { Identity } from './identity.tsx';
import { Notes } from './notes.tsx';
import { TransactionTypes } from './transaction-types.tsx';
import { Wallet } from './wallet.tsx';
import { Warnings } from './warnings.tsx';

/** Loaded after the rest: lists are the largest part of the screen. */
const Activity = lazyPart(async () => ({ default: (await import('./activity.tsx')).Activity }));
const CustomerCases = lazyPart(async () => ({ default: (await import('../cases/of-customer.tsx')).CustomerCases }));

const EVERY_MS = 30_000;

export default function Customer() {
  const { t } = useLingui();
  const { id } = useParams({ strict: false }) as { id: string };
  const record = useRead(['subscribers', 'one', id], (options) => kissi.subscribers.get(id, options), {
    everyMs: EVERY_MS,
    isPolled: ({ subscriber }) => !subscriber.is_pep,
  });
  useReadWith(record, 'subscribers', 'transactions', 'cards', 'timeline');
  const { data, error, refetch } = record;
  const above = [{ title: t`Customers`, to: '/customers' }];
  if (!data) {
    return (
      <Page title={t`Customer`} above={above}>
        {error ? <NotShown error={error} retry={() => void refetch()} /> : <Loading />}
      </Page>
    );
  }
  return <Record key={id} customer={data.subscriber} above={above} />;
}

function Record({ customer, above }: { customer: SubscriberView; above: { title: string; to: string }[] }) {
  const { t } = useLingui();
  const can = useCan();
  const { id, first_name, last_name, name, phone_number, account_number, status, is_pep, kyc_level } = customer;
  // A registration whose number is not verified has no wallet to pay with, and may end tomorrow.
  const isRegistered = status !== 'PENDING' || customer.phone_verified !== false;
  const title = first_name ? `${first_name} ${last_name}` : (name ?? t`Customer`);
  return (
    <Page
      title={title}
      isRemembered={!is_pep}
      above={above}
      badge={
        <Group gap={6}>
          <Status value={status} />
          {kyc_level && <Status value="kyc" text={t`KYC level ${kyc_level}`} tone="gray" />}
          {is_pep && <Status value="pep" text={t`PEP`} tone="grape" />}
        </Group>
      }
      description={[phone_number, account_number && t`Account ${account_number}`].filter(Boolean).join(' · ')}
      actions={<CustomerActions customer={customer} />}
    >
      <Warnings customer={customer} />
      <div className={classes.columns}>
        <Stack gap="lg" miw={0}>
          {isRegistered && <Wallet customer={customer} />}
          {isRegistered && <HoldsPanel customer={customer} />}
          {isRegistered && can('cards:read') && <CardsPanel customer={customer} />}
          <Suspense fallback={<Loading />}>
            <Activity id={id} phone={phone_number ?? undefined} isPep={is_pep === true} />
          </Suspense>
        </Stack>
        <Stack gap="lg" miw={0}>
          {can('cases:read') && (
            <Suspense>
              <CustomerCases id={id} />
            </Suspense>
          )}
          <Identity customer={customer} />
          {isRegistered && <TransactionTypes customer={customer} />}
          {can('subscribers:notes') && <Notes id={id} />}
        </Stack>
      </div>
    </Page>
  );
}

function NotShown({ error, retry }: { error: unknown; retry: () => void }) {
  const code = error instanceof KissiError ? error.code : null;
  if (code === 'PEP_ACCESS_REQUIRED') return <PepGate onOpen={retry} />;
  if (code === 'NOT_FOUND') {
    return (
      <Empty icon="search" title={<Trans>There is no such customer</Trans>}>
        <Trans>Search for the phone number, the name or the card.</Trans>
      </Empty>
    );
  }
  return <Failed error={error} retry={retry} />;
}
