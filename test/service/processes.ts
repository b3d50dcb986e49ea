// Requests to a service process.
import type { ServiceProcess } from '@kissi/testkit/service';
import { waitFor } from '../support/wait.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };

export async function register(service: ServiceProcess, phone: string): Promise<Response> {
  const body = JSON.stringify({ phone_number: phone, first_name: 'Fatu', last_name: 'Sesay', pin: '4821' });
  return fetch(`${service.url}/api/v1/public/subscribers`, { method: 'POST', headers: JSON_TYPE, body });
}

/** The database status in /health: ok or unavailable. */
export const walletCore = async (url: string) =>
  ((await (await fetch(`${url}/health`)).json()) as { wallet_core: string }).wallet_core;

/** The metrics of all gateways. Of one that does not answer in time, a reply has only the counts that it reported before. */
export async function metricsOf(url: string, gateways: number): Promise<string> {
  return waitFor('every gateway reports', async () => {
    const text = await (await fetch(`${url}/metrics`, { headers: { connection: 'close' } })).text();
    const reported = new Set([...text.matchAll(/[{,]gateway="(\d+)"/g)].map(([, index]) => index));
    return reported.size === gateways ? text : null;
  });
}
