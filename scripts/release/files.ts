// The files of a release: tarball, SBOM, rules and checksums. The same commit gives the same bytes.
import { hash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Checkout } from './checkout.ts';
import { sbomOf } from './sbom.ts';

/** git's tar has the time of the commit, and zlib's gzip none. */
export async function writeTarball({ git, version }: Checkout, directory: string): Promise<void> {
  const tar = await git('archive', '--format=tar', `--prefix=kissi-${version}/`, 'HEAD');
  await writeFile(join(directory, `kissi-${version}.tar.gz`), gzipSync(tar, { level: 9 }));
}

export async function writeSbom(checkout: Checkout, directory: string): Promise<void> {
  const text = JSON.stringify(await sbomOf(checkout), null, 2);
  await writeFile(join(directory, `kissi-${checkout.version}.cdx.json`), `${text}\n`);
}

const PLACEHOLDER = 'https://docs.example.com/';

/** Runbooks lead to the documents of this version. */
export async function writeAlertRules({ read, version }: Checkout, directory: string, docsUrl: string): Promise<void> {
  for (const name of ['alerts', 'slo']) {
    const text = await read(`docs/prometheus/${name}.yml`);
    if (!text.includes(PLACEHOLDER)) throw new Error(`docs/prometheus/${name}.yml does not name ${PLACEHOLDER}`);
    const linked = text.replaceAll(PLACEHOLDER, docsUrl.endsWith('/') ? docsUrl : `${docsUrl}/`);
    await writeFile(join(directory, `kissi-${version}-prometheus-${name}.yml`), linked);
  }
}

/** As `sha256sum` writes them, so that `sha256sum --check SHA256SUMS` reads them. */
export async function writeChecksums(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).sort();
  const lines = await Promise.all(
    names.map(async (name) => `${hash('sha256', await readFile(join(directory, name)))}  ${name}`),
  );
  await writeFile(join(directory, 'SHA256SUMS'), `${lines.join('\n')}\n`);
  return lines;
}
