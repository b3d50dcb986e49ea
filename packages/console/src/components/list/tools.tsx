// Beside a list's filters: which columns it shows, saved views, and its export.
import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Menu } from '@mantine/core';
import { Icon } from '../icon.tsx';
import type { ListDefinition } from './definition.ts';
import { ExportButton } from './export.tsx';
import { SavedViews } from './saved-views.tsx';
import type { ColumnChoice } from './use-columns.ts';
import type { ListState } from './use-list.ts';

interface ToolsProps<Row> {
  definition: ListDefinition<Row>;
  state: ListState<Row>;
  choice: ColumnChoice<Row>;
}

export default function Tools({ definition, state, choice }: ToolsProps<never>) {
  return (
    <Group gap="xs">
      <Columns definition={definition} choice={choice} />
      <SavedViews list={definition.name} filters={state.filters} onOpen={state.setFilters} />
      <ExportButton definition={definition} query={state.query} />
    </Group>
  );
}

function Columns({ definition, choice }: Omit<ToolsProps<never>, 'state'>) {
  const { t } = useLingui();
  const columns = definition.columns.filter(({ title, keep }) => title !== '' && keep !== 'title');
  if (columns.length < 2) return null;
  return (
    <Menu position="bottom-end" closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="menu" size={16} />}>{t`Columns`}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map((column, n) => (
          <Menu.CheckboxItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a list's columns stay in their order.
            key={n}
            checked={choice.isShown(column)}
            onChange={() => choice.toggle(column)}
          >
            {column.title}
          </Menu.CheckboxItem>
        ))}
        {choice.isChosen && (
          <>
            <Menu.Divider />
            <Menu.Item onClick={choice.reset}>
              <Trans>The usual columns</Trans>
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
