// A rule beside what it would have done in the last 30 days.
import type { ComplianceRule, RuleWhatIf } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Icon } from '../../components/icon.tsx';
import { Panel } from '../../components/page.tsx';
import { Empty, Loading, RefusalNotice } from '../../components/states.tsx';
import classes from './compliance.module.css';
import { draftOf, NEW_RULE, type RuleDraft, requestOf } from './rule-draft.ts';
import { RuleEffect } from './rule-effect.tsx';
import { RuleForm } from './rule-form.tsx';
import { ruleInWords } from './words.ts';

interface Trial {
  /** The request that was tried. */
  of: string;
  reply: RuleWhatIf;
}

/** `rule`: the one to change; absent for a new one. */
export function RuleEditor({ rule }: { rule?: ComplianceRule }) {
  const { t } = useLingui();
  const mayWrite = useCan()('compliance:write');
  const [draft, setDraft] = useState<RuleDraft>(rule ? draftOf(rule) : NEW_RULE);
  const [isSaving, setSaving] = useState(false);
  const trial = useTrial(rule, draft);
  const request = requestOf(draft);
  const isChanged = !rule || JSON.stringify(draft) !== JSON.stringify(draftOf(rule));
  return (
    <div className={classes.form}>
      <Panel title={t`Rule`}>
        <RuleForm draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} disabled={!mayWrite} />
        {mayWrite && (
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={trial.run} loading={trial.isRunning} disabled={!trial.isReady}>
              <Trans>Try on the last 30 days</Trans>
            </Button>
            <Button onClick={() => setSaving(true)} disabled={!request || !isChanged}>
              {rule ? <Trans>Save</Trans> : <Trans>Create</Trans>}
            </Button>
          </Group>
        )}
      </Panel>
      <Stack gap="md" miw={0}>
        {mayWrite && <Result trial={trial} />}
      </Stack>
      {isSaving && request && (
        <Save {...(rule ? { rule } : {})} draft={draft} isTried={trial.isCurrent} onClose={() => setSaving(false)} />
      )}
    </div>
  );
}

type TrialState = ReturnType<typeof useTrial>;

function useTrial(rule: ComplianceRule | undefined, draft: RuleDraft) {
  const [trial, setTrial] = useState<Trial | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isRunning, setRunning] = useState(false);
  const request = requestOf({ ...draft, name: draft.name || 'New rule', enabled: true });
  const of = JSON.stringify(request);
  const run = async () => {
    if (!request || isRunning) return;
    setRunning(true);
    setError(null);
    try {
      const reply = await (rule ? kissi.rules.whatIf(rule.id, request) : kissi.rules.whatIfNew(request));
      setTrial({ of, reply });
    } catch (failure) {
      setError(failure);
    } finally {
      setRunning(false);
    }
  };
  return { run: () => void run(), error, isRunning, isReady: request !== null, trial, isCurrent: trial?.of === of };
}

function Result({ trial: { trial, error, isRunning, isCurrent } }: { trial: TrialState }) {
  const { t } = useLingui();
  if (isRunning && !trial) {
    return (
      <Panel title={t`The last 30 days with this rule`}>
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
            <Trans>The rule was changed since. Try it again to see what it does now.</Trans>
          </Text>
        </Alert>
      )}
      {trial ? (
        <RuleEffect reply={trial.reply} />
      ) : (
        <Panel>
          <Empty icon="chart" title={t`Try it before you switch it on`}>
            <Trans>
              See how many payments of the last 30 days the rule would have flagged or blocked, by day, and whose they
              are. Nothing is changed.
            </Trans>
          </Empty>
        </Panel>
      )}
    </>
  );
}

interface SaveProps {
  rule?: ComplianceRule;
  draft: RuleDraft;
  isTried: boolean;
  onClose: () => void;
}

function Save({ rule, draft, isTried, onClose }: SaveProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const request = requestOf(draft);
  if (!request) return null;
  const terms = { side: draft.side, ...request, threshold: Number(request.threshold), window_seconds: null };
  const sentence = ruleInWords({ ...terms, window_seconds: request.window_seconds ?? null });
  return (
    <Action<unknown>
      opened
      onClose={onClose}
      title={rule ? t`Save the rule` : t`Create the rule`}
      description={sentence}
      submitLabel={rule ? t`Save` : t`Create`}
      call={(client) => (rule ? client.rules.update(rule.id, request) : client.rules.create(request))}
      doneMessage={rule ? t`The rule was saved.` : t`The rule was created.`}
      changes={['rules']}
      onDone={(reply) => void navigate({ to: needsApproval(reply) || !rule ? '/rules' : `/rules/${rule.id}` })}
    >
      <Text size="sm" c="dimmed">
        {draft.enabled ? (
          <Trans>It applies from the next payment on.</Trans>
        ) : (
          <Trans>It is off, so it applies to no payment.</Trans>
        )}
      </Text>
      {draft.enabled && !isTried && (
        <Alert color="yellow" icon={<Icon name="alert" />}>
          <Text size="sm">
            <Trans>You have not tried these values on the last 30 days.</Trans>
          </Text>
        </Alert>
      )}
    </Action>
  );
}
