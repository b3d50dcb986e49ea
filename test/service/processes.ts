// Requests to a service process, and the processes of its PostgreSQL.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceProcess } from '../support/service.ts';
import { waitFor } from '../support/wait.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };

export async function register(service: ServiceProcess, phone: string): Promise<Response> {
  const body = JSON.stringify({ phone_number: phone, first_name: 'Fatu', last_name: 'Sesay', pin: '4821' });
  return fetch(`${service.url}/api/v1/public/subscribers`, { method: 'POST', headers: JSON_TYPE, body });
}

/** The database status in /health: ok or unavailable. */
export const walletCore = async (url: string) =>
  ((await (await fetch(`${url}/health`)).json()) as { wallet_core: string }).wallet_core;

export async function postmasterPid(folder: string): Promise<number> {
  return Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

export const isRunning = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) Z /.test(status);
};

/** The metrics of all gateways. Of one that does not answer in time, a reply has only the counts that it reported before. */
export async function metricsOf(url: string, gateways: number): Promise<string> {
  return waitFor('every gateway reports', async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
    const reported = new Set([...text.matchAll(/[{,]gateway="(\d+)"/g)].map(([, index]) => index));
    return reported.size === gateways ? text : null;
  });
}

/** The process ids of a PostgreSQL server: the postmaster first, then its children. */
export async function serverProcesses(pgdata: string): Promise<number[]> {
  const postmaster = await postmasterPid(pgdata);
  return [postmaster, ...(await childrenOf(postmaster))];
}

/** Process ids. */
export async function childrenOf(pid: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const parents = await Promise.all(
    pids.map(async (child) => {
      const text = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => '');
      return { child, parent: Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) };
    }),
  );
  return parents.filter(({ parent }) => parent === pid).map(({ child }) => child);
}
