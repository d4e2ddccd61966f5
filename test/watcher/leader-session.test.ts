import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import type { Digest } from '../../contracts/digest.ts';
import { renderLaneRecord } from '../../contracts/lane-record.ts';
import { Readiness } from '../../leader/readiness.ts';
import { noGrants } from '../../watcher/lanes/lanes-loop.ts';
import { LeaderSession } from '../../watcher/leader-session.ts';
import { eventually } from '../eventually.ts';
import { diceOf } from '../simulation/dice.ts';
import { ModelProcess } from '../simulation/process.ts';
import { ModelTemporal } from '../simulation/temporal-server.ts';
import { HOME } from './a-tracker.ts';
import { FaultyCluster } from './faulty-cluster.ts';
import { anAnchor, aPod, READY } from './fixtures.ts';
import { cleanUpOrphan, trainingJob } from './recorder-workflow.ts';

/** A leader as watcher.ts starts it, before the simulation's servers. */

const WORKFLOW = 'job/default/resnet';
const LANES = { namespace: 'lanes', name: 'lanes' };

let cluster: FaultyCluster;
let temporal: ModelTemporal;
let readiness: Readiness;
let leadership: AbortController;
let leading: Promise<void>;

beforeEach(() => {
  cluster = new FaultyCluster();
  temporal = new ModelTemporal({ trainingJob, cleanUpOrphan }, diceOf(1), () => undefined);
  readiness = new Readiness();
  leadership = new AbortController();
  cluster.apply('configmaps', anAnchor({ ...HOME, milestones: '1' }));
  leading = new LeaderSession(
    {
      temporal: temporal.connect(new ModelProcess('watcher', 1)),
      cluster: cluster.client,
      home: HOME,
      noteForeign: () => undefined,
      taskQueue: 'signalbox',
      scanIntervalMs: 60_000,
      lanes: LANES,
      grants: noGrants(),
      readiness,
      log: pino({ level: 'silent' }),
    },
    leadership.signal,
  ).run();
});

afterEach(async () => {
  leadership.abort();
  cluster.close();
  await leading;
});

const until = (fact: string, holds: () => unknown) =>
  eventually(
    fact,
    async () => {
      for (const { run } of temporal.steps()) await run();
      for (const run of temporal.open()) if (run.hasWork) await run.task();
      return holds();
    },
    { everyMs: 5 },
  );

const digests = async () => ((await temporal.last(WORKFLOW)?.query('digests', [])) ?? []) as Digest[];

describe('a leader', () => {
  it('signals the state of a job’s pods to its workflow', async () => {
    temporal.start(WORKFLOW, 'trainingJob', []);
    cluster.apply('pods', aPod({ ...HOME, status: READY }));
    await until('the workflow has a digest', async () => (await digests()).length > 0);
    expect((await digests()).at(-1)).toMatchObject({ anchor: 'anchor-1', roles: { worker: { ready: 1 } } });
  });

  it('has the objects of a job removed whose workflow has ended without clean-up', async () => {
    temporal.start(WORKFLOW, 'trainingJob', []).terminate();
    cluster.apply('pods', aPod({ ...HOME, status: READY }));
    await until('a clean-up was started', () => temporal.all().some(({ type }) => type === 'cleanUpOrphan'));
  });

  it('has the record in a lane removed of a job whose anchor is gone, and says which workflow it was', async () => {
    const record = {
      ...{ namespace: 'default', job: 'lost', anchorUid: 'anchor-2' },
      request: { lane: 'main', priority: 0, demand: { pods: '1' }, labels: {} },
    };
    cluster.apply('configmaps', renderLaneRecord(record, LANES));
    const cleanUp = () => temporal.all().find(({ type }) => type === 'cleanUpOrphan');
    await until('a clean-up was started', cleanUp);
    expect(cleanUp()?.args).toEqual([
      expect.objectContaining({
        ...{ namespace: 'default', anchorName: 'lost.signalbox', anchorUid: 'anchor-2' },
        workflowId: 'job/default/lost',
      }),
    ]);
  });

  it('neither follows nor remembers pods of another installation', async () => {
    temporal.start(WORKFLOW, 'trainingJob', []);
    cluster.apply('pods', aPod({ installation: 'theirs', status: READY }));
    await until('the workflow has a digest', async () => (await digests()).length > 0);
    expect((await digests()).at(-1)?.roles).toEqual({});
  });
});
