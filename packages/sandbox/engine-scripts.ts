/**
 * What the sandbox uses of the engine's scripts. Apart from `engine.ts`, whose client takes long to load: the command line
 * asks at each start whether a sandbox runs.
 */

export { acquireLock } from '../../scripts/lock.mjs';
export { identify, isAlive, type ProcessIdentity } from '../../scripts/process-identity.mjs';
