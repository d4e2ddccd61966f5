/**
 * What the sandbox uses of the engine's `runtime/`. Apart from `engine.ts`, whose client takes long to load: the command line
 * asks at each start whether a sandbox runs.
 */

export { acquireLock } from '../../runtime/lock.mjs';
export { identify, isAlive, type ProcessIdentity } from '../../runtime/process-identity.mjs';
