import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ensurePrograms } from '@signalbox/sandbox';
import { parse } from 'yaml';
import type { JobResource } from '../../contracts/job-resources.ts';
import type { Engine } from '../../demo/engine.ts';
import { NAMESPACE } from '../deploy/manifests.ts';
import { yamlFiles } from '../docs/page-blocks.ts';
import { type BridgedStage, openBridgedStage, PYTORCH } from '../scenarios/bridged-stage.ts';
import { type JobOptions, SUCCEEDS, simulatedJob } from '../scenarios/manifests.ts';
import { openLongSandbox } from './sandbox.ts';

/**
 * What Flux and Argo CD make of jobs that are applied as custom resources, by the rules of docs/front-door.md: with Flux's own
 * evaluation of rules, and with the interpreter of Argo CD's. The jobs are real ones.
 */

/** The first build of the program takes a minute. */
const SET_UP_MS = 15 * 60_000;

const PAGE = Object.fromEntries(yamlFiles(readFileSync('docs/front-door.md', 'utf8')));

interface Verdict {
  readonly kstatus: string;
  readonly flux: string;
  readonly argo: string;
  readonly hasArgoRule: boolean;
}

let on: BridgedStage;
let bridge: Engine;
let program: string;

beforeAll(async () => {
  ({ 'gitops-health': program } = await ensurePrograms({ names: ['gitops-health'] }));
  on = await openBridgedStage({}, { localNode: false, sandbox: await openLongSandbox() });
  ({ bridge } = on);
}, SET_UP_MS);

afterAll(() => on?.close());

const applied = (name: string, options: Partial<JobOptions> = {}) =>
  on.kubectl.apply([simulatedJob({ name, namespace: on.stage.namespace, ...options })]);

/** The rules of the page, on a resource as it is now. */
async function verdictOn(name: string): Promise<Verdict> {
  const [, lua] = Object.entries(parse(PAGE['argocd.yaml']!))[0]!;
  const [flux] = parse(PAGE['flux.yaml']!).healthCheckExprs;
  const [verdict] = await asked({ lua, flux, objects: [await on.resourceOf(name)] });
  return verdict!;
}

/** With what a JSON document says on its standard input. */
const asked = (question: object): Promise<readonly Verdict[]> =>
  new Promise((resolve, reject) => {
    const child = execFile(program, (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))));
    child.stdin!.end(JSON.stringify(question));
  });

const expectVerdict = async (name: string, argo: string, flux: string) =>
  expect(await verdictOn(name)).toMatchObject({
    argo,
    flux: expect.stringMatching(flux),
    hasArgoRule: false,
  });

describe('Argo CD and Flux, by the rules of the page, find a job', () => {
  it('that waits in progress, and one that runs, and has completed, healthy', async () => {
    await applied('ends', { limits: { cpu: '1000' } });
    await on.untilPhase('ends', 'Pending');
    await expectVerdict('ends', 'Progressing', 'InProgress');
    await on.kubectl('delete', 'pytorchjob', 'ends');
    await applied('ends');
    await on.untilPhase('ends', 'Running');
    await expectVerdict('ends', 'Healthy', 'Current');
    await on.stage.endPod('ends-master-0', { exitCode: 0 });
    await on.untilPhase('ends', 'Completed');
    await expectVerdict('ends', 'Healthy', 'Current');
  });

  it('that is suspended so, and in progress until the bridge has seen that it is to run', async () => {
    await applied('paused', { runPolicy: { suspend: true } });
    await on.untilPhase('paused', 'Suspended');
    await expectVerdict('paused', 'Suspended', 'Current');
    await bridge.kill();
    await on.kubectl('patch', 'pytorchjob', 'paused', '--type=merge', '-p', RESUME);
    await expectVerdict('paused', 'Progressing', 'InProgress');
    await bridge.start({ SIGNALBOX_LEASE_NAMESPACE: NAMESPACE });
    await on.untilPhase('paused', 'Running');
    await expectVerdict('paused', 'Healthy', 'Current');
  });

  it('that has failed degraded, as one that was stopped, and one with a faulty manifest until it is corrected', async () => {
    await applied('fails', { master: { restartPolicy: 'Never' } });
    await on.untilPhase('fails', 'Running');
    await on.stage.endPod('fails-master-0', { exitCode: 3 });
    await on.untilPhase('fails', 'Failed');
    await applied('halted');
    await on.untilPhase('halted', 'Running');
    await on.stage.client.job({ name: 'halted' }).stop({ why: 'enough' });
    await on.untilPhase('halted', 'Stopped');
    const policy = { 'signalbox.dev/policy': 'restart: {ladder: [{scope: nothing}]}' };
    await applied('faulty', { annotations: policy });
    await on.untilPhase('faulty', 'Failed');
    for (const name of ['fails', 'halted', 'faulty']) await expectVerdict(name, 'Degraded', 'Failed');
    await applied('faulty', { master: { annotations: SUCCEEDS } });
    await on.untilPhase('faulty', 'Completed');
    await expectVerdict('faulty', 'Healthy', 'Current');
  });

  it('that nobody has seen yet not ready', async () => {
    await bridge.kill();
    await applied('unseen');
    await expectVerdict('unseen', 'Progressing', '^Unknown: ');
    await bridge.start({ SIGNALBOX_LEASE_NAMESPACE: NAMESPACE });
    await on.untilPhase('unseen', 'Running');
  });

  it('that has ended and is gone from the cluster at its end, also when somebody edits it', async () => {
    const { metadata } = await on.resourceOf('fails');
    await on.kubectl('delete', 'configmap', 'fails.signalbox');
    await on.kubectl('patch', 'pytorchjob', 'fails', '--type=merge', '-p', BACK_OFF);
    await on.until('fails', 'is seen', isObserved);
    const edited = await on.resourceOf('fails');
    expect(edited.metadata.generation).toBe(metadata.generation! + 1);
    await expectVerdict('fails', 'Degraded', 'Failed');
  });
});

const RESUME = JSON.stringify({ spec: { runPolicy: { suspend: false } } });
const BACK_OFF = JSON.stringify({ spec: { runPolicy: { backoffLimit: 5 } } });

const isObserved = ({ metadata, status }: JobResource) => status?.observedGeneration === metadata.generation;

describe('without a rule', () => {
  it('Flux takes every job that was seen for ready', async () => {
    const { items } = await on.stage.cluster.list(PYTORCH, { namespace: on.stage.namespace });
    for (const { metadata } of items) {
      expect(await verdictOn(metadata.name)).toMatchObject({ kstatus: 'Current' });
    }
  });
});
