// What the service cannot check itself before going live: an administrator confirms each item with a note.
import type { GoingLiveItem } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCan } from '../../api/user.ts';
import { Choices, type Offered } from '../../components/choices.tsx';
import { Icon } from '../../components/icon.tsx';
import { Link } from '../../components/link.tsx';
import { Instant } from '../../components/values.tsx';
import classes from './administration.module.css';

interface Words {
  name: string;
  about: ReactNode;
  link?: { to: string; title: string };
}

export function OwnChecks({ items }: { items: GoingLiveItem[] }) {
  const words = useWords();
  return (
    <ul className={classes.checks}>
      {items.map((item) => (
        <OwnCheck key={item.item} item={item} {...words[item.item]} />
      ))}
    </ul>
  );
}

function OwnCheck({ item, name, about, link }: Words & { item: GoingLiveItem }) {
  const { t } = useLingui();
  const { confirmed_at: at, confirmed_by_name, confirmed_by, note } = item;
  const choices = useConfirmations(item, name);
  return (
    <li>
      <span
        className={classes.mark}
        data-state={at ? 'done' : 'own'}
        role="img"
        aria-label={at ? t`Confirmed` : t`To be confirmed`}
      >
        <Icon name={at ? 'approve' : 'user'} size={14} />
      </span>
      <div>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="sm" c="dimmed" component="div">
          {about}
        </Text>
        {at && (
          <Text size="sm" className={classes.note ?? ''}>
            {note}
          </Text>
        )}
        {at && (
          <Text size="xs" c="dimmed">
            {confirmed_by_name ?? confirmed_by} · <Instant at={at} />
          </Text>
        )}
      </div>
      <Group gap="sm">
        {link && (
          <Link to={link.to} size="sm">
            {link.title}
          </Link>
        )}
        {useCan()('production:confirm') && <Choices buttons={choices} />}
      </Group>
    </li>
  );
}

function useConfirmations({ item, confirmed_at, note }: GoingLiveItem, name: string): Offered[] {
  const { t } = useLingui();
  const common = { title: name, changes: ['going-live', 'audit'] };
  const withdrawal = {
    ...common,
    reason: 'none' as const,
    description: t`The item is open again. The audit log keeps the confirmation.`,
    submitLabel: t`Withdraw`,
    doneMessage: t`The item is no longer confirmed.`,
  };
  const confirmation = {
    ...common,
    description: t`Your name and the time are kept with the note, and in the audit log.`,
    label: t`What was done, by whom and when`,
    initial: note ?? '',
    maxLength: 2_000,
    submitLabel: t`Confirm`,
    doneMessage: t`The item is confirmed.`,
  };
  if (confirmed_at) {
    return [
      {
        label: t`Withdraw`,
        name: t`Withdraw: ${name}`,
        action: { ...withdrawal, call: ({ goingLive }) => goingLive.withdraw(item) },
      },
    ];
  }
  return [
    {
      label: t`Confirm`,
      name: t`Confirm: ${name}`,
      action: { ...confirmation, call: ({ goingLive }, text) => goingLive.confirm(item, { note: text }) },
    },
  ];
}

function useWords(): Record<GoingLiveItem['item'], Words> {
  const { t } = useLingui();
  return {
    restore_practised: {
      name: t`A restore was practised`,
      about: <Trans>Restore the backup on another machine, and verify the ledger there.</Trans>,
    },
    anchors_kept: {
      name: t`Audit log anchors are kept elsewhere`,
      about: <Trans>With an anchor outside the database, a rewritten chain is noticed.</Trans>,
      link: { to: '/audit', title: t`Audit log` },
    },
    alerts_reach_a_person: {
      name: t`Alerts reach a person`,
      about: <Trans>Metrics are collected, and somebody is on call at night.</Trans>,
    },
    integrators_certified: {
      name: t`Integrators are certified`,
      about: <Trans>Each bank has passed the certification on a test system.</Trans>,
      link: { to: '/partners', title: t`Partners` },
    },
    terms_reviewed: {
      name: t`Fees, limits and rules were reviewed`,
      about: <Trans>Finance and compliance have tried them on past payments.</Trans>,
    },
  };
}
