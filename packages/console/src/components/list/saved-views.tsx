// Filters that the user saved under a name, and those that colleagues of the same role share.
import type { Kissi, SavedView } from '@kissi/client';
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Menu, Switch, Text, TextInput } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { readAgain, useRead } from '../../api/queries.ts';
import { kissi } from '../../api/session.ts';
import { useUser } from '../../api/user.ts';
import { Action } from '../action.tsx';
import { useCopyCurl, useWorksWithKeys } from '../copy-curl.tsx';
import { Icon } from '../icon.tsx';
import { notify, notifyFailure } from '../notices.tsx';
import { label } from '../values.tsx';
import type { Query } from './definition.ts';
import classes from './saved-views.module.css';

interface SavedViewsProps {
  /** The list's name, where a screen has several. */
  list: string | undefined;
  filters: Query;
  onOpen: (filters: Query) => void;
}

export function SavedViews({ list, filters, onOpen }: SavedViewsProps) {
  const { t } = useLingui();
  const path = useLocation().pathname.replace(/^\/|\/$/g, '');
  const screen = list ? `${path}/${list}` : path;
  const [isOpened, setOpened] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const { data } = useRead(
    ['saved-views', screen],
    (options) => kissi.savedViews.list({ screen, limit: 100 }, options),
    {
      enabled: isOpened && isScreenName(screen),
    },
  );
  if (!isScreenName(screen)) return null;
  const query = new URLSearchParams(filters).toString();
  return (
    <>
      <Menu position="bottom-end" width={280} opened={isOpened} onChange={setOpened}>
        <Menu.Target>
          <Button variant="default" leftSection={<Icon name="star" size={16} />}>{t`Views`}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {data?.views.map((view) => (
            <View key={view.id} view={view} isCurrent={view.query === query} onOpen={() => onOpen(filtersOf(view))} />
          ))}
          {data?.views.length === 0 && (
            <Text size="sm" c="dimmed" px="sm" py="xs">{t`No saved views yet. Set filters, then save them here.`}</Text>
          )}
          <Menu.Divider />
          <Menu.Item
            leftSection={<Icon name="plus" size={16} />}
            disabled={query === ''}
            onClick={() => setSaving(true)}
          >
            <Trans>Save these filters</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isSaving && <SaveView screen={screen} query={query} onClose={() => setSaving(false)} />}
    </>
  );
}

/** As the service accepts it; lists inside a record, whose address has an id, have no views. */
const isScreenName = (screen: string) => /^[a-z][a-z0-9/-]{0,63}$/.test(screen);

const filtersOf = ({ query }: SavedView): Query => Object.fromEntries(new URLSearchParams(query));

function View({ view, isCurrent, onOpen }: { view: SavedView; isCurrent: boolean; onOpen: () => void }) {
  const { t } = useLingui();
  const { id, name, is_own, shared, owner_name } = view;
  const copy = useCopyCurl();
  const worksWithKeys = useWorksWithKeys();
  const action = t`Delete the view ${name}`;
  const remove = (client: Kissi) => client.savedViews.delete(id);
  const run = async () => {
    try {
      await remove(kissi);
      notify(t`The view ${name} was deleted.`);
      await readAgain('saved-views');
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <div className={classes.view}>
      <Menu.Item onClick={onOpen} aria-current={isCurrent || undefined} className={classes.open ?? ''}>
        <Text size="sm" inherit fw={isCurrent ? 600 : 400}>
          {name}
        </Text>
        {(shared || !is_own) && (
          <Text size="xs" c="dimmed">
            {is_own ? t`Shared with your role` : t`From ${owner_name}`}
          </Text>
        )}
      </Menu.Item>
      {is_own && (
        <>
          {worksWithKeys && (
            <Menu.Item
              closeMenuOnClick={false}
              onClick={() => copy(remove)}
              aria-label={t`Copy as curl: ${action}`}
              title={t`Copy as curl: ${action}`}
              className={classes.button ?? ''}
            >
              <Icon name="copy" size={14} />
            </Menu.Item>
          )}
          <Menu.Item
            closeMenuOnClick={false}
            onClick={run}
            aria-label={action}
            title={action}
            className={classes.button ?? ''}
          >
            <Icon name="close" size={14} />
          </Menu.Item>
        </>
      )}
    </div>
  );
}

function SaveView({ screen, query, onClose }: { screen: string; query: string; onClose: () => void }) {
  const { t } = useLingui();
  const { role } = useUser();
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const isStaff = /_user$|^system_admin$/.test(role);
  const roleName = label(role);
  return (
    <Action
      onClose={onClose}
      title={t`Save these filters`}
      submitLabel={t`Save`}
      isReady={name.trim() !== ''}
      call={(client) =>
        client.savedViews.create({ name: name.trim(), screen, query, ...(isShared ? { shared: true } : {}) })
      }
      doneMessage={t`The view was saved. It is under Views.`}
      changes={['saved-views']}
    >
      <TextInput
        label={t`Name`}
        maxLength={80}
        required
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {isStaff && (
        <Switch
          label={t`Share with all users with the role ${roleName}`}
          checked={isShared}
          onChange={({ currentTarget }) => setShared(currentTarget.checked)}
        />
      )}
    </Action>
  );
}
