// The frame of a screen: its title, actions and content, and cards for its parts.
import { Breadcrumbs, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from './link.tsx';
import { useTitle } from './title.ts';
import '../styles/screens.ts';

interface PageProps {
  title: string;
  /** The title with line breaks of its own. */
  heading?: ReactNode;
  /** Beside the title, such as a status. */
  badge?: ReactNode;
  description?: ReactNode;
  /** False: the search does not offer it among the records that were opened before. */
  isRemembered?: boolean;
  /** The lists above this record, from the outermost one. */
  above?: { title: string; to: string }[];
  actions?: ReactNode;
  children: ReactNode;
}

export function Page(props: PageProps) {
  const { title, heading = title, badge, description, isRemembered, above = [], actions, children } = props;
  useTitle(title, isRemembered);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        {/* Wraps its text before the actions move below it; on a phone they do. */}
        <div style={{ flex: '1 1 20rem', minWidth: 0 }}>
          {above.length > 0 && (
            <Breadcrumbs mb={4} separatorMargin={6}>
              {above.map(({ title: name, to }) => (
                <Link key={to} to={to} size="sm">
                  {name}
                </Link>
              ))}
            </Breadcrumbs>
          )}
          <Group gap="sm">
            <Title order={1}>{heading}</Title>
            {badge}
          </Group>
          {description && (
            <Text c="dimmed" size="sm" mt={2}>
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

interface PanelProps {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
  /** Without inner space, for tables. */
  flush?: boolean;
}

export function Panel({ title, aside, children, flush = false }: PanelProps) {
  return (
    <Paper withBorder radius="md" component="section" style={{ overflow: 'hidden', minWidth: 0 }}>
      {title && (
        <Group justify="space-between" px="md" py="sm" gap="xs">
          <Title order={2} size="h3">
            {title}
          </Title>
          {aside}
        </Group>
      )}
      <div style={flush ? undefined : { padding: title ? '0 1rem 1rem' : '1rem' }}>{children}</div>
    </Paper>
  );
}
