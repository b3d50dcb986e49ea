// A chart's plot, drawn by uPlot on a canvas in the theme's colours.
import { useComputedColorScheme } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { count, shortAmount } from '../../format/money.ts';
import classes from './chart.module.css';
import { type ChartData, type Tone, writtenFigure, writtenTime } from './figures.ts';

interface PlotProps extends ChartData {
  height: number;
  compact: boolean;
}

interface Pointer {
  index: number;
  left: number;
}

export default function Plot(props: PlotProps) {
  const scheme = useComputedColorScheme();
  const frame = useRef<HTMLDivElement>(null);
  const [pointer, setPointer] = useState<Pointer | null>(null);
  const { at, series, unit, step, height, linkAt } = props;
  const navigate = useNavigate();
  const figures = JSON.stringify([at, series, unit, step]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: redrawn only when the figures, colours or height change.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const chart = new uPlot(optionsOf(props, element, setPointer), dataOf(props), element);
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [figures, scheme, height]);
  return (
    // For the keyboard the table has the same links.
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: see above.
    <div
      className={classes.plot}
      style={{ height, ...(linkAt ? { cursor: 'pointer' } : {}) }}
      onClick={() => {
        const iso = pointer && at[pointer.index];
        if (iso && linkAt) void navigate(linkAt(iso) as never);
      }}
    >
      <div ref={frame} className={classes.frame} />
      {pointer && <Readout {...props} {...pointer} width={frame.current?.clientWidth ?? 0} />}
    </div>
  );
}

/** The figures at the pointer. */
function Readout({ at, series, unit, step, index, left, width }: PlotProps & Pointer & { width: number }) {
  const side = left > width / 2 ? { right: width - left + 12 } : { left: left + 12 };
  return (
    <div className={classes.readout} style={side}>
      <div>{writtenTime(at[index] ?? '', step)}</div>
      {series.map(({ name, values }) => (
        <div key={name} className={classes.readoutLine}>
          <span>{name}</span>
          <strong>{writtenFigure(values[index], unit)}</strong>
        </div>
      ))}
    </div>
  );
}

function dataOf({ at, series }: PlotProps): uPlot.AlignedData {
  const seconds = at.map((iso) => Date.parse(iso) / 1000);
  return [seconds, ...series.map(({ values }) => [...values])] as uPlot.AlignedData;
}

function optionsOf(props: PlotProps, element: HTMLElement, point: (at: Pointer | null) => void): uPlot.Options {
  const { series, unit, step, height, compact, bars = false } = props;
  const colours = coloursOf(element);
  const axis = { stroke: colours.text, font: '12px system-ui', ticks: { show: false } };
  const written = (value: number) => (unit === 'minor_units' ? shortAmount(value) : count(value));
  return {
    width: element.clientWidth,
    height,
    legend: { show: false },
    padding: compact ? [4, 2, 2, 2] : [8, 24, 0, 0],
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: {
      x: { time: true, range: (_, first, last) => (bars ? widened(first, last, props.at.length) : [first, last]) },
      y: { range: (_, low, high) => [Math.min(low ?? 0, 0), (high || 1) * 1.08] },
    },
    axes: [
      {
        ...axis,
        show: !compact,
        grid: { show: false },
        space: 64,
        size: 30,
        values: (_, splits) => splits.map((second) => writtenTime(new Date(second * 1000).toISOString(), step)),
      },
      {
        ...axis,
        show: !compact,
        grid: { stroke: colours.grid, width: 1 },
        size: 56,
        values: (_, splits) => splits.map(written),
      },
    ],
    series: [
      {},
      ...series.map(({ tone = 'primary', dashed = false }) => ({
        stroke: colours[tone],
        width: compact ? 1.5 : 2,
        points: { show: false },
        ...(dashed ? { dash: [4, 4] } : {}),
        ...(bars ? { paths: uPlot.paths.bars?.({ size: [0.7, 28], radius: 0.15 }), fill: colours[tone] } : {}),
        ...(!bars && !dashed && tone === 'primary' ? { fill: `${colours.primary}1f` } : {}),
      })),
    ] as uPlot.Series[],
    hooks: {
      setCursor: [
        ({ cursor: { idx, left = -1 } }) => {
          point(idx == null || left < 0 ? null : { index: idx, left: left + (compact ? 0 : 56) });
        },
      ],
    },
  };
}

/** Leaves room for half a column on each side. */
function widened(first: number, last: number, columns: number): [number, number] {
  const half = columns > 1 ? (last - first) / (columns - 1) / 2 : 43_200;
  return [first - half, last + half];
}

/** A canvas does not understand CSS variables, so their values are read here. */
function coloursOf(element: HTMLElement): Record<Tone | 'text' | 'grid', string> {
  const styles = getComputedStyle(element);
  const isDark = document.documentElement.dataset.mantineColorScheme === 'dark';
  const colour = (light: string, dark: string) =>
    styles.getPropertyValue(`--mantine-color-${isDark ? dark : light}`).trim();
  return {
    primary: colour('kissi-8', 'kissi-4'),
    quiet: colour('gray-6', 'gray-6'),
    warning: colour('yellow-8', 'yellow-5'),
    danger: colour('red-8', 'red-5'),
    text: colour('dimmed', 'dimmed'),
    grid: colour('gray-2', 'dark-5'),
  };
}
