// Assigns a case to another user who works on cases.
import type { CaseDetails } from '@kissi/client';
import { useLingui } from '@lingui/react/macro';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { Action } from '../../components/action.tsx';
import { CHANGES } from './words.ts';

/** The service takes no others. */
const ROLES = ['support_user', 'compliance_user', 'system_admin'];

export function AssignDialog({ details: { id, assignee_id }, onClose }: { details: CaseDetails; onClose: () => void }) {
  const { t } = useLingui();
  const { data } = useRead(['users', 'workers'], (options) =>
    kissi.users.list({ status: 'active', limit: '100' } as never, options),
  );
  const workers = data?.users.filter(({ role }) => ROLES.includes(role)) ?? [];
  const [chosen, choose] = useState(assignee_id ?? '');
  return (
    <Action
      onClose={onClose}
      changes={CHANGES}
      title={t`Assign the case`}
      submitLabel={t`Assign`}
      isReady={chosen !== '' && chosen !== assignee_id}
      doneMessage={t`The case was assigned.`}
      call={(client) => client.cases.assign(id, { assignee_id: chosen })}
    >
      <NativeSelect
        label={t`User`}
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[
          { value: '', label: '' },
          ...workers.map((user) => ({ value: user.id, label: `${user.first_name} ${user.last_name}` })),
        ]}
      />
    </Action>
  );
}
