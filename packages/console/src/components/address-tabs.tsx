// Tabs of a screen. The open one is in the address, so that a link leads to it; the first by default.
import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense } from 'react';
import { Loading } from './states.tsx';

interface Tab {
  value: string;
  title: string;
  content: ReactNode;
}

interface AddressTabsProps {
  /** The parameter of the address. */
  name: 'tab' | 'view';
  /** False: not for this user. */
  tabs: (Tab | false)[];
}

export function AddressTabs({ name, tabs }: AddressTabsProps) {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as { tab?: string; view?: string };
  const offered = tabs.filter((each) => each !== false);
  const opened = offered.find(({ value }) => value === search[name]) ?? offered[0];
  if (!opened) return null;
  const open = (value: string | null) =>
    void navigate({ to: '.', search: { [name]: value ?? '' } as never, replace: name === 'tab' });
  return (
    <Tabs value={opened.value} keepMounted={false} onChange={open}>
      <Tabs.List mb="md">
        {offered.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={opened.value}>
        <Suspense fallback={<Loading />}>{opened.content}</Suspense>
      </Tabs.Panel>
    </Tabs>
  );
}
