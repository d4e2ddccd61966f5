import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { identify } from '../runtime/process-identity.mjs';

/**
 * Returns an identity for a lease's holder, unique among all processes: `HOST_UUID`, followed by what finds the process
 * again where that can be known: `_BOOT_PIDNAMESPACE_PID_START`.
 */
export function leaseIdentity(pid = process.pid): string {
  const place = placeOfProcesses();
  const startTime = identify(pid)?.startTime;
  const process = place === undefined || startTime === undefined ? [] : [...place, pid, startTime];
  return [hostname(), randomUUID(), ...process].join('_');
}

/**
 * Whether the holder of a lease was a process of this machine, boot and PID namespace that has ended: it renews the lease no
 * more, and nobody has to wait until that expires. False wherever that cannot be known.
 */
export function hasHolderEnded(identity: string): boolean {
  const { groups } = PROCESS.exec(identity) ?? {};
  const [boot, pidNamespace] = placeOfProcesses() ?? [];
  if (!groups || groups.boot !== boot || groups.pidNamespace !== pidNamespace) return false;
  return identify(Number(groups.pid))?.startTime !== groups.startTime;
}

const PROCESS = /_(?<boot>[0-9a-f-]{36})_(?<pidNamespace>[0-9]+)_(?<pid>[0-9]+)_(?<startTime>[0-9]+)$/;

/** Within one boot and PID namespace, a PID and its start time name one process. Known on Linux only. */
function placeOfProcesses(): readonly [boot: string, pidNamespace: string] | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const [pidNamespace] = /\d+/.exec(readlinkSync('/proc/self/ns/pid')) ?? [];
    return pidNamespace === undefined ? undefined : [boot, pidNamespace];
  } catch {
    return undefined;
  }
}
