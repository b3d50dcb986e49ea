// On the first screen: the sub-agents that wait for this agent's answer.
import { Plural, Trans } from '@lingui/react/macro';
import { Alert } from '@mantine/core';
import { Icon } from '../../../components/icon.tsx';
import { Link } from '../../../components/link.tsx';
import { money } from '../../../format/money.ts';
import { useFloatRequests } from '../use-float-requests.ts';
import '../../../components/own/agent-texts.ts';

export default function Waits() {
  const { received } = useFloatRequests();
  const [first] = received;
  if (!first) return null;
  const [name, asked] = [first.agent_name, money(first.amount)];
  return (
    <Alert color="yellow" icon={<Icon name="inbox" />} role="status">
      <Link to="/agent/float-requests">
        {received.length === 1 ? (
          <Trans>
            {name} asks for {asked}
          </Trans>
        ) : (
          <Plural value={received.length} one="# sub-agent asks for float" other="# sub-agents ask for float" />
        )}
      </Link>
    </Alert>
  );
}
