// One fee: its values, and what other values would have earned over the last 30 days.
import type { FeeSetting, PutFeeSettingRequestWritable } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { useUnsavedGuard } from '../../components/unsaved.ts';
import { Status } from '../../components/values.tsx';
import classes from './compliance.module.css';
import { FeeEffect } from './fee-effect.tsx';
import { type FeeDraft, FeeForm, feeDraftOf, feeRequestOf } from './fee-form.tsx';
import { NotTried, TrialButton, TrialResult, useTrial } from './what-if.tsx';
import { feeInWords, PARTIES, typeName } from './words.ts';

export default function FeeScreen() {
  const { type = '', party = '' } = useParams({ strict: false }) as { type?: string; party?: string };
  const { data, error, refetch } = useRead(['fees', type, party], (options) => kissi.fees.get(type, party, options));
  return data ? (
    <Fee key={`${type} ${party} ${data.updated_at}`} setting={data} />
  ) : (
    <Waiting error={error} retry={refetch} />
  );
}

function Fee({ setting }: { setting: FeeSetting }) {
  const { t } = useLingui();
  const mayWrite = useCan()('fees:write');
  const [draft, setDraft] = useState(feeDraftOf(setting));
  const [dialog, setDialog] = useState<'save' | 'delete' | null>(null);
  const request = feeRequestOf(setting, draft);
  const trial = useTrial(request, (proposed) => kissi.fees.whatIf({ settings: [proposed] }));
  const party = PARTIES[setting.party_type] ?? setting.party_type;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(feeDraftOf(setting));
  const [isSent, setSent] = useState(false);
  useUnsavedGuard();
  const change = (changes: Partial<FeeDraft>) => {
    setDraft({ ...draft, ...changes });
    setSent(false);
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    if (mayWrite && request && isChanged) setDialog('save');
  };
  return (
    <Page
      title={`${typeName(setting.transaction_type)}: ${party.toLowerCase()}`}
      badge={setting.is_default ? <Status value={t`Built in`} tone="gray" /> : null}
      above={[{ title: t`Fees`, to: '/fees' }]}
      description={feeInWords(setting)}
      actions={
        mayWrite &&
        !setting.is_default && (
          <Button variant="default" onClick={() => setDialog('delete')}>{t`Return to the built-in fee`}</Button>
        )
      }
    >
      <div className={classes.form}>
        <Panel title={mayWrite ? t`Fee` : t`Values to try`}>
          <form onSubmit={save} data-sent={isSent}>
            <FeeForm draft={draft} party={party} onChange={change} />
            <Group justify="flex-end" mt="lg" gap="xs">
              <TrialButton trial={trial} variant={mayWrite ? 'default' : 'filled'} />
              {mayWrite && <Button type="submit" disabled={!request || !isChanged}>{t`Save`}</Button>}
            </Group>
          </form>
        </Panel>
        <TrialResult
          trial={trial}
          title={t`The last 30 days with this fee`}
          invitation={{
            title: t`Try it before you change it`,
            text: t`See the last 30 days' income with the current and the proposed fee, and who would pay more. Nothing is changed.`,
          }}
        >
          {(reply) => <FeeEffect reply={reply} />}
        </TrialResult>
      </div>
      {dialog === 'save' && request && (
        <Save
          request={request}
          isTried={trial.isCurrent}
          onDone={() => setSent(true)}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'delete' && <Delete setting={setting} onClose={() => setDialog(null)} />}
    </Page>
  );
}

interface SaveProps {
  request: PutFeeSettingRequestWritable;
  isTried: boolean;
  onDone: () => void;
  onClose: () => void;
}

function Save({ request, isTried, onDone, onClose }: SaveProps) {
  const { t } = useLingui();
  const { debit_enabled = true, credit_enabled = false, fee_type, fee_value } = request;
  return (
    <Action
      onClose={onClose}
      title={t`Change the fee`}
      description={`${typeName(request.transaction_type)}, ${PARTIES[request.party_type]?.toLowerCase()}: ${feeInWords({ fee_type, fee_value, debit_enabled, credit_enabled })}.`}
      submitLabel={t`Save`}
      call={(client) => client.fees.put(request)}
      doneMessage={t`The fee was changed.`}
      changes={['fees']}
      onDone={onDone}
    >
      <Text size="sm" c="dimmed">
        <Trans>It applies from the next payment. If the policy requires it, a second user must approve it first.</Trans>
      </Text>
      {!isTried && <NotTried />}
    </Action>
  );
}

function Delete({ setting, onClose }: { setting: FeeSetting; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Action
      onClose={onClose}
      title={t`Return to the built-in fee`}
      description={t`This setting will be deleted. The built-in fee will apply from the next payment.`}
      submitLabel={t`Delete the setting`}
      isDangerous
      call={(client) => client.fees.delete(setting.transaction_type, setting.party_type)}
      doneMessage={t`The built-in fee applies again.`}
      changes={['fees']}
    />
  );
}
