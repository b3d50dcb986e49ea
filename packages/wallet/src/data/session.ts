// The customer's session: login with a code, later with the device's token and the PIN.
import { closeSession, openSession, post, Refused, type Tokens } from './api.ts';
import { forgetLoads } from './load.ts';
import { forgetPending } from './payment.ts';

/** Useless without the PIN, replaced at every login, and never sent by the browser itself (docs/decisions/web-wallet.md). */
const STORED_AS = 'kissi-wallet-device';

interface Login extends Tokens {
  device_token: string;
}

export const knowsDevice = () => localStorage.getItem(STORED_AS) !== null;

function opened(login: Login): void {
  localStorage.setItem(STORED_AS, login.device_token);
  openSession(login);
}

export async function beginLogin(phone: string): Promise<string> {
  const { challenge } = await post<{ challenge: string }>('/me/login', { phone_number: phone });
  return challenge;
}

export async function finishLogin(login: { challenge: string; code: string; pin: string; device_name: string }) {
  opened(await post<Login>('/me/login/verify', login));
}

/** False: the service does not know the device any more. */
export async function unlock(pin: string): Promise<boolean> {
  const device_token = localStorage.getItem(STORED_AS) ?? '';
  try {
    opened(await post<Login>('/me/login/device', { device_token, pin }));
    return true;
  } catch (error) {
    if (!(error instanceof Refused) || error.code !== 'UNAUTHORIZED') throw error;
    forgetDevice();
    return false;
  }
}

/** Forgets the session and what it read. The service is told if it can be reached. */
export function logOut(): void {
  const refresh = closeSession();
  forgetLoads();
  if (refresh) post('/me/logout', { refresh_token: refresh }).catch(() => undefined);
}

/** Another customer may use the phone next. */
export function forgetDevice(): void {
  localStorage.removeItem(STORED_AS);
  forgetPending();
}

/** What the list of devices calls this phone: "Android phone". */
export function deviceName(agent = navigator.userAgent): string {
  const names: [RegExp, string][] = [
    [/iPhone/, 'iPhone'],
    [/iPad/, 'iPad'],
    [/Android/, 'Android phone'],
    [/Windows/, 'Windows computer'],
    [/Mac OS/, 'Mac'],
    [/Linux/, 'Linux computer'],
  ];
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Web browser';
}
