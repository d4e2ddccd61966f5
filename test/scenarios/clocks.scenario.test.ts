import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Finding } from '../../cli/doctor/finding.ts';
import { leaderFindings } from '../../cli/doctor/leader-checks.ts';
import { workerFindings } from '../../cli/doctor/worker-checks.ts';
import type { Settings } from '../../cli/settings/settings.ts';
import { DEFAULT_TASK_QUEUE } from '../../contracts/messages.ts';
import { eventually } from '../eventually.ts';
import { withClockAhead } from '../skewed-clock.ts';
import { gangJob } from './gang-jobs.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';

/** A watcher whose clock is 20 s behind, longer than a turn, and a worker's that is as much ahead: nothing compares them. */

const BEHIND = withClockAhead(-20_000);
const AHEAD = withClockAhead(20_000);

let stage: Stage;
let pool: NodePool;

beforeAll(async () => {
  stage = await openStage();
  pool = await openNodePool(stage.cluster, { nodes: [2] });
  await stage.engine('worker', AHEAD);
  await stage.engine('watcher', BEHIND);
});

afterAll(async () => {
  await pool.remove();
  await stage.close();
});

it('a gated gang is lifted although the clocks of watcher and worker differ, and doctor says that they do', async () => {
  const { namespace } = stage;
  const job = await stage.client.submit(gangJob({ gang: 'gated', name: 'skewed', pool, pods: 2, namespace }));
  await untilPhase(job, 'Running');
  const settings = { leaseNamespace: 'default', leaseName: 'signalbox-watcher' } as Settings;
  const clock = await eventually('the watcher has renewed its lease', async () => {
    const findings = await leaderFindings('watcher', stage.cluster, { settings, installation: undefined });
    return findings.find(({ check }) => check === 'clock');
  });
  expect(clock).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(/^the clock of the watcher is (19|20|21)s behind that of the API server$/),
  });
  await job.stop({});
});

it('doctor asks the worker what time it is, and says that Temporal has another', async () => {
  const findings: Finding[] = [];
  const settings = { taskQueue: DEFAULT_TASK_QUEUE } as Settings;
  for await (const finding of workerFindings(stage.temporal, settings)) findings.push(finding);
  const clocks = findings.filter(({ check }) => check === 'clock');
  expect(clocks.map(({ part, state, message }) => `${part} ${state}: ${message}`)).toEqual([
    'Temporal ok: the clock of Temporal agrees with that of this machine',
    expect.stringMatching(
      /^workers warning: the clock of worker .+ is (1\d|20)(\.\d)?s ahead of that of Temporal$/,
    ),
  ]);
});
