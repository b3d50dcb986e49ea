// Exports a customer's personal data, and asks for its erasure, which a second user approves.
import { KissiError, type SubscriberView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionForm } from '../../components/action-form.tsx';
import { CopyCurl } from '../../components/copy-curl.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Download } from '../../components/download.tsx';
import { Icon } from '../../components/icon.tsx';
import { ReasonInput } from '../../components/reason-input.tsx';
import { type ActionProps, useCall } from '../../components/use-call.ts';
import { date } from '../../format/time.ts';

interface DialogProps {
  customer: SubscriberView;
  onClose: () => void;
}

export function ExportDialog({ customer: { id }, onClose }: DialogProps) {
  const { t } = useLingui();
  return (
    <Dialog onClose={onClose} title={t`Export personal data`}>
      <Stack gap="md" align="flex-start">
        <Text size="sm">
          <Trans>
            One file for the customer: record, cards, devices, cases, requests and every payment. Notes of staff, alerts
            and other customers' names are left out. The export is kept in the audit log; delete the file when the
            customer has it.
          </Trans>
        </Text>
        <Download
          variant="filled"
          call={(client) => client.privacy.export(id)}
          name={`personal-data-${id}.json`}
          label={t`Download`}
        />
      </Stack>
    </Dialog>
  );
}

export function EraseDialog({ customer: { id }, onClose }: DialogProps) {
  const { t } = useLingui();
  const [text, setText] = useState('');
  const reason = text.trim();
  const action: ActionProps<unknown> = {
    onClose,
    title: t`Erase personal data`,
    description: t`Identity, PIN, cards, devices and what staff wrote are erased for good, and the wallet can never be used again. Payments stay. A second user must approve it.`,
    submitLabel: t`Ask for the erasure`,
    isDangerous: true,
    isReady: reason !== '',
    call: (client) => client.privacy.erase(id, { reason }),
    changes: ['subscribers', 'audit'],
  };
  const state = useCall(action);
  const refusal = notErasable(state.error);
  const fields = (
    <>
      <ReasonInput
        label={t`Reason`}
        description={t`Name the request, not the person: it is kept.`}
        value={text}
        onChange={setText}
      />
      {refusal && <NotErasable {...refusal} />}
    </>
  );
  return (
    <Dialog onClose={onClose} title={action.title}>
      <ActionForm
        action={{ ...action, children: fields }}
        state={refusal ? { ...state, error: null } : state}
        aside={<CopyCurl call={action.call} disabled={reason === ''} />}
      />
    </Dialog>
  );
}

interface Refused {
  reasons: string[];
  retained_until: string | null;
}

function notErasable(error: unknown): Refused | null {
  const isRefused = error instanceof KissiError && error.code === 'NOT_ERASABLE';
  return isRefused ? (error.fields as unknown as Refused) : null;
}

/** The service's sentence is in English only. */
function NotErasable({ reasons, retained_until }: Refused) {
  const { t } = useLingui();
  const until = retained_until === null ? '' : date(retained_until);
  const texts: Record<string, string> = {
    balance: t`The wallet has a balance.`,
    hold: t`A part of the balance is held.`,
    open_case: t`A case of the customer is open.`,
    open_alert: t`An alert about the customer is open.`,
    open_approval: t`Another request about the customer waits for approval.`,
    retention: t`The law requires it to be kept until ${until}.`,
  };
  return (
    <Alert color="red" icon={<Icon name="alert" />} role="alert">
      <Text size="sm" fw={600}>
        <Trans>The personal data cannot be erased now</Trans>
      </Text>
      <Text size="sm" component="ul" my={4} pl="md">
        {reasons.map((reason) => (
          <li key={reason}>{texts[reason] ?? reason}</li>
        ))}
      </Text>
    </Alert>
  );
}
