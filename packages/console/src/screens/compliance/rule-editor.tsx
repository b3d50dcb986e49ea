// A rule beside what it would have done in the last 30 days.
import type { ComplianceRule } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { needsApproval } from '../../api/approval.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { Panel } from '../../components/page.tsx';
import classes from './compliance.module.css';
import { draftOf, NEW_RULE, type RuleDraft, requestOf } from './rule-draft.ts';
import { RuleEffect } from './rule-effect.tsx';
import { RuleForm } from './rule-form.tsx';
import { NotTried, TrialButton, TrialResult, useTrial } from './what-if.tsx';
import { ruleInWords } from './words.ts';

/** `rule`: the one to change; absent for a new one. */
export function RuleEditor({ rule }: { rule?: ComplianceRule }) {
  const { t } = useLingui();
  const mayWrite = useCan()('compliance:write');
  const [draft, setDraft] = useState<RuleDraft>(rule ? draftOf(rule) : NEW_RULE);
  const [isSaving, setSaving] = useState(false);
  const tried = requestOf({ ...draft, name: draft.name || 'New rule', enabled: true });
  const trial = useTrial(tried, (proposed) =>
    rule ? kissi.rules.whatIf(rule.id, proposed) : kissi.rules.whatIfNew(proposed),
  );
  const request = requestOf(draft);
  const isChanged = !rule || JSON.stringify(draft) !== JSON.stringify(draftOf(rule));
  return (
    <div className={classes.form}>
      <Panel title={t`Rule`}>
        <RuleForm draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} disabled={!mayWrite} />
        {mayWrite && (
          <Group justify="flex-end" mt="lg" gap="xs">
            <TrialButton trial={trial} variant="default" />
            <Button onClick={() => setSaving(true)} disabled={!request || !isChanged}>
              {rule ? <Trans>Save</Trans> : <Trans>Create</Trans>}
            </Button>
          </Group>
        )}
      </Panel>
      {mayWrite && (
        <TrialResult
          trial={trial}
          title={t`The last 30 days with this rule`}
          invitation={{
            title: t`Try it before you switch it on`,
            text: t`See how many payments in the last 30 days the rule would have flagged or blocked, by day, and whose they were. Nothing is changed.`,
          }}
        >
          {(reply) => <RuleEffect reply={reply} />}
        </TrialResult>
      )}
      {isSaving && request && (
        <Save {...(rule ? { rule } : {})} draft={draft} isTried={trial.isCurrent} onClose={() => setSaving(false)} />
      )}
    </div>
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
          <Trans>It applies from the next payment.</Trans>
        ) : (
          <Trans>It is off, so it applies to no payment.</Trans>
        )}
      </Text>
      {draft.enabled && !isTried && <NotTried />}
    </Action>
  );
}
