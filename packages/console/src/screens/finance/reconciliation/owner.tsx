// The owner of open items: who works on them, and taking or releasing them.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { readAgain } from '../../../api/queries.ts';
import { kissi } from '../../../api/session.ts';
import { useCan, useUser } from '../../../api/user.ts';
import { CopyCurlIcon } from '../../../components/copy-curl-icon.tsx';
import { notify, notifyFailure } from '../../../components/notices.tsx';
import { Absent, Instant } from '../../../components/values.tsx';
import type { Item } from './selection.ts';

type Change = 'assign' | 'release';

/** Items without an owner, or of another user, can be taken; others can be released. */
export function OwnerButtons({ items, onDone }: { items: Item[]; onDone: () => void }) {
  const { t } = useLingui();
  const { isRunning, change } = useOwnerChange(onDone);
  const isOpen = items.length > 0;
  const curlOf = (to: Change, name: string) => (
    <CopyCurlIcon action={name} call={(client) => client.reconciliation[to](idsOf(items))} />
  );
  return (
    <>
      <Group gap={2} wrap="nowrap">
        {isOpen && curlOf('assign', t`Assign to me`)}
        <Button variant="default" loading={isRunning} disabled={!isOpen} onClick={() => change('assign', items)}>
          <Trans>Assign to me</Trans>
        </Button>
      </Group>
      {items.some(({ owner_id }) => owner_id !== null) && (
        <Group gap={2} wrap="nowrap">
          {curlOf('release', t`Release`)}
          <Button variant="default" loading={isRunning} onClick={() => change('release', items)}>{t`Release`}</Button>
        </Group>
      )}
    </>
  );
}

/** A cell of the list of items. */
export function Owner({ item }: { item: Item }) {
  const { t } = useLingui();
  const can = useCan();
  const { id } = useUser();
  const { isRunning, change } = useOwnerChange(() => undefined);
  const isOpen = item.match_id === null && can('reconciliation:write');
  const [to, name]: [Change, string] = item.owner_id === id ? ['release', t`Release`] : ['assign', t`Take`];
  return (
    <Group gap={4} wrap="nowrap">
      <div>
        <OwnerName item={item} />
        {item.owned_since && (
          <Text size="xs" c="dimmed">
            <Trans>
              since <Instant at={item.owned_since} />
            </Trans>
          </Text>
        )}
      </div>
      {isOpen && (
        <>
          <Button variant="default" size="compact-xs" ml="auto" loading={isRunning} onClick={() => change(to, [item])}>
            {name}
          </Button>
          <CopyCurlIcon action={name} size="sm" call={(client) => client.reconciliation[to](idsOf([item]))} />
        </>
      )}
    </Group>
  );
}

export function OwnerName({ item: { owner_id, owner_name } }: { item: Item }) {
  const { id } = useUser();
  if (owner_id === null) return <Absent />;
  return owner_id === id ? <Trans>You</Trans> : (owner_name ?? owner_id);
}

function useOwnerChange(onDone: () => void) {
  const { t } = useLingui();
  const [isRunning, setRunning] = useState(false);
  const change = async (to: Change, items: Item[]) => {
    setRunning(true);
    try {
      await kissi.reconciliation[to](idsOf(items));
      notify(to === 'assign' ? t`Assigned to you.` : t`Released. The items have no owner.`);
      onDone();
      await readAgain('reconciliation');
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRunning(false);
    }
  };
  return { isRunning, change };
}

function idsOf(items: Item[]) {
  const of = (side: Item['side']) => items.filter((item) => item.side === side).map(({ id }) => id);
  const [bank_entry_ids, transaction_ids] = [of('bank'), of('books')];
  return {
    ...(bank_entry_ids.length > 0 ? { bank_entry_ids } : {}),
    ...(transaction_ids.length > 0 ? { transaction_ids } : {}),
  };
}
