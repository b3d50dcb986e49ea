// Which test file plays which change of the console. Each file fails unless it has sent its changes from a browser, and
// played.test.ts fails if the console can send a change that no file plays.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { takeChanges } from '../sent.ts';

/** By test file: the client's families with their methods. */
export const PLAYED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  administration: {
    apiKeys: 'create revoke rotate update',
    approvals: 'collectSecrets',
    goingLive: 'confirm withdraw',
    savedViews: 'create delete',
    users: 'create resetPassword update',
  },
  'agent-phone': {
    floatRequests: 'accept ask cancel decline',
    subscribers: 'requestLevel uploadDocument',
  },
  approvals: {
    approvals: 'approve reject updatePolicy withdraw',
  },
  'bulk-actions': {
    alerts: 'assign resolve update',
    approvals: 'approve reject',
  },
  'bulk-payments': {
    bulkPayments: 'approve cancel create retryFailed stop',
  },
  cases: {
    cases: 'addNote assign changeState extendHold legalOrder markComplex open recall sendMessage uploadFile',
  },
  compliance: {
    alerts: 'assign raise release resolve update',
    fees: 'delete put whatIf',
    rules: 'create update whatIf whatIfNew',
    subscribers: 'block',
  },
  counter: {
    agents: 'cashIn redeemCode transferFloat',
    wallet: 'withdraw',
  },
  customers: {
    cards: 'block link linkChild unblock unlink update',
    session: 'sendPepCode verifyPepCode',
    subscribers: 'addNote block enableTypes register resetPin unblock unlockPin update',
    wallet: 'statement',
  },
  desk: {
    processors: 'returnPayout',
    reconciliation: 'acceptSuggestion',
  },
  finance: {
    agents: 'returnFloat',
    closes: 'create',
    commissionTiers: 'update',
    reconciliation: 'assign match release run undoMatch writeOff',
    suspense: 'resolve',
    trustAccounts: 'create update uploadStatement',
  },
  'merchant-money': {
    processors: 'payOut returnPayout transfer',
  },
  network: {
    agents: 'fund reactivate register resetPin suspend terminate update',
    processors: 'create reactivate refund suspend update',
  },
  'own-changes': {
    processors: 'addBankAccount createKey createUser payOut removeBankAccount revokeKey',
    registration: 'resendCode verify',
    subscribers: 'register',
  },
  'own-logins': {
    agents: 'changePin',
    processors: 'refund',
  },
  'own-requests': {
    paymentRequests: 'cancel create',
  },
  'own-webhooks': {
    integration: 'replayDelivery',
    webhookEndpoints: 'create delete rotateSecret test update',
  },
  partners: {
    apiKeys: 'rotate',
    credits: 'reverse',
    partners: 'create rotateWebhookSecret settle update',
    webhookDeliveries: 'replay',
  },
  'personal-data': {
    privacy: 'erase',
    subscribers: 'activate update',
  },
  'second-factor': {
    consoleSession: 'finishLogin',
    secondFactor: 'beginTotp confirmTotp passkeyOptions registerPasskey removePasskey removeTotp replaceRecoveryCodes',
    users: 'resetSecondFactor',
  },
  session: {
    consoleSession: 'end refresh start',
    session: 'changePassword',
  },
  'staff-requests': {
    paymentRequests: 'cancel',
  },
};

/** Each change of the API as `family.method`, with what it looks like on the wire. */
export async function changesOfApi(): Promise<Map<string, RegExp>> {
  const { paths } = JSON.parse(await readFile(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'));
  const changes = new Map<string, RegExp>();
  for (const [path, operations] of Object.entries<Record<string, { 'x-client-method'?: string }>>(paths)) {
    for (const [method, { 'x-client-method': name }] of Object.entries(operations)) {
      const sent = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}`;
      if (name && method !== 'get') changes.set(name, new RegExp(`^${sent}$`));
    }
  }
  return changes;
}

export const playedBy = (file: string): string[] =>
  Object.entries(PLAYED[file] ?? {}).flatMap(([family, methods]) =>
    methods.split(' ').map((method) => `${family}.${method}`),
  );

/** After all tests of a file; a run of some of them proves nothing. */
export async function assertPlayed(): Promise<void> {
  if (process.execArgv.some((option) => option.startsWith('--test-name-pattern'))) return;
  const changes = await changesOfApi();
  const sent = takeChanges();
  // Set in a process that runs several files.
  const file = process.env.TEST_FILE ?? process.argv[1] ?? '';
  const missing = playedBy(basename(file, '.test.ts')).filter(
    (change) => !sent.some((each) => changes.get(change)?.test(each)),
  );
  assert.deepEqual(missing, [], 'changes that no browser has sent');
}
