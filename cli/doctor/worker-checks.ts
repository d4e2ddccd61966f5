import type { Client } from '@temporalio/client';
import { livePollers } from '../../client/servers/worker-presence.ts';
import { versionInIdentity } from '../../contracts/worker-identity.ts';
import type { Settings } from '../settings/settings.ts';
import { ownVersion } from '../shell/own-version.ts';
import { clocksOfWorkers } from './clocks-of-workers.ts';
import { type Finding, findingsOf } from './finding.ts';
import { reasonIn } from './temporal-checks.ts';

const { ok, warning, fault } = findingsOf('workers');

/** Looks for workers that poll the task queue, and at their versions. */
export async function* workerFindings(client: Client, { taskQueue }: Settings): AsyncGenerator<Finding> {
  try {
    const pollers = await livePollers(client, taskQueue);
    if (pollers.length === 0) {
      yield fault(
        'polling',
        `no worker polls the task queue ${taskQueue}: jobs that are submitted stay Pending`,
        'Start one: `signalbox up` here, or `kubectl -n signalbox-system get pods` to see why those of the cluster do not run. If they poll another queue, set SIGNALBOX_TASK_QUEUE.',
      );
      return;
    }
    const one = pollers.length === 1;
    yield ok(
      'polling',
      `${pollers.length} ${one ? 'worker polls' : 'workers poll'} the task queue ${taskQueue}`,
    );
    yield versionFinding(pollers);
    yield* await clocksOfWorkers(client, taskQueue, pollers);
  } catch (error) {
    yield warning(
      'polling',
      `the task queue ${taskQueue} cannot be read: ${reasonIn(error)}`,
      'Check the credentials of Temporal.',
    );
  }
}

function versionFinding(pollers: readonly string[]): Finding {
  const own = ownVersion();
  const versions = [...new Set(pollers.map((identity) => versionInIdentity(identity) ?? 'unknown'))].sort();
  if (versions.every((version) => version === own)) return ok('version', `${own}, as this command line`);
  return warning(
    'version',
    `workers have version ${versions.join(', ')}; this command line has ${own}`,
    'Use one version: what one of them knows, another may not (docs/upgrades.md#while-both-versions-run).',
  );
}
