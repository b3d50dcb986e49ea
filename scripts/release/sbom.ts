// The software bill of materials of what runs in production: npm's own, without what only development needs.
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import type { Checkout } from './checkout.ts';

interface Component {
  'bom-ref': string;
  name: string;
  [field: string]: unknown;
}

export interface Sbom {
  serialNumber: string;
  metadata: { timestamp: string; component: Component; [field: string]: unknown };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
  [field: string]: unknown;
}

interface Locked {
  name?: string;
  version?: string;
  dev?: boolean;
  link?: boolean;
}

export async function sbomOf({ root, read, version, commit, committedAt }: Checkout): Promise<Sbom> {
  const needed = productionPackages(JSON.parse(await read('package-lock.json')).packages);
  const all = await sbomOfNpm(root);
  const main = all.metadata.component['bom-ref'];
  const isKept = (ref: string) => ref === main || needed.has(ref);
  const components = all.components.filter((component) => isKept(component['bom-ref']));
  const listed = new Set(components.map((component) => component['bom-ref']));
  const missing = [...needed].filter((ref) => !listed.has(ref));
  if (missing.length > 0) throw new Error(`the SBOM lacks ${missing.join(', ')}`);
  return {
    ...all,
    serialNumber: `urn:uuid:${uuidOf(`kissi ${version} ${commit}`)}`,
    // npm takes the name of the folder, and the time of the run.
    metadata: { ...all.metadata, timestamp: committedAt, component: { ...all.metadata.component, name: 'kissi' } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => listed.has(each)) })),
  };
}

/** All packages: with --omit=dev npm 11 leaves out those that development needs as well, pg and kysely among them. */
async function sbomOfNpm(root: string): Promise<Sbom> {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only', '--offline'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: root, maxBuffer: 2 ** 28 });
  return JSON.parse(stdout);
}

/** By name and version, as npm refers to them. */
function productionPackages(packages: Record<string, Locked>): Set<string> {
  const found = Object.entries(packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  return new Set(found.map(([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`));
}

/** A UUID of version 8, made from the text. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
