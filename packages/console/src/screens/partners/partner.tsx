// One partner: what it owes, its settings, its keys, and what it may do.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { Button, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Choices } from '../../components/choices.tsx';
import { Facts } from '../../components/facts.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Link } from '../../components/link.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Loading, Waiting } from '../../components/states.tsx';
import { Id, Instant, Status } from '../../components/values.tsx';
import { money } from '../../format/money.ts';
import { Debt } from './debt.tsx';
import { EditPartner, RotateSecret, SuspendPartner } from './partner-dialogs.tsx';
import { PartnerKeys } from './partner-keys.tsx';
import classes from './partners.module.css';
import { Settle } from './settle.tsx';

/** Loaded when it is shown. */
const RecordTimeline = lazyPart(() => import('../timeline/record-timeline.tsx'));

export default function PartnerScreen() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['partners', id], (options) => kissi.partners.get(id, options), {
    everyMs: 30_000,
  });
  return data ? <Content partner={data.partner} /> : <Waiting error={error} retry={refetch} />;
}

function Content({ partner }: { partner: Partner }) {
  const { t } = useLingui();
  const can = useCan();
  const [isRotating, setRotating] = useState(false);
  return (
    <Page
      title={partner.name}
      badge={<Status value={partner.status} />}
      above={[{ title: t`Partners`, to: '/partners' }]}
      actions={
        can('partners') && (
          <Choices
            buttons={[
              {
                label: partner.status === 'active' ? t`Suspend` : t`Reactivate`,
                dialog: (onClose) => <SuspendPartner partner={partner} onClose={onClose} />,
              },
              { label: t`Edit`, dialog: (onClose) => <EditPartner partner={partner} onClose={onClose} /> },
              {
                label: t`Record a settlement`,
                look: 'primary',
                disabled: partner.outstanding <= 0,
                dialog: (onClose) => <Settle partner={partner} onClose={onClose} />,
              },
            ]}
          />
        )
      }
    >
      <div className={classes.columns}>
        <Stack gap="lg">
          <Panel title={t`Owes`} aside={<Movements id={partner.id} />}>
            <Debt partner={partner} />
          </Panel>
          <Settings partner={partner} />
          {can('api-keys') && <PartnerKeys id={partner.id} />}
        </Stack>
        <Stack gap="lg">
          <Webhook partner={partner} onRotate={() => setRotating(true)} />
          <Panel title={t`Timeline`}>
            <Suspense fallback={<Loading />}>
              <RecordTimeline record={{ kind: 'partner', id: partner.id }} />
            </Suspense>
          </Panel>
        </Stack>
      </div>
      {isRotating && <RotateSecret partner={partner} onClose={() => setRotating(false)} />}
    </Page>
  );
}

function Movements({ id }: { id: string }) {
  const { t } = useLingui();
  const can = useCan();
  if (!can('payments:read')) return null;
  return <Link to="/transactions" search={{ partner_id: id }} size="sm">{t`Transactions`}</Link>;
}

function Settings({ partner }: { partner: Partner }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Panel
      title={t`Settings`}
      aside={
        can('inbound:review') && (
          <Link to="/credits" search={{ partner_id: partner.id }} size="sm">{t`Inbound credits`}</Link>
        )
      }
    >
      <Facts
        facts={[
          [t`Smallest credit`, money(partner.min_amount)],
          [t`Largest credit`, money(partner.max_amount)],
          [t`Maximum it may owe`, money(partner.outstanding_limit)],
          [
            t`Allowed addresses`,
            partner.ip_allowlist.length === 0 ? t`All addresses` : partner.ip_allowlist.join(', '),
          ],
          [t`Since`, <Instant key="since" at={partner.created_at} />],
          [t`Changed`, <Instant key="changed" at={partner.updated_at} />],
          [t`Partner id`, <Id key="id" value={partner.id} short />],
        ]}
      />
    </Panel>
  );
}

function Webhook({ partner, onRotate }: { partner: Partner; onRotate: () => void }) {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Panel
      title={t`Webhook`}
      aside={
        can('partners') && <Link to="/deliveries" search={{ partner_id: partner.id }} size="sm">{t`Deliveries`}</Link>
      }
    >
      <Stack gap="sm" align="flex-start">
        {partner.webhook_url ? (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {partner.webhook_url}
          </Text>
        ) : (
          <Text size="sm" c="dimmed">{t`No address is set, so no events are sent.`}</Text>
        )}
        {can('partners') && (
          <Button variant="default" size="compact-sm" onClick={onRotate}>{t`Rotate the secret`}</Button>
        )}
      </Stack>
    </Panel>
  );
}
