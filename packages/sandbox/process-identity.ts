import { z } from 'zod';
import { isAlive, type ProcessIdentity } from './engine.ts';

export const processIdentitySchema: z.ZodType<ProcessIdentity> = z.object({
  pid: z.number().int(),
  startTime: z.string(),
});

/** Signals the process only if it still is the identified one. */
export function signal(identity: ProcessIdentity, name: NodeJS.Signals): boolean {
  if (!isAlive(identity)) return false;
  return kill(identity.pid, name);
}

/** Signals the whole process group that the process leads. */
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
