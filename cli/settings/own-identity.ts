import { hostname } from 'node:os';
import { workerIdentityOf } from '../../contracts/worker-identity.ts';
import { ownVersion } from '../shell/own-version.ts';

/** The identity of a worker in this process. */
export const ownIdentity = (): string =>
  workerIdentityOf(ownVersion(), { pid: process.pid, host: hostname() });
