// Who the customer is, the documents that prove it, and the decision about the KYC level.
import type { SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Facts } from '../../components/facts.tsx';
import { ExternalLink, Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Absent, Id, Instant, label } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { date } from '../../format/time.ts';
import classes from './customer.module.css';

type Filed = 'id_number' | 'id_type' | 'id_document_url' | 'address';

/** What must be on file for a level; the service decides. */
const REQUIRED: Record<number, readonly Filed[]> = {
  2: ['id_type', 'id_number', 'id_document_url'],
  3: ['id_type', 'id_number', 'id_document_url', 'address'],
};

const HIGHEST_LEVEL = 3;

export function Identity({ customer }: { customer: SubscriberView }) {
  const { t } = useLingui();
  const mayDecide = useCan()('subscribers:documents');
  const [isOpen, { open, close }] = useDisclosure(false);
  const { kyc_level = 1, id_type, date_of_birth } = customer;
  return (
    <Panel
      title={t`Identity`}
      aside={mayDecide && kyc_level < HIGHEST_LEVEL && <Raise id={customer.id} onOpen={open} />}
    >
      <Facts
        facts={[
          [t`KYC level`, kyc_level],
          [t`Date of birth`, date_of_birth ? date(date_of_birth) : null],
          [t`Email`, customer.email],
          [t`Address`, customer.address],
          [t`Identity document`, id_type ? label(id_type) : null],
          [t`Document number`, customer.id_number],
          mayDecide ? [t`Document`, <Document key="document" url={customer.id_document_url} />] : null,
          mayDecide ? [t`Picture`, <Document key="picture" url={customer.selfie_url} />] : null,
          customer.partner_wallet_id ? [t`Wallet at the partner`, customer.partner_wallet_id] : null,
          [t`Registered`, <Instant key="registered" at={customer.created_at} />],
          [t`Customer id`, <Id key="id" value={customer.id} short />],
        ]}
      />
      {isOpen && <RaiseLevel customer={customer} onClose={close} />}
    </Panel>
  );
}

/** What an approval would change, without the approvals' words: they are no part of this screen. */
type Change = { after?: { kyc_level?: number } };

/** While a request waits, another one would only be refused later. */
function Raise({ id, onOpen }: { id: string; onOpen: () => void }) {
  const { t } = useLingui();
  const query = { party_id: id, action: 'kyc.raise', status: 'pending', limit: '100' } as const;
  const { data, error } = useRead(['approvals', 'levels', id], (options) => kissi.approvals.list(query, options));
  if (!data && !error) return null;
  const waiting = data?.approvals.find(({ summary }) => (summary as Change | null)?.after?.kyc_level !== undefined);
  if (waiting) return <Link to={`/approvals/${waiting.id}`} size="sm">{t`Waiting for approval`}</Link>;
  return <Button variant="default" size="compact-sm" onClick={onOpen}>{t`Raise the KYC level`}</Button>;
}

function Document({ url }: { url: string | null | undefined }) {
  const { t } = useLingui();
  return url ? <ExternalLink href={url}>{t`Open`}</ExternalLink> : <Absent />;
}

function RaiseLevel({ customer, onClose }: { customer: SubscriberView; onClose: () => void }) {
  const { t } = useLingui();
  const level = (customer.kyc_level ?? 1) + 1;
  const required = REQUIRED[level] ?? [];
  const names: Record<Filed, string> = {
    id_type: t`Identity document`,
    id_number: t`Document number`,
    id_document_url: t`Document`,
    address: t`Address`,
  };
  const { data: rules } = useRead(['account-rules', level], (options) =>
    kissi.compliance.accountRule(String(level), options),
  );
  return (
    <Action
      onClose={onClose}
      title={t`Raise to KYC level ${level}`}
      submitLabel={t`Raise to level ${level}`}
      doneMessage={t`The KYC level is ${level}.`}
      isReady={required.every((field) => customer[field])}
      changes={['subscribers', 'audit', 'approvals']}
      call={(client) => client.subscribers.update(customer.id, { kyc_level: level })}
    >
      <Text size="sm">{t`Compare the data with the documents first. These must be on file:`}</Text>
      <ul className={classes.required}>
        {required.map((field) => (
          <li key={field} data-missing={!customer[field]}>
            {customer[field] ? '✓' : '✗'} {names[field]}{' '}
            {field === 'id_document_url' ? (
              <Document url={customer.id_document_url} />
            ) : (
              <strong>{customer[field] ?? t`missing`}</strong>
            )}
          </li>
        ))}
      </ul>
      {customer.selfie_url && (
        <Text size="sm">
          <Trans>Picture</Trans> <Document url={customer.selfie_url} />
        </Text>
      )}
      <NewLimits rules={rules} />
    </Action>
  );
}

function NewLimits({ rules }: { rules: { max_balance: number; daily_limit: number } | undefined }) {
  if (!rules) return null;
  const [balance, daily] = [money(rules.max_balance), money(rules.daily_limit)];
  return (
    <Text size="sm" c="dimmed">
      <Trans>
        Afterwards the balance can be up to {balance}, and payments up to {daily} a day.
      </Trans>
    </Text>
  );
}
