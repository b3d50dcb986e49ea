// The ids of a transaction, who asked for it, and its seal.
import type { TransactionDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { useCan } from '../../api/user.ts';
import { Facts } from '../../components/facts.tsx';
import { Link } from '../../components/link.tsx';
import { Panel } from '../../components/page.tsx';
import { Id, Instant, label } from '../../components/values.tsx';

export function Details({ transaction }: { transaction: TransactionDetails }) {
  const { t } = useLingui();
  const { actor_type, actor_id, actor_name, card, terminal_id, authorization_code, metadata, seal } = transaction;
  return (
    <Panel title={t`Details`}>
      <Facts
        facts={[
          [t`Transaction id`, <Id key="id" value={transaction.transaction_id} />],
          [t`Request id`, <Id key="request" value={transaction.request_id} />],
          transaction.reference ? [t`Reference`, <Id key="reference" value={transaction.reference} />] : null,
          actor_type
            ? [t`Asked for by`, <Actor key="actor" type={actor_type} id={actor_id} name={actor_name} />]
            : null,
          transaction.narration ? [t`Narration`, transaction.narration] : null,
          card ? [t`Card`, card] : null,
          terminal_id ? [t`Terminal`, terminal_id] : null,
          authorization_code ? [t`Code on the receipt`, <Id key="code" value={authorization_code} />] : null,
          [
            t`Seal`,
            seal ? (
              <span key="seal">
                {t`Chain ${seal.chain}, batch ${seal.number}`} · <Instant at={seal.sealed_at} />
              </span>
            ) : (
              t`Not sealed`
            ),
          ],
          seal ? [t`Seal code`, <Id key="mac" value={seal.mac} short />] : null,
          metadata ? [t`Metadata`, <Metadata key="metadata" values={metadata} />] : null,
        ]}
      />
    </Panel>
  );
}

function Metadata({ values }: { values: object }) {
  return Object.entries(values).map(([name, value]) => (
    <div key={name} style={{ overflowWrap: 'anywhere' }}>
      <Text span size="sm" c="dimmed">
        {name}
      </Text>{' '}
      {typeof value === 'string' ? value : <Code>{JSON.stringify(value)}</Code>}
    </div>
  ));
}

/** The user or key, with a link for those who may see its record. */
function Actor({ type, id, name }: { type: string; id?: string | null | undefined; name?: string | null | undefined }) {
  const can = useCan();
  const to =
    type === 'user' && can('users') ? `/users/${id}` : type === 'key' && can('api-keys') ? `/keys/${id}` : null;
  const title = name ?? label(type);
  return (
    <>
      {to && id ? <Link to={to}>{title}</Link> : title} {!name && id && <Id value={id} short />}
    </>
  );
}
