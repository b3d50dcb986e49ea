// The results of every version (bench/versions.json), and the chart and table that show them.
import { readFile, writeFile } from 'node:fs/promises';
import { machine, table, today } from './runner.ts';
import { drawVersions, type VersionResult } from './versions-chart.ts';

export type Figures = Omit<VersionResult, 'version' | 'date' | 'machine'>;

const FILE = new URL('./versions.json', import.meta.url);
const CHART = new URL('./versions.svg', import.meta.url);

export async function readVersions(): Promise<VersionResult[]> {
  return JSON.parse(await readFile(FILE, 'utf8'));
}

/** With the figures of this checkout; those of an earlier measurement of the same version are replaced. */
export async function addFigures(versions: readonly VersionResult[], figures: Figures): Promise<VersionResult[]> {
  const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
  const { version } = JSON.parse(await read('package.json')) as { version: string };
  const label = versionLabel(version, await read('CHANGELOG.md'));
  const others = versions.filter((each) => each.version !== label);
  return [...others, { version: label, date: today(), machine: machine(), ...figures }];
}

export function versionLabel(version: string, changelog: string): string {
  return /^## Unreleased$/m.test(changelog) ? `${version}+` : version;
}

export async function writeVersions(versions: readonly VersionResult[]): Promise<void> {
  await writeFile(FILE, `${JSON.stringify(versions, null, 2)}\n`);
  await writeFile(CHART, drawVersions(versions));
}

/** The page's section. */
export function reportVersions(versions: readonly VersionResult[]): string {
  const rows = versions.map((each) => [
    ...[each.version, each.date, each.machine],
    ...[each.gatewayMicros, each.postgresMicros, each.cpuRatio?.toFixed(2)].map((value) => value ?? ''),
    each.throughputRatio.toFixed(2),
  ]);
  return `## Versions

P2P transfers with 128 connections, next to TPC-B in the same run: a ratio cancels the speed of a machine, not its
kind, so versions measured on different machines compare roughly (\`npm run bench:compare\` measures two on one machine). "+" means with unreleased
changes. CPU time has been measured since 0.4.0.

![CPU time and throughput of a payment by version, as ratios to TPC-B](versions.svg)

${table(['version', 'date', 'machine', 'gateway µs', 'PostgreSQL µs', 'CPU / TPC-B', 'throughput / TPC-B'], rows)}`;
}
