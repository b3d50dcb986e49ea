// One fee: its values, and what other values would have brought in the last 30 days.
import type { FeeSetting, FeeWhatIf, PutFeeSettingRequestWritable } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Icon } from '../../components/icon.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Empty, Failed, Loading, RefusalNotice } from '../../components/states.tsx';
import { Status } from '../../components/values.tsx';
import classes from './compliance.module.css';
import { FeeEffect } from './fee-effect.tsx';
import { type FeeDraft, FeeForm, feeDraftOf, feeRequestOf } from './fee-form.tsx';
import { feeInWords, PARTIES, typeName } from './words.ts';

export default function FeeScreen() {
  const { type = '', party = '' } = useParams({ strict: false }) as { type?: string; party?: string };
  const { data, error, refetch } = useRead(['fees', type, party], (options) => kissi.fees.get(type, party, options));
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />;
  return data ? <Fee key={`${type} ${party} ${data.updated_at}`} setting={data} /> : <Loading />;
}

function Fee({ setting }: { setting: FeeSetting }) {
  const { t } = useLingui();
  const mayWrite = useCan()('fees:write');
  const [draft, setDraft] = useState(feeDraftOf(setting));
  const [dialog, setDialog] = useState<'save' | 'delete' | null>(null);
  const request = feeRequestOf(setting, draft);
  const trial = useTrial(request);
  const party = PARTIES[setting.party_type] ?? setting.party_type;
  const isChanged = JSON.stringify(draft) !== JSON.stringify(feeDraftOf(setting));
  return (
    <Page
      title={`${typeName(setting.transaction_type)}: ${party.toLowerCase()}`}
      badge={setting.is_default ? <Status value={t`Built in`} tone="gray" /> : null}
      above={[{ title: t`Fees`, to: '/fees' }]}
      description={feeInWords(setting)}
      actions={
        mayWrite &&
        !setting.is_default && (
          <Button variant="default" onClick={() => setDialog('delete')}>
            <Trans>Return to the built-in fee</Trans>
          </Button>
        )
      }
    >
      <div className={classes.form}>
        <Panel title={mayWrite ? t`Fee` : t`Values to try`}>
          <FeeForm
            draft={draft}
            party={party}
            onChange={(changes: Partial<FeeDraft>) => setDraft({ ...draft, ...changes })}
          />
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button
              variant={mayWrite ? 'default' : 'filled'}
              onClick={trial.run}
              loading={trial.isRunning}
              disabled={!request}
            >
              <Trans>Try on the last 30 days</Trans>
            </Button>
            {mayWrite && (
              <Button onClick={() => setDialog('save')} disabled={!request || !isChanged}>
                <Trans>Save</Trans>
              </Button>
            )}
          </Group>
        </Panel>
        <Stack gap="md" miw={0}>
          <Result trial={trial} />
        </Stack>
      </div>
      {dialog === 'save' && request && (
        <Save request={request} isTried={trial.isCurrent} onClose={() => setDialog(null)} />
      )}
      {dialog === 'delete' && <Delete setting={setting} onClose={() => setDialog(null)} />}
    </Page>
  );
}

type TrialState = ReturnType<typeof useTrial>;

function useTrial(request: PutFeeSettingRequestWritable | null) {
  const [trial, setTrial] = useState<{ of: string; reply: FeeWhatIf } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const of = JSON.stringify(request);
  const run = async () => {
    if (!request || isRunning) return;
    setRunning(true);
    setError(null);
    try {
      setTrial({ of, reply: await kissi.fees.whatIf({ settings: [request] }) });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return { run: () => void run(), error, isRunning, trial, isCurrent: trial?.of === of };
}

function Result({ trial: { trial, error, isRunning, isCurrent } }: { trial: TrialState }) {
  const { t } = useLingui();
  if (isRunning && !trial) {
    return (
      <Panel title={t`The last 30 days with this fee`}>
        <Loading />
      </Panel>
    );
  }
  return (
    <>
      <RefusalNotice error={error} />
      {trial && !isCurrent && (
        <Alert color="yellow" icon={<Icon name="refresh" />} role="status">
          <Text size="sm">
            <Trans>The values were changed since. Try them again to see what they bring.</Trans>
          </Text>
        </Alert>
      )}
      {trial ? (
        <FeeEffect reply={trial.reply} />
      ) : (
        <Panel>
          <Empty icon="chart" title={t`Try it before you change it`}>
            <Trans>
              See the income of the last 30 days with the current and the proposed fee, and who would pay more. Nothing
              is changed.
            </Trans>
          </Empty>
        </Panel>
      )}
    </>
  );
}

interface SaveProps {
  request: PutFeeSettingRequestWritable;
  isTried: boolean;
  onClose: () => void;
}

function Save({ request, isTried, onClose }: SaveProps) {
  const { t } = useLingui();
  const { debit_enabled = true, credit_enabled = false, fee_type, fee_value } = request;
  return (
    <Action
      opened
      onClose={onClose}
      title={t`Change the fee`}
      description={`${typeName(request.transaction_type)}, ${PARTIES[request.party_type]?.toLowerCase()}: ${feeInWords({ fee_type, fee_value, debit_enabled, credit_enabled })}.`}
      submitLabel={t`Save`}
      call={(client) => client.fees.put(request)}
      doneMessage={t`The fee was changed.`}
      changes={['fees']}
    >
      <Text size="sm" c="dimmed">
        <Trans>It applies from the next payment on. If the policy requires it, a second user approves it first.</Trans>
      </Text>
      {!isTried && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          <Text size="sm">
            <Trans>You have not tried these values on the last 30 days.</Trans>
          </Text>
        </Alert>
      )}
    </Action>
  );
}

function Delete({ setting, onClose }: { setting: FeeSetting; onClose: () => void }) {
  const { t } = useLingui();
  return (
    <Action
      opened
      onClose={onClose}
      title={t`Return to the built-in fee`}
      description={t`The own setting is deleted. The built-in fee applies from the next payment on.`}
      submitLabel={t`Delete the setting`}
      isDangerous
      call={(client) => client.fees.delete(setting.transaction_type, setting.party_type)}
      doneMessage={t`The built-in fee applies again.`}
      changes={['fees']}
    />
  );
}
