import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Engine } from '../../demo/engine.ts';
import { eventually } from '../eventually.ts';
import { type ArchiveStage, openArchiveStage } from './archive-stage.ts';
import { PYTORCH } from './bridged-stage.ts';
import { applyDefinitions, deleteDefinitions, type Kubectl, openKubectl } from './kubectl.ts';
import { SUCCEEDS, simulatedJob } from './manifests.ts';
import { untilPhase } from './stage.ts';

/** Whoever alerts on lines of level error must not be called for what is in order. */

let on: ArchiveStage;
let kubectl: Kubectl;
const engines: Engine[] = [];

beforeAll(async () => {
  on = await openArchiveStage();
  kubectl = await openKubectl(on.stage);
  await applyDefinitions(kubectl);
  for (const command of ['up', 'bridge'] as const) {
    const engine = new Engine(command, on.stage.sandbox, { logFile: logOf(command) });
    engines.push(engine);
    await engine.start({ ...on.settings, SIGNALBOX_BRIDGE_LEASE_NAME: `${on.temporalNamespace}-bridge` });
  }
});

afterAll(async () => {
  await kubectl('delete', 'pytorchjobs', '--all');
  for (const engine of engines) await engine.stop();
  await on.close();
  await deleteDefinitions(kubectl);
});

const logOf = (command: string) =>
  join(on.stage.sandbox.dir, 'engines', `${on.temporalNamespace}-quiet-${command}.log`);

const errorsOf = (command: string): readonly unknown[] =>
  readFileSync(logOf(command), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { readonly level?: string })
    .filter(({ level }) => level === 'error' || level === 'fatal');

it('jobs that run, pause, are stopped and archived, or are custom resources, leave no line of level error', async () => {
  const { client, archive } = on;
  const { namespace, cluster } = on.stage;
  const master = { annotations: SUCCEEDS };
  const completed = await client.submit(simulatedJob({ name: 'quiet', namespace, master, worker: false }));
  const stopped = await client.submit(simulatedJob({ name: 'halted', namespace }));
  await kubectl.apply([simulatedJob({ name: 'applied', namespace, master, worker: false })]);
  await untilPhase(stopped, 'Running');
  await stopped.suspend();
  await untilPhase(stopped, 'Suspended');
  await stopped.resume();
  await untilPhase(stopped, 'Running');
  await stopped.stop();
  expect([(await completed.wait()).phase, (await stopped.wait()).phase]).toEqual(['Completed', 'Stopped']);
  await eventually('the resource has ended', async () => {
    const { status } = await cluster.get(PYTORCH, namespace, 'applied');
    return status?.phase === 'Completed';
  });
  for (const name of ['quiet', 'halted', 'applied'])
    await eventually(`${name} is archived`, () => archive.find({ namespace, name }));
  expect(['up', 'bridge'].flatMap(errorsOf)).toEqual([]);
});
