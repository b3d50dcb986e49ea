// The agents: the network as a tree with floats, and the list of all.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, SegmentedControl } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCan } from '../../api/user.ts';
import { Icon } from '../../components/icon.tsx';
import { Page } from '../../components/page.tsx';
import { AgentList } from './list.tsx';
import { Network } from './network.tsx';
import { RegisterAgent } from './register.tsx';

export default function Agents() {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  const [isRegistering, { open, close }] = useDisclosure(false);
  // Floats with their pace are for finance and audit; others see the list.
  const hasTree = can('ledger:read');
  const isTree = hasTree && view !== 'list';
  return (
    <Page
      title={t`Agents`}
      description={
        isTree
          ? t`Floats are in SLE. How long they last is estimated from the last day and week; a closed network shows its shortest one.`
          : undefined
      }
      actions={
        <>
          {hasTree && (
            <SegmentedControl
              aria-label={t`View`}
              value={isTree ? 'tree' : 'list'}
              onChange={(value) =>
                void navigate({ to: '/agents', search: (value === 'list' ? { view: 'list' } : {}) as never })
              }
              data={[
                { value: 'tree', label: t`Network` },
                { value: 'list', label: t`List` },
              ]}
            />
          )}
          {can('agents:write') && (
            <Button leftSection={<Icon name="plus" size={16} />} onClick={open}>
              <Trans>Register an agent</Trans>
            </Button>
          )}
        </>
      }
    >
      {isTree ? <Network /> : <AgentList />}
      {isRegistering && <RegisterAgent onClose={close} />}
    </Page>
  );
}
