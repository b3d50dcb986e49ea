// One transaction: the way of the money, every posting, and what belongs to it.
import { KissiError } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Download } from '../../components/download.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { PepGate } from '../../components/pep-gate.tsx';
import { Empty, Failed, Loading } from '../../components/states.tsx';
import { useTypeName } from '../../components/type-name.ts';
import { Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { fullInstant } from '../../format/time.ts';
import { TransactionCases } from './cases.tsx';
import { Details } from './details.tsx';
import { MoneyFlow } from './money-flow.tsx';
import { Postings } from './postings.tsx';
import { Records } from './records.tsx';

export default function Transaction() {
  const { t } = useLingui();
  const { id } = useParams({ strict: false }) as { id: string };
  const { data, error, refetch } = useRead(['transaction', id], (options) => kissi.transactions.get(id, options));
  const typeName = useTypeName();
  const above = [{ title: t`Transactions`, to: '/transactions' }];
  if (!data) {
    return (
      <Page title={t`Transaction`} above={above}>
        {error ? <NotShown error={error} retry={() => void refetch()} /> : <Loading />}
      </Page>
    );
  }
  const { transaction } = data;
  const { type, amount, status, created_at, receipt_url } = transaction;
  return (
    <Page
      title={`${typeName(type)}, ${money(amount)}`}
      badge={<Status value={status} />}
      description={fullInstant(created_at)}
      above={above}
      actions={
        <>
          <TransactionCases transaction={transaction} />
          {receipt_url && (
            <Button
              component="a"
              href={receipt_url}
              target="_blank"
              rel="noreferrer"
              variant="default"
            >{t`Receipt`}</Button>
          )}
          <Download call={(client) => client.transactions.evidence(id)} name={`${id}.pdf`} label={t`Evidence (PDF)`} />
        </>
      }
    >
      <Stack gap="lg">
        <Panel title={t`How the money moved`}>
          <MoneyFlow transaction={transaction} />
        </Panel>
        <Postings transaction={transaction} />
        <Details transaction={transaction} />
        <Records transaction={transaction} />
      </Stack>
    </Page>
  );
}

function NotShown({ error, retry }: { error: unknown; retry: () => void }) {
  const code = error instanceof KissiError ? error.code : null;
  if (code === 'PEP_ACCESS_REQUIRED') return <PepGate onOpen={retry} />;
  if (code === 'NOT_FOUND') {
    return (
      <Empty icon="search" title={<Trans>There is no such transaction</Trans>}>
        <Trans>Check the id, or look for the reference, the request id or the code on the receipt in the list.</Trans>
      </Empty>
    );
  }
  return <Failed error={error} retry={retry} />;
}
