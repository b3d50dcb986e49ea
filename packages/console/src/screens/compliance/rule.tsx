// One monitoring rule: its terms, and what a change of them would do.
import { useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Page } from '../../components/page.tsx';
import { Waiting } from '../../components/states.tsx';
import { Status } from '../../components/values.tsx';
import { RuleEditor } from './rule-editor.tsx';
import { ruleInWords } from './words.ts';

export default function RuleScreen() {
  const { t } = useLingui();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const { data, error, refetch } = useRead(['rules', id], (options) => kissi.rules.get(id, options));
  if (!data) return <Waiting error={error} retry={refetch} />;
  const { rule } = data;
  return (
    <Page
      title={rule.name}
      badge={<Status value={rule.enabled ? t`On` : t`Off`} tone={rule.enabled ? 'kissi' : 'gray'} />}
      above={[{ title: t`Monitoring rules`, to: '/rules' }]}
      description={ruleInWords(rule)}
    >
      {/* A new version has a new form, so that nothing is saved over a change of another user unseen. */}
      <RuleEditor key={`${rule.id} ${rule.version}`} rule={rule} />
    </Page>
  );
}
