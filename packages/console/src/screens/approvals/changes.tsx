// What a request would change: the values before and after, in plain words.
import type { Approval } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Text } from '@mantine/core';
import { Panel } from '../../components/page.tsx';
import { Empty } from '../../components/states.tsx';
import classes from './approvals.module.css';
import { feeTypeOf, fieldName, shownNames, summaryOf, valueInWords } from './words.ts';

export function Changes({ approval }: { approval: Approval }) {
  const { t } = useLingui();
  const summary = summaryOf(approval);
  const isOpen = approval.status === 'pending';
  if (!summary) {
    return (
      <Panel>
        <Empty icon="lock" title={t`This request is about a politically exposed person`}>
          <Trans>Open the customer's record to request access. The request is shown while your access is open.</Trans>
        </Empty>
      </Panel>
    );
  }
  if (!summary.parties) {
    return (
      <Panel>
        <Empty icon="lock" title={t`Your role cannot see this request's values`} />
      </Panel>
    );
  }
  const { before, after, hidden_fields = [] } = summary;
  const all = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const names = shownNames(approval, all);
  if (names.length === 0 && hidden_fields.length === 0) return null;
  return (
    <Panel title={isOpen ? t`What would change` : t`What it changes`} flush>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Value</Trans>
            </th>
            {before && (
              <th scope="col">
                <Trans>Before</Trans>
              </th>
            )}
            <th scope="col">{before ? <Trans>After</Trans> : <Trans>New</Trans>}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <Change key={name} name={name} approval={approval} />
          ))}
          {hidden_fields.map((name) => (
            <tr key={name}>
              <th scope="row">{fieldName(name)}</th>
              <td colSpan={before ? 2 : 1}>
                <Text span size="sm" c="dimmed">
                  <Trans>Set to a value that is not shown</Trans>
                </Text>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Change({ name, approval }: { name: string; approval: Approval }) {
  const { before = null, after = null } = summaryOf(approval) ?? {};
  return (
    <tr>
      <th scope="row">{fieldName(name)}</th>
      {before && <td className={classes.before}>{valueInWords(name, before[name], feeTypeOf(approval, before))}</td>}
      <td className={classes.after}>{valueInWords(name, after?.[name], feeTypeOf(approval, after))}</td>
    </tr>
  );
}
