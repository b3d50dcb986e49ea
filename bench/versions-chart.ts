// Draws the ratios of a payment to TPC-B over the versions as an SVG image, for light and dark backgrounds.
import { GOALS } from './checks.ts';

/** P2P transfers with 128 connections. Null: not measured in that version. */
export interface VersionResult {
  /** With "+" if unreleased changes were measured. */
  version: string;
  date: string;
  machine: string;
  gatewayMicros: number | null;
  postgresMicros: number | null;
  /** CPU time of a payment / of a TPC-B transaction. */
  cpuRatio: number | null;
  /** Payments per second / TPC-B transactions per second. */
  throughputRatio: number;
}

interface Panel {
  title: string;
  better: 'lower' | 'higher';
  goal: number;
  read(result: VersionResult): number | null;
}

/** CPU time first: it hardly depends on what else runs on the machine. */
const PANELS: readonly Panel[] = [
  { title: 'CPU time: payment / TPC-B', better: 'lower', goal: GOALS.cpuRatio, read: ({ cpuRatio }) => cpuRatio },
  {
    title: 'Throughput: payment / TPC-B',
    better: 'higher',
    goal: GOALS.p2p,
    read: ({ throughputRatio }) => throughputRatio,
  },
];

// Units of the viewBox. Letters of 14 of 480 units are readable on a phone, which is about 360 pixels wide.
const WIDTH = 480;
const LEFT = 44;
const RIGHT = 464;
const PADDING = 32;
const TITLE_HEIGHT = 36;
const PLOT_HEIGHT = 120;
const PANEL_HEIGHT = TITLE_HEIGHT + PLOT_HEIGHT + 14;
const HEIGHT = PANELS.length * PANEL_HEIGHT + 40;
const MAX_LABELS = 7;
const MAX_TICKS = 5;
const STEPS = [0.05, 0.1, 0.2, 0.5, 1, 2, 5];

const STYLE = `
    text { font: 14px system-ui, sans-serif; fill: #57606a; }
    .title { font-weight: 600; fill: #1f2328; }
    .grid { stroke: #8c959f; stroke-opacity: 0.3; }
    .goal { stroke: #1a7f37; stroke-dasharray: 5 4; }
    .goal-label { fill: #1a7f37; }
    .line { fill: none; stroke: #0969da; stroke-width: 2.5; }
    .point { fill: #0969da; }
    .value { font-weight: 600; fill: #0969da; }
    .value, .goal-label { paint-order: stroke; stroke: #fff; stroke-width: 4; }
    @media (prefers-color-scheme: dark) {
      text { fill: #9198a1; }
      .title { fill: #f0f6fc; }
      .goal { stroke: #3fb950; }
      .goal-label { fill: #3fb950; }
      .line { stroke: #58a6ff; }
      .point, .value { fill: #58a6ff; }
      .value, .goal-label { stroke: #0d1117; }
    }`;

export function drawVersions(versions: readonly VersionResult[]): string {
  const labels = versions.map(({ version }, index) =>
    isLabelled(index, versions.length) ? text(xAt(index, versions.length), HEIGHT - 24, version, 'middle') : '',
  );
  const panels = PANELS.map((panel, index) => drawPanel(panel, versions, index * PANEL_HEIGHT));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${(WIDTH * 4) / 3}" role="img">
  <title>CPU time and throughput of a payment by version, as ratios to TPC-B</title>
  <style>${STYLE}
  </style>
${[...panels.flat(), ...labels.filter(Boolean), text((LEFT + RIGHT) / 2, HEIGHT - 5, 'version (+: unreleased changes); machines differ', 'middle')].join('\n')}
</svg>
`;
}

function drawPanel(panel: Panel, versions: readonly VersionResult[], top: number): string[] {
  const values = versions.map(panel.read);
  const highest = Math.max(panel.goal, ...values.map((value) => value ?? 0)) * 1.15;
  const bottom = top + TITLE_HEIGHT + PLOT_HEIGHT;
  const y = (value: number) => bottom - (value / highest) * PLOT_HEIGHT;
  const points = versions.flatMap((result, index) => {
    const value = panel.read(result);
    return value === null ? [] : [{ result, value, index, x: xAt(index, versions.length) }];
  });
  return [
    text(8, top + 20, panel.title, 'start', 'title'),
    text(RIGHT, top + 20, `${panel.better} is better`, 'end'),
    ...ticks(highest).flatMap((tick) => [
      line(y(tick), 'grid'),
      text(LEFT - 6, y(tick) + 5, String(Number(tick.toFixed(2))), 'end'),
    ]),
    line(y(panel.goal), 'goal'),
    text(LEFT + 4, y(panel.goal) - 5, `goal ${panel.goal}`, 'start', 'goal-label'),
    `  <polyline class="line" points="${points.map(({ x, value }) => `${x},${round(y(value))}`).join(' ')}"/>`,
    ...points.flatMap(({ result, value, index, x }) => [
      `  <circle class="point" cx="${x}" cy="${round(y(value))}" r="4.5"><title>${describe(result)}</title></circle>`,
      ...(isLabelled(index, versions.length) ? [text(x, y(value) - 10, value.toFixed(2), 'middle', 'value')] : []),
    ]),
  ];
}

function ticks(highest: number): number[] {
  const step = STEPS.find((each) => highest / each < MAX_TICKS) ?? highest;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, n) => n * step);
}

function xAt(index: number, count: number): number {
  const width = RIGHT - LEFT - 2 * PADDING;
  return round(LEFT + PADDING + (count === 1 ? width / 2 : (index * width) / (count - 1)));
}

/** The last, and as many evenly spaced before it as there is space for. */
function isLabelled(index: number, count: number): boolean {
  return (count - 1 - index) % Math.ceil(count / MAX_LABELS) === 0;
}

function describe({ version, date, machine, gatewayMicros, postgresMicros }: VersionResult): string {
  const cost = gatewayMicros === null ? '' : `: gateway ${gatewayMicros} µs, PostgreSQL ${postgresMicros} µs`;
  return escapeXml(`${version}, ${date}, ${machine}${cost}`);
}

function text(x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end', name = ''): string {
  const style = name ? ` class="${name}"` : '';
  return `  <text x="${x}" y="${round(y)}" text-anchor="${anchor}"${style}>${escapeXml(content)}</text>`;
}

function line(y: number, name: string): string {
  return `  <line class="${name}" x1="${LEFT}" x2="${RIGHT}" y1="${round(y)}" y2="${round(y)}"/>`;
}

const round = (value: number) => Math.round(value * 10) / 10;
const escapeXml = (value: string) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
