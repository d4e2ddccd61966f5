import { join } from 'node:path';
import type { Sandbox } from '@signalbox/sandbox';
import { Engine } from '../../demo/engine.ts';

/** `signalbox up`, for all test files of this process that need no engine of their own. It ends with the run of the tests. */
let shared: Engine | undefined;

/** Returns when it is ready. */
export async function startSharedEngine(sandbox: Sandbox): Promise<void> {
  shared ??= new Engine('up', sandbox, { logFile: join(sandbox.dir, 'engines', 'shared.log') });
  if (!shared.isRunning) await shared.start();
}

/** For a file with an engine of its own, which would share the jobs with this one. */
export async function stopSharedEngine(): Promise<void> {
  await shared?.stop();
}
