import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from '@jest/globals';
import { RealCluster } from '@signalbox/sandbox/real-node';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import { eventually } from '../eventually.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { type RealJobOptions, realJob } from './jobs.ts';
import { CLUSTER_VARIABLE } from './nodes.ts';

/** A namespace of the real cluster for one test file, with an engine of this checkout. */
export interface RealStage extends Stage {
  readonly nodes: RealCluster;
  /** A folder of this machine for what pods write, and for what they wait for. */
  readonly out: string;
  submit(options: Omit<RealJobOptions, 'namespace'>): Promise<JobHandle>;
  /** Resolves when its job runs. */
  running(options: Omit<RealJobOptions, 'namespace'>): Promise<JobHandle>;
}

const dir = process.env[CLUSTER_VARIABLE];

/** Skipped, and counted as skipped, where there are no real nodes. */
export function describeOnNodes(name: string, tests: () => void): void {
  // Each file has a `describe` of its own, and the files share this module.
  (dir === undefined ? describe.skip : describe)(name, tests);
}

export async function openRealStage(): Promise<RealStage> {
  const nodes = await RealCluster.find(dir!);
  const stage = await openStage({ sandbox: nodes.sandbox });
  // Without its account a namespace refuses every pod.
  await eventually('the namespace has its account', () =>
    stage.cluster.get(SERVICE_ACCOUNTS, stage.namespace, 'default'),
  );
  const out = await mkdtemp(join(tmpdir(), 'signalbox-'));
  const close = async () => {
    await stage.close();
    await nodes.close();
    await rm(out, { recursive: true });
  };
  const submit = async (options: Omit<RealJobOptions, 'namespace'>) =>
    await stage.client.submit(realJob({ namespace: stage.namespace, out, ...options }));
  const running = async (options: Omit<RealJobOptions, 'namespace'>) => {
    const job = await submit(options);
    await untilPhase(job, 'Running');
    return job;
  };
  return { ...stage, nodes, out, submit, running, close };
}
