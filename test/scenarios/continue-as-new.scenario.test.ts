import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { SignalboxClient } from '../../client/client.ts';
import { PODS } from '../../contracts/kubernetes.ts';
import { Engine } from '../../demo/engine.ts';
import { ensurePrograms } from '../../sandbox/programs/ensure-programs.ts';
import { connectTemporal } from '../../temporal/connection.ts';
import { freePort } from '../../worker/free-port.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from './manifests.ts';
import { openStage, type Stage, untilObjects, untilPhase } from './stage.ts';

/** A Temporal server that finds histories long after 60 events, where others say so after 4,096. */

let stage: Stage;
let server: ChildProcess;
let engine: Engine;
let temporal: Client;
let client: SignalboxClient;

beforeAll(async () => {
  stage = await openStage();
  const { temporal: program } = await ensurePrograms({ names: ['temporal'] });
  const port = await freePort();
  server = spawn(
    program,
    [
      ...[
        'server',
        'start-dev',
        '--headless',
        '--port',
        String(port),
        '--http-port',
        String(await freePort()),
      ],
      ...['--metrics-port', String(await freePort())],
      ...['--dynamic-config-value', 'limit.historyCount.suggestContinueAsNew=60'],
    ],
    { stdio: 'ignore' },
  );
  const settings = { address: `127.0.0.1:${port}`, namespace: 'default' };
  temporal = await eventually('Temporal answers', () => connectTemporal(settings, { connectTimeout: 1_000 }));
  client = await SignalboxClient.connect({ temporal: settings, namespace: stage.namespace });
  const logFile = join(stage.sandbox.dir, 'engines', `${stage.namespace}.log`);
  engine = new Engine('up', { ...stage.sandbox, temporalAddress: settings.address }, { logFile });
  await engine.start();
});

afterAll(async () => {
  await engine.stop();
  await client.close();
  await temporal.connection.close();
  const exited = once(server, 'exit');
  server.kill('SIGTERM');
  await exited;
  await stage.close();
});

it('a job with a long history goes on in a new run, and loses nothing', async () => {
  const runPolicy = { cleanPodPolicy: 'All' };
  const manifest = simulatedJob({ name: 'epic', namespace: stage.namespace, runPolicy });
  const { job } = await client.submit(manifest);
  await untilPhase(job, 'Running');
  const handle = temporal.workflow.getHandle(job.workflowId);
  const first = (await handle.describe()).runId;

  let restarts = 0;
  for (let run = first; run === first; run = (await handle.describe()).runId) {
    const { metadata } = await stage.pod('epic-worker-0');
    await stage.cluster.delete(PODS, stage.namespace, 'epic-worker-0');
    restarts++;
    await eventually('the pod is replaced, and known to be', async () => {
      const pod = await stage.pod('epic-worker-0');
      const status = await job.status();
      return pod.metadata.uid !== metadata.uid && status.restarts === restarts && status.phase === 'Running';
    });
  }

  const { timeline, conditions, startTime } = await untilPhase(job, 'Running');
  expect(timeline[0]?.state).toBe('Pending.Creating');
  expect(timeline.filter(({ phase }) => phase === 'Restarting')).toHaveLength(restarts);
  expect(conditions[0]?.type).toBe('Created');
  expect(startTime).toBeDefined();
  expect((await client.submit(manifest)).outcome).toBe('already-running');

  await stage.endPod('epic-master-0', { exitCode: 0 });
  expect(await job.wait()).toMatchObject({ phase: 'Completed', restarts });
  await untilObjects(stage, ['ConfigMap/epic.signalbox']);
});
