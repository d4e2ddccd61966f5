import { homedir } from 'node:os';
import { join } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the default directory for evidence. */
export const defaultDirectory = (env: Environment): string => join(stateDirectory(env), 'evidence');

/** Returns the default directory for the archive. */
export const defaultArchive = (env: Environment): string => join(stateDirectory(env), 'archive');

/** Returns the directory for the checkpoints that this user has verified. */
export const verifiedDirectory = (env: Environment): string => join(stateDirectory(env), 'verified');

/** Under the user's state directory (XDG Base Directory Specification). */
const stateDirectory = (env: Environment): string =>
  join(env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state'), 'signalbox');
