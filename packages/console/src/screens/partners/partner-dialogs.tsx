// The dialogs that create and change a partner, and rotate its webhook's secret.
import type { Partner } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Action } from '../../components/action.tsx';
import { ChoiceInput } from '../../components/choice-input.tsx';
import { showOnce } from '../../components/shown-once.tsx';
import { fullInstant } from '../../format/time.ts';
import { isComplete, NEW_PARTNER, PartnerForm, partnerDraftOf, partnerRequestOf } from './partner-form.tsx';

const CHANGES = ['partners'];

export function CreatePartner({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const form = useForm({ initialValues: NEW_PARTNER });
  return (
    <Action
      onClose={onClose}
      title={t`New partner`}
      submitLabel={t`Create`}
      isReady={isComplete(form.values)}
      call={(client) => client.partners.create(partnerRequestOf(form.values))}
      doneMessage={t`The partner was created.`}
      changes={CHANGES}
      showsSecret
      onDone={(reply) => {
        if (!('partner' in reply)) return;
        showOnce({
          title: t`Webhook secret`,
          note: t`The partner verifies event signatures with it.`,
          values: [[t`Secret`, reply.webhook_secret]],
        });
        void navigate({ to: `/partners/${reply.partner.id}` });
      }}
    >
      <PartnerForm form={form} />
    </Action>
  );
}

interface DialogProps {
  partner: Partner;
  onClose: () => void;
}

export function EditPartner({ partner, onClose }: DialogProps) {
  const { t } = useLingui();
  const form = useForm({ initialValues: partnerDraftOf(partner) });
  return (
    <Action
      onClose={onClose}
      title={t`Edit the partner`}
      submitLabel={t`Save`}
      isReady={isComplete(form.values) && form.isDirty()}
      call={(client) => client.partners.update(partner.id, partnerRequestOf(form.values))}
      doneMessage={t`The partner was saved.`}
      changes={CHANGES}
    >
      <PartnerForm form={form} />
    </Action>
  );
}

export function SuspendPartner({ partner, onClose }: DialogProps) {
  const { t } = useLingui();
  // The partner may be read again while the dialog is open.
  const [isActive] = useState(partner.status === 'active');
  return (
    <Action
      onClose={onClose}
      title={isActive ? t`Suspend the partner` : t`Reactivate the partner`}
      description={
        isActive
          ? t`It can neither credit wallets nor settle, and its keys are refused from the next request.`
          : t`Its requests and keys are accepted again from the next request.`
      }
      submitLabel={isActive ? t`Suspend` : t`Reactivate`}
      isDangerous={isActive}
      call={(client) => client.partners.update(partner.id, { status: isActive ? 'suspended' : 'active' })}
      doneMessage={isActive ? t`The partner is suspended.` : t`The partner is active.`}
      changes={CHANGES}
    />
  );
}

const DAY_MS = 86_400_000;

export function RotateSecret({ partner, onClose }: DialogProps) {
  const { t } = useLingui();
  const [days, setDays] = useState('0');
  const [now] = useState(Date.now());
  const activateAt = new Date(now + Number(days) * DAY_MS).toISOString();
  return (
    <Action
      onClose={onClose}
      title={t`Rotate the webhook secret`}
      description={t`Events are signed with the new secret from then on. For another 24 hours they are also signed with the current one.`}
      submitLabel={t`Rotate`}
      call={(client) =>
        client.partners.rotateWebhookSecret(partner.id, days === '0' ? {} : { activate_at: activateAt })
      }
      doneMessage={t`The secret was rotated.`}
      changes={CHANGES}
      showsSecret
      onDone={(reply) => {
        if (!('webhook_secret' in reply)) return;
        const [from, until] = [fullInstant(reply.activate_at), fullInstant(reply.previous_valid_until)];
        showOnce({
          title: t`New webhook secret`,
          note: t`It signs events from ${from}. The current one is valid until ${until}.`,
          values: [[t`Secret`, reply.webhook_secret]],
        });
      }}
    >
      <ChoiceInput
        label={t`The new secret signs`}
        data={[
          { value: '0', label: t`At once` },
          { value: '1', label: t`In 1 day` },
          { value: '7', label: t`In 7 days` },
          { value: '30', label: t`In 30 days` },
        ]}
        value={days}
        onChange={setDays}
      />
    </Action>
  );
}
