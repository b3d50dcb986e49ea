// The approval policies: which actions need a second user, and above which amount.
import type { ApprovalPolicy } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Switch, Table, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useCan } from '../../api/user.ts';
import { Action } from '../../components/action.tsx';
import { MoneyInput } from '../../components/money-input.tsx';
import { Page, Panel } from '../../components/page.tsx';
import { Failed, Loading } from '../../components/states.tsx';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { Instant } from '../../components/values.tsx';
import { amount, money, readAmount } from '../../format/money.ts';
import { actionTitle, MOVES_MONEY } from './words.ts';

export default function Policies() {
  const { t } = useLingui();
  const { data, error, refetch } = useRead(['approval-policies'], (options) => kissi.approvals.policies(options));
  const [edited, setEdited] = useState<ApprovalPolicy | null>(null);
  return (
    <Page
      title={t`Approval policies`}
      above={[{ title: t`Approvals`, to: '/approvals' }]}
      description={t`Which actions take effect only after a second user approves them. With two administrators, a policy change needs the second one's approval.`}
    >
      {error ? <Failed error={error} retry={() => void refetch()} /> : null}
      {!data && !error && <Loading />}
      {data && (
        <Panel flush>
          <PolicyTable policies={data.policies} onEdit={setEdited} />
        </Panel>
      )}
      {edited && <Edit key={edited.action} policy={edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

function PolicyTable({ policies, onEdit }: { policies: ApprovalPolicy[]; onEdit: (policy: ApprovalPolicy) => void }) {
  const { t } = useLingui();
  const can = useCan();
  const isPhone = useIsPhone();
  return (
    <Table.ScrollContainer minWidth={300} type="native">
      <Table verticalSpacing="xs" horizontalSpacing={isPhone ? 6 : 'md'} fz="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>
              <Trans>Action</Trans>
            </Table.Th>
            <Table.Th>
              <Trans>Approval</Trans>
            </Table.Th>
            <Table.Th visibleFrom="sm">
              <Trans>Changed</Trans>
            </Table.Th>
            {can('approval-policies') && (
              <Table.Th>
                <VisuallyHidden>{t`Change`}</VisuallyHidden>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {policies.map((policy) => (
            <Table.Tr key={policy.action}>
              <Table.Td>{actionTitle(policy.action)}</Table.Td>
              <Table.Td>
                <Rule policy={policy} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <Instant at={policy.updated_at} />
              </Table.Td>
              {can('approval-policies') && (
                <Table.Td ta="end">
                  {!policy.locked && (
                    <Button
                      variant="default"
                      size="compact-sm"
                      onClick={() => onEdit(policy)}
                      aria-label={t`Change the policy for ${actionTitle(policy.action)}`}
                    >
                      <Trans>Change</Trans>
                    </Button>
                  )}
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function Rule({ policy: { action, enabled, threshold, locked } }: { policy: ApprovalPolicy }) {
  const sum = money(threshold ?? 0);
  if (!enabled) {
    return (
      <Text inherit c="dimmed">
        <Trans>Not needed</Trans>
      </Text>
    );
  }
  return (
    <Text inherit fw={600}>
      {threshold === null ? <Trans>Always</Trans> : <Trans>Above {sum} a day</Trans>}
      {locked && action === 'users.change' && (
        <Text span inherit fw={400} c="dimmed" display="block">
          <Trans>Stays on while any other policy is on.</Trans>
        </Text>
      )}
    </Text>
  );
}

function Edit({ policy, onClose }: { policy: ApprovalPolicy; onClose: () => void }) {
  const { t } = useLingui();
  const [enabled, setEnabled] = useState(policy.enabled);
  const [text, setText] = useState(policy.threshold === null ? '' : amount(policy.threshold));
  const threshold = readAmount(text);
  const hasThreshold = MOVES_MONEY.includes(policy.action);
  return (
    <Action
      onClose={onClose}
      title={actionTitle(policy.action)}
      submitLabel={t`Save`}
      isReady={text.trim() === '' || threshold !== null}
      call={(client) =>
        client.approvals.updatePolicy({
          action: policy.action,
          enabled,
          ...(threshold !== null && hasThreshold ? { threshold } : {}),
        })
      }
      doneMessage={t`The policy was saved.`}
      changes={['approval-policies']}
    >
      <Switch
        label={t`A second user must approve`}
        checked={enabled}
        onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
      />
      {hasThreshold && enabled && (
        <div>
          <MoneyInput label={t`Above this sum`} value={text} onChange={setText} required={false} />
          <Text size="xs" c="dimmed" mt={4}>
            <Trans>One requester's total per day (UTC). Without an amount, every request needs approval.</Trans>
          </Text>
        </div>
      )}
    </Action>
  );
}
