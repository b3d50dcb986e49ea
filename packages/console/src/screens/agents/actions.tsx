// What staff can change about an agent: record, float, status and PIN.
import type { GetAgentResponse } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { ReasonAction } from '../../components/reason-action.tsx';
import { DANGER_TEXT } from '../../components/theme.ts';
import { EditAgent } from './edit.tsx';
import { FloatPayment } from './float-payment.tsx';

type Open = 'edit' | 'fund' | 'return' | 'suspend' | 'reactivate' | 'terminate' | 'pin' | null;

export function AgentActions({ reply }: { reply: GetAgentResponse }) {
  const can = useCan();
  const [opened, setOpened] = useState<Open>(null);
  const { status } = reply.agent;
  const [mayWrite, mayFund, mayReset] = [can('agents:write'), can('agents:fund'), can('pins:reset')];
  if (status === 'terminated' || !(mayWrite || mayFund || mayReset)) return null;
  const close = () => setOpened(null);
  return (
    <>
      {mayFund && status === 'active' && (
        <Button onClick={() => setOpened('fund')}>
          <Trans>Fund</Trans>
        </Button>
      )}
      {mayFund && (
        <Button variant="default" onClick={() => setOpened('return')}>
          <Trans>Return float</Trans>
        </Button>
      )}
      {(mayWrite || mayReset) && <More status={status} open={setOpened} mayWrite={mayWrite} mayReset={mayReset} />}
      {opened === 'edit' && <EditAgent reply={reply} onClose={close} />}
      {(opened === 'fund' || opened === 'return') && <FloatPayment kind={opened} agent={reply.agent} onClose={close} />}
      <Changes opened={opened} agent={reply.agent} onClose={close} />
    </>
  );
}

interface MoreProps {
  status: string;
  open: (what: Open) => void;
  mayWrite: boolean;
  mayReset: boolean;
}

function More({ status, open, mayWrite, mayReset }: MoreProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" rightSection={<Icon name="chevronDown" size={14} />}>
          <Trans>More</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {mayWrite && (
          <Menu.Item onClick={() => open('edit')}>
            <Trans>Edit</Trans>
          </Menu.Item>
        )}
        {mayReset && (
          <Menu.Item onClick={() => open('pin')}>
            <Trans>Reset PIN</Trans>
          </Menu.Item>
        )}
        {mayWrite && status === 'active' && (
          <Menu.Item onClick={() => open('suspend')}>
            <Trans>Suspend</Trans>
          </Menu.Item>
        )}
        {mayWrite && status === 'suspended' && (
          <Menu.Item onClick={() => open('reactivate')}>
            <Trans>Reactivate</Trans>
          </Menu.Item>
        )}
        {mayWrite && (
          <Menu.Item c={DANGER_TEXT} onClick={() => open('terminate')}>
            <Trans>Terminate</Trans>
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

interface ChangesProps {
  opened: Open;
  agent: GetAgentResponse['agent'];
  onClose: () => void;
}

function Changes({ opened, agent: { id, business_name: name }, onClose }: ChangesProps) {
  const { t } = useLingui();
  const common = { onClose, changes: ['agent', 'agents', 'agent-floats'] };
  return (
    <>
      <ReasonAction
        {...common}
        opened={opened === 'suspend'}
        title={t`Suspend ${name}`}
        description={t`It can neither pay nor receive until it is reactivated. Its float stays.`}
        submitLabel={t`Suspend`}
        isDangerous
        call={(client, reason) => client.agents.suspend(id, { reason })}
        doneMessage={t`The agent is suspended.`}
      />
      <ReasonAction
        {...common}
        opened={opened === 'reactivate'}
        reason="none"
        title={t`Reactivate ${name}`}
        description={t`It can pay and receive again.`}
        submitLabel={t`Reactivate`}
        call={(client) => client.agents.reactivate(id)}
        doneMessage={t`The agent is active again.`}
      />
      <ReasonAction
        {...common}
        opened={opened === 'terminate'}
        reason="optional"
        title={t`Terminate ${name}`}
        description={t`This is final. The float must be returned first; accrued commission is settled before.`}
        submitLabel={t`Terminate`}
        isDangerous
        call={(client, reason) => client.agents.terminate(id, reason ? { reason } : {})}
        doneMessage={t`The agent is terminated.`}
      />
      <ReasonAction
        {...common}
        opened={opened === 'pin'}
        reason="optional"
        title={t`Reset the PIN of ${name}`}
        description={t`A code is sent to the phone number. Within 15 minutes the agent sets a new PIN with it. The old PIN works until then. After the new PIN a tenth of the float can leave it for 24 hours.`}
        submitLabel={t`Send the code`}
        call={(client, reason) => client.agents.resetPin(id, reason ? { reason } : {})}
        doneMessage={t`The code is sent.`}
      />
    </>
  );
}
