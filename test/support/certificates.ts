// An authority of the test and the certificates that it issues, made with openssl.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Certificate {
  /** Files in PEM. */
  cert: string;
  key: string;
}

export interface Authority {
  /** The file with the authority's certificate. */
  ca: string;
  /** Issues a certificate for these host names and addresses, or for a client of this common name. `days`: below 0, it has expired. */
  issue(name: string, hosts?: readonly string[], days?: number): Promise<Certificate>;
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export async function createAuthority(folder: string, name = 'ca'): Promise<Authority> {
  const fileOf = (file: string) => join(folder, file);
  const [ca, caKey] = [fileOf(`${name}.crt`), fileOf(`${name}.key`)];
  const subject = ['-subj', `/O=Kissi test/CN=${name}`];
  await run('openssl', ['req', '-x509', ...NEW_KEY, '-keyout', caKey, '-out', ca, '-days', '2', ...subject]);
  return {
    ca,
    async issue(owner, hosts = [], days = 2) {
      const [cert, key, request, extensions] = ['crt', 'key', 'csr', 'ext'].map((end) => fileOf(`${owner}.${end}`)) as [
        string,
        string,
        string,
        string,
      ];
      await run('openssl', ['req', '-new', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${owner}`]);
      const names = hosts.map((host) => `${isIP(host) ? 'IP' : 'DNS'}:${host}`);
      const usage = hosts.length > 0 ? 'serverAuth' : 'clientAuth';
      const lines = [`extendedKeyUsage=${usage}`, ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : [])];
      await writeFile(extensions, lines.join('\n'));
      const signing = ['-CA', ca, '-CAkey', caKey, '-CAcreateserial', '-days', String(days), '-extfile', extensions];
      await run('openssl', ['x509', '-req', '-in', request, '-out', cert, ...signing]);
      return { cert, key };
    },
  };
}
