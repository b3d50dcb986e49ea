// Whose personal data a request would erase, and why the law allows it.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Facts } from '../../components/facts.tsx';
import { Panel } from '../../components/page.tsx';
import { Party } from '../../components/party.tsx';
import { date } from '../../format/time.ts';
import { summaryOf } from './words.ts';

interface Retention {
  retention_began: string;
  retention_ended: string;
}

/** Null for other requests, for who may not see this one's values, and after the erasure. */
export function retentionOf(approval: Approval): Retention | null {
  const after = summaryOf(approval)?.after;
  return approval.action === 'privacy.erase' && after ? (after as unknown as Retention) : null;
}

export function Erasure({ approval, retention }: { approval: Approval; retention: Retention }) {
  const { t } = useLingui();
  const [customer] = summaryOf(approval)?.parties ?? [];
  return (
    <Panel title={t`Why it may be erased`}>
      <Facts
        facts={[
          [t`Customer`, <Party key="customer" id={customer?.id} name={customer?.name} />],
          [t`Last payment, case or alert, or else the registration`, date(retention.retention_began)],
          [t`The law required it to be kept until`, date(retention.retention_ended)],
          [t`Balance and holds`, t`None`],
          [t`Open cases, alerts and other requests`, t`None`],
        ]}
      />
      <Text size="sm" mt="sm">
        <Trans>All of it is checked again at the approval. What is erased cannot be brought back.</Trans>
      </Text>
    </Panel>
  );
}
