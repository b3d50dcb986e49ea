// One payment request, for staff: who asked whom, its payments, and the exact reasons of refused attempts.
import { KissiError, type PaymentRequestDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { PepGate } from '../../components/pep-gate.tsx';
import { REQUEST_TONES } from '../../components/request-columns.tsx';
import { SmallTable } from '../../components/small-table.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { count, money } from '../../format/money.ts';

const EVERY_MS = 10_000;

export default function RequestScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['requests', id], (options) => kissi.paymentRequests.get(id, options), {
    everyMs: EVERY_MS,
    isPolled: ({ payment_request }) => payment_request.status === 'open',
  });
  if (data) return <Content request={data.payment_request} />;
  const isWithheld = error instanceof KissiError && error.code === 'PEP_ACCESS_REQUIRED';
  return (
    <Page title={t`Payment request`}>
      {isWithheld ? <PepGate onOpen={() => void refetch()} /> : <Waiting error={error} retry={refetch} />}
    </Page>
  );
}

function Content({ request }: { request: PaymentRequestDetails }) {
  const { t } = useLingui();
  const can = useCan();
  const { id, amount, status, description, single_use, transaction_ids, refusals = [] } = request;
  const { processor_id, payee_name } = request;
  const kind = single_use ? t`Payment request` : t`Payment link`;
  return (
    <Page
      title={amount === null ? kind : `${kind}, ${money(amount)}`}
      badge={<Status value={status} tone={REQUEST_TONES[status]} />}
      description={description}
      above={processor_id === null ? [] : [{ title: payee_name, to: `/merchants/${processor_id}` }]}
      actions={
        <Choices
          buttons={[
            status === 'open' &&
              can('payment-requests:write') && {
                label: t`Cancel the request`,
                look: 'danger',
                action: {
                  reason: 'none',
                  title: t`Cancel the request`,
                  description: t`Nobody can pay it any more. Payments already made stay as they are.`,
                  submitLabel: t`Cancel the request`,
                  isDangerous: true,
                  call: (client) => client.paymentRequests.cancel(id),
                  doneMessage: t`The request is cancelled.`,
                  changes: ['requests'],
                },
              },
          ]}
        />
      }
    >
      <Stack gap="lg">
        <About request={request} />
        {transaction_ids.length > 0 && (
          <Panel title={single_use ? t`Payment` : t`Newest payments`}>
            <Stack gap="xs" align="flex-start">
              {transaction_ids.map((transaction) => (
                <Link key={transaction} to={`/transactions/${transaction}`}>
                  {transaction}
                </Link>
              ))}
            </Stack>
          </Panel>
        )}
        {refusals.length > 0 && (
          <Panel title={t`Refused attempts`} flush>
            <SmallTable
              columns={[
                { title: t`Customer`, cell: ({ payer_id }) => <Party id={payer_id} /> },
                { title: t`Reason`, cell: ({ code }) => code },
                { title: t`Last attempt`, cell: ({ at }) => <Instant at={at} /> },
                { title: t`Attempts`, end: true, cell: ({ count: attempts }) => count(attempts) },
              ]}
              rows={refusals}
            />
          </Panel>
        )}
      </Stack>
    </Page>
  );
}

function About({ request }: { request: PaymentRequestDetails }) {
  const { t } = useLingui();
  const { processor_id, subscriber_id, payee_name, payer_phone, reference, code, payment_count } = request;
  return (
    <Panel title={t`Request`}>
      <Facts
        facts={[
          [t`Asked by`, <Party key="payee" id={processor_id ?? subscriber_id} name={payee_name} />],
          [t`Asked number`, payer_phone],
          [t`Amount`, request.amount === null ? t`The customer chooses` : money(request.amount)],
          [t`Reference`, reference],
          [t`Code`, <Id key="code" value={code} />],
          [t`Payments`, count(payment_count)],
          [t`Created`, <Instant key="created" at={request.created_at} />],
          [t`Valid until`, <Instant key="expires" at={request.expires_at} />],
          request.ended_at !== null && [t`Ended`, <Instant key="ended" at={request.ended_at} />],
          [t`Request id`, <Id key="id" value={request.id} short />],
        ]}
      />
    </Panel>
  );
}
