// A new monitoring rule.
import { useLingui } from '@lingui/react/macro';
import { Page } from '../../components/page.tsx';
import { RuleEditor } from './rule-editor.tsx';

export default function NewRule() {
  const { t } = useLingui();
  return (
    <Page title={t`New rule`} above={[{ title: t`Monitoring rules`, to: '/rules' }]}>
      <RuleEditor />
    </Page>
  );
}
