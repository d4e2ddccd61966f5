import { z } from 'zod';
import { isAlive, type ProcessIdentity } from './engine.ts';

export const processIdentitySchema: z.ZodType<ProcessIdentity> = z.object({
  pid: z.number().int(),
  startTime: z.string(),
});

/** Sends the signal only if the process is still the one that was identified. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  return kill(identity.pid, name);
}

/** The same for a child that leads its own process group, and everything it started. */
export function signalGroup(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  return kill(-identity.pid, name);
}

function kill(target: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(target, name);
  } catch {
    return false; // it ended between the check and the signal
  }
}
