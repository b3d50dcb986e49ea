// The guard's process: waits until the tool has ended, then kills what the tool left running and removes its folders.
import { createInterface } from 'node:readline';
import { identifyProcess } from '@kissi/embedded-postgres';
import { sendSignal } from './faults.ts';
import type { GuardOrder } from './guard.ts';
import { killGroup, removeFolder } from './leftovers.ts';

interface Owned {
  isGroup: boolean;
  /** A pid alone is ambiguous: it may be reused. */
  startTime: string | undefined;
}

const folders = new Set<string>();
const processes = new Map<number, Owned>();

for await (const line of createInterface({ input: process.stdin })) {
  // The last line is incomplete if the tool was killed while it wrote it.
  if (line.endsWith('}')) await obey(JSON.parse(line));
}
for (const [pid, { isGroup, startTime }] of processes) {
  if (isGroup) killGroup(pid);
  else if ((await identifyProcess(pid))?.startTime === startTime) sendSignal(pid, 'SIGKILL');
}
for (const folder of folders) await removeFolder(folder).catch(() => undefined);

async function obey(order: GuardOrder): Promise<void> {
  if ('folder' in order) folders.add(order.folder);
  else if ('ended' in order) processes.delete(order.ended);
  else processes.set(order.pid, { isGroup: order.isGroup, startTime: (await identifyProcess(order.pid))?.startTime });
}
