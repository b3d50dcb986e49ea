// Which addresses are on this machine.
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost';
  return LOOPBACK.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

/** Null: reached through a Unix socket. */
export function isThisMachine(address: string | null): boolean {
  if (address === null || isLoopback(address)) return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((own) => own.address === address));
}
