import { homedir } from 'node:os';
import { join } from 'node:path';

/** Returns the default directory for evidence, under the user's state directory (XDG Base Directory Specification). */
export function defaultDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  return join(state, 'signalbox', 'evidence');
}
