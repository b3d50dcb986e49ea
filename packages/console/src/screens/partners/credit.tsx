// One inbound credit: who sent it, who got it, its outcome, and its reversal.
import type { InboundRecord } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Checkbox, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Dialog } from '../../components/dialog.tsx';
import { type Fact, Facts } from '../../components/facts.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { PaymentForm } from '../../components/payment/payment.tsx';
import { ReasonInput } from '../../components/reason-input.tsx';
import { Waiting } from '../../components/states.tsx';
import { Id, Instant, label, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import classes from './partners.module.css';

export default function CreditScreen() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['credits', id], (options) => kissi.credits.get(id, options));
  return data ? <Content credit={data.inbound} /> : <Waiting error={error} retry={refetch} />;
}

function Content({ credit }: { credit: InboundRecord }) {
  const { t } = useLingui();
  const can = useCan();
  const [isReversing, setReversing] = useState(false);
  return (
    <Page
      title={money(credit.amount)}
      badge={<Status value={credit.status} />}
      above={[{ title: t`Inbound credits`, to: '/credits' }]}
      description={credit.narration}
      actions={
        credit.status === 'COMPLETED' &&
        can('inbound:reverse') && <Button variant="default" onClick={() => setReversing(true)}>{t`Reverse`}</Button>
      }
    >
      <Outcome credit={credit} />
      <div className={classes.columns}>
        <Stack gap="lg">
          <Panel title={t`Credit`}>
            <About credit={credit} />
          </Panel>
          <Panel title={t`Payer`}>
            <Payer credit={credit} />
          </Panel>
        </Stack>
        <Panel title={t`Request`}>
          <Request credit={credit} />
        </Panel>
      </div>
      {isReversing && <Reverse credit={credit} onClose={() => setReversing(false)} />}
    </Page>
  );
}

function Outcome({ credit: { failure_code, reversal } }: { credit: InboundRecord }) {
  const { t } = useLingui();
  if (reversal) {
    return (
      <Alert color="gray" icon={<Icon name="refresh" />} role="status">
        <Text size="sm" fw={600}>
          <Trans>Reversed</Trans> <Instant at={reversal.reversed_at} />
        </Text>
        <Text size="sm">
          {reversal.reason} <Link to={`/transactions/${reversal.transaction_id}`}>{t`Show the reversal`}</Link>
        </Text>
      </Alert>
    );
  }
  if (!failure_code) return null;
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="status">
      <Text size="sm">{t`Refused: ${failure_code}. No money moved.`}</Text>
    </Alert>
  );
}

function About({ credit }: { credit: InboundRecord }) {
  const { t } = useLingui();
  const facts: Fact[] = [
    [t`Partner`, <Party key="partner" id={credit.partner_id} name={credit.partner_name} />],
    [t`To`, <Party key="to" id={credit.subscriber_id} name={credit.account_name} />],
    [t`Amount`, <strong key="amount">{money(credit.amount)}</strong>],
    [t`Fee`, credit.fee === 0 ? t`None` : money(credit.fee)],
    [t`Credited`, money(credit.net_credited)],
    [t`Time`, <Instant key="at" at={credit.completed_at} />],
    credit.transaction_id
      ? [
          t`Transaction`,
          <Link key="transaction" to={`/transactions/${credit.transaction_id}`}>{t`Show the transaction`}</Link>,
        ]
      : null,
    credit.partner_outstanding === null ? null : [t`The partner owed afterwards`, money(credit.partner_outstanding)],
  ];
  return <Facts facts={facts} />;
}

function Payer({ credit: { payer } }: { credit: InboundRecord }) {
  const { t } = useLingui();
  if (!payer) {
    return <Text size="sm" c="dimmed">{t`The partner did not send who paid.`}</Text>;
  }
  return (
    <Facts
      facts={[
        [t`Name`, payer.name],
        [t`Account`, payer.account_masked],
        [t`Bank`, payer.bank_code],
      ]}
    />
  );
}

function Request({ credit }: { credit: InboundRecord }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Facts
      narrow
      facts={[
        [t`Reference`, <Id key="reference" value={credit.reference} />],
        [t`Beneficiary named by`, credit.identified_by === 'msisdn' ? t`Phone number` : label(credit.identified_by)],
        [t`As sent`, credit.identifier],
        [
          t`API key`,
          can('api-keys') ? (
            <Link key="key" to={`/keys/${credit.key_id}`}>
              {credit.key_id}
            </Link>
          ) : (
            credit.key_id
          ),
        ],
        [t`Idempotency key`, <Id key="idempotency" value={credit.idempotency_key} short />],
        [t`Inbound id`, <Id key="id" value={credit.inbound_id} short />],
        can('partners') && [
          t`Events`,
          <Link key="events" to="/deliveries" search={{ reference: credit.reference }}>{t`Webhook deliveries`}</Link>,
        ],
      ]}
    />
  );
}

function Reverse({ credit, onClose }: { credit: InboundRecord; onClose: () => void }) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [allowNegative, setAllowNegative] = useState(false);
  return (
    <Dialog onClose={onClose} title={t`Reverse the credit`}>
      <PaymentForm
        kind="credit-reverse"
        party="operator"
        amount={credit.amount}
        isReady={reason.trim() !== ''}
        summary={[
          [t`From the wallet of`, credit.account_name],
          [t`Reference`, credit.reference],
          [t`Reason`, reason],
        ]}
        pay={(client, request_id) =>
          client.credits.reverse(credit.inbound_id, {
            reason: reason.trim(),
            request_id,
            ...(allowNegative ? { allow_negative: true } : {}),
          })
        }
        submitLabel={t`Reverse the credit`}
        doneTitle={t`The credit was reversed`}
        receipt={({ balance, partner_outstanding }) => (
          <Facts
            facts={[
              typeof balance === 'number' && [t`Wallet balance`, money(balance)],
              typeof partner_outstanding === 'number' && [t`The partner owes`, money(partner_outstanding)],
            ]}
          />
        )}
        changes={['credits', 'partners']}
        onClose={onClose}
      >
        <Text size="sm">{t`The wallet is debited, and the partner owes less. The partner gets the reason.`}</Text>
        <ReasonInput label={t`Reason`} value={reason} onChange={setReason} />
        <Checkbox
          label={t`The balance may become negative if the money was spent`}
          checked={allowNegative}
          onChange={({ currentTarget }) => setAllowNegative(currentTarget.checked)}
        />
      </PaymentForm>
    </Dialog>
  );
}
