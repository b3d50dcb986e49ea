// The figures of a chart as a table: for screen readers, or in place of the picture.
import { Trans } from '@lingui/react/macro';
import { Table, VisuallyHidden } from '@mantine/core';
import { Link } from '../link.tsx';
import classes from './chart.module.css';
import { type ChartData, writtenFigure, writtenTime } from './figures.ts';

interface FigureTableProps extends ChartData {
  label: string;
  hidden?: boolean;
  height?: number;
}

export function FigureTable({ label, at, series, unit, step, linkAt, hidden = false, height }: FigureTableProps) {
  const table = (
    <Table withRowBorders verticalSpacing={4} className={classes.table}>
      <caption className={classes.caption}>{unit === 'minor_units' ? `${label} (SLE)` : label}</caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{step === 'hour' ? <Trans>Time</Trans> : <Trans>Day</Trans>}</Table.Th>
          {series.map(({ name }) => (
            <Table.Th key={name} scope="col" ta="end">
              {name}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {at.map((iso, n) => (
          <Table.Tr key={iso}>
            <Table.Th scope="row">
              {linkAt && !hidden ? <Link {...linkAt(iso)}>{writtenTime(iso, step)}</Link> : writtenTime(iso, step)}
            </Table.Th>
            {series.map(({ name, values }) => (
              <Table.Td key={name} ta="end">
                {writtenFigure(values[n], unit)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
  if (hidden) return <VisuallyHidden>{table}</VisuallyHidden>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it.
    <section className={classes.scroll} style={{ maxHeight: height }} tabIndex={0} aria-label={label}>
      {table}
    </section>
  );
}
