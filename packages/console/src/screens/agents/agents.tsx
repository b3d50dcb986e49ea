// The agents: the network as a tree with floats, and the list of all.
import { useLingui } from '@lingui/react/macro';
import { SegmentedControl } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCan } from '../../api/user.ts';
import { NewRecord } from '../../components/choices.tsx';
import { lazyPart } from '../../components/lazy-part.ts';
import { Page } from '../../components/page.tsx';
import { DryFloats } from './dry-floats.tsx';
import { DRY_WITHIN_HOURS } from './dry-hours.ts';
import { AgentList } from './list.tsx';
import { Network } from './network.tsx';

/** Loaded when it is opened: a form is a large part of the screen. */
const RegisterAgent = lazyPart(async () => ({ default: (await import('./register.tsx')).RegisterAgent }));

export default function Agents() {
  const { t } = useLingui();
  const can = useCan();
  const navigate = useNavigate();
  const { view } = useSearch({ strict: false }) as { view?: string };
  // Floats with their pace are for finance and audit; others see the list.
  const hasTree = can('ledger:read');
  const shown = !hasTree ? 'list' : view === 'list' || view === 'dry' ? view : 'tree';
  const descriptions = {
    tree: t`Floats are in SLE. How long they last is estimated from the last day and week; a closed network shows its shortest one.`,
    dry: t`Used up within ${DRY_WITHIN_HOURS} hours at the pace of the last day or week`,
    list: undefined,
  };
  return (
    <Page
      title={t`Agents`}
      description={descriptions[shown]}
      actions={
        <>
          {hasTree && (
            <SegmentedControl
              aria-label={t`View`}
              value={shown}
              onChange={(value) =>
                void navigate({ to: '/agents', search: (value === 'tree' ? {} : { view: value }) as never })
              }
              data={[
                { value: 'tree', label: t`Network` },
                { value: 'dry', label: t`Running dry` },
                { value: 'list', label: t`List` },
              ]}
            />
          )}
          {can('agents:write') && (
            <NewRecord label={t`Register an agent`} dialog={(onClose) => <RegisterAgent onClose={onClose} />} />
          )}
        </>
      }
    >
      {shown === 'tree' ? <Network /> : shown === 'dry' ? <DryFloats /> : <AgentList />}
    </Page>
  );
}
