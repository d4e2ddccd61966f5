import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { whyManifest } from '../../client/use-cases/why/why-manifest.ts';
import { ClusterClient } from '../../cluster/client.ts';
import {
  CONFIG_MAPS,
  LIMIT_RANGES,
  NAMESPACES,
  NODES,
  RESOURCE_QUOTAS,
  SERVICE_ACCOUNTS,
} from '../../contracts/kubernetes.ts';
import type { WhyAnswer } from '../../contracts/types.ts';
import { signalbox } from '../cli/process.ts';
import { eventually } from '../eventually.ts';
import { createToken } from '../service-account.ts';
import { untilStatus } from './attempts.ts';
import { type GangJobOptions, gangJob } from './gang-jobs.ts';
import { withPolicy } from './manifests.ts';
import { type NodePool, openNodePool } from './node-pool.ts';
import { openStage, type Stage, untilPhase } from './stage.ts';
import { boundClaim, withVolumes } from './volumes.ts';

/** Why jobs wait, on a real API server and schedulers with simulated nodes. */

let stage: Stage;
let folder: string;
const pools: NodePool[] = [];

beforeAll(async () => {
  stage = await openStage({ sharesEngine: true });
  folder = await mkdtemp(join(tmpdir(), 'why-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
  await Promise.all(pools.map((pool) => pool.remove()));
  await stage.close();
});

async function aPool(...nodes: number[]): Promise<NodePool> {
  const pool = await openNodePool(stage.cluster, { nodes });
  pools.push(pool);
  return pool;
}

type Choice = Omit<GangJobOptions, 'namespace'> & { readonly namespace?: string };

const aJob = ({ namespace = stage.namespace, ...choice }: Choice) => gangJob({ namespace, ...choice });

/** What the command line says of a manifest, as data. */
async function asked(
  manifest: object,
): Promise<{ readonly answer: WhyAnswer; readonly code: number | null }> {
  const file = join(folder, `${randomUUID()}.json`);
  await writeFile(file, JSON.stringify(manifest));
  const env = { SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig };
  const { code, stdout, stderr } = await signalbox(['why', '-f', file, '-o', 'json'], { env });
  if (!stdout) throw new Error(stderr);
  return { answer: JSON.parse(stdout) as WhyAnswer, code };
}

const codesOf = ({ reasons }: WhyAnswer) => reasons.map(({ code }) => code);

const classesOf = ({ placements }: WhyAnswer) =>
  Object.fromEntries(placements.flatMap(({ classes }) => classes).map((one) => [one.class, one.nodes]));

async function nodesOfCluster(): Promise<number> {
  return (await stage.cluster.list(NODES)).items.length;
}

/** The first reason, once the job has this one. */
const untilReason = (job: JobHandle, code: string): Promise<WhyAnswer> =>
  eventually(`the reason is ${code}`, async () => {
    const answer = await job.whyWaiting();
    if (answer.reasons[0]?.code !== code) throw new Error(JSON.stringify(answer.reasons));
    return answer;
  });

describe('before a job is submitted', () => {
  it('a gang that can never fit is found, and nothing is created', async () => {
    const pool = await aPool(4, 4);
    const { answer, code } = await asked(aJob({ name: 'dry-big', gang: 'native', pool }));
    expect(codesOf(answer)).toEqual(['NeverFits']);
    expect(answer.reasons[0]!.sentence).toMatch(/10 pods must run at once.* hold 8 of them/);
    const sum = answer.placements[0]!.classes.reduce((total, { nodes }) => total + nodes, 0);
    expect([code, sum]).toEqual([9, answer.placements[0]!.nodes]);
    expect(await stage.objects()).toEqual([]);
  });

  it('a job that fits would start at once', async () => {
    const pool = await aPool(4, 4);
    const { answer, code } = await asked(aJob({ name: 'dry-fits', gang: 'native', pool, pods: 8 }));
    expect([code, answer.fits, codesOf(answer)]).toEqual([0, 'yes', []]);
    expect(classesOf(answer)).toEqual({ selector: (await nodesOfCluster()) - 2, room: 2 });
  });

  it('a taint, a missing ConfigMap and a quota are found at once', async () => {
    const pool = await aPool(4);
    const [name] = (await stage.cluster.list(NODES)).items
      .map(({ metadata }) => metadata)
      .filter(
        ({ labels }) => labels?.['test.signalbox.dev/pool'] === pool.nodeSelector['test.signalbox.dev/pool'],
      )
      .map((metadata) => metadata.name);
    const taints = [{ key: 'example.com/only-for-others', effect: 'NoSchedule' }];
    await stage.cluster.patch(NODES, { name: name! }, { spec: { taints } });
    const namespace = await aNamespace({ pods: '1' });
    const manifest = withVolume(aJob({ name: 'dry-poor', namespace, gang: 'none', pool, pods: 2 }), 'absent');
    const { answer, code } = await asked(manifest);
    expect([code, codesOf(answer)]).toEqual([9, ['NeverFits', 'DependencyMissing', 'NoNodeMatches']]);
    const [quota, reference, taint] = answer.reasons;
    expect(quota).toMatchObject({ resource: 'pods', needs: '2', has: '1' });
    expect(reference!.sentence).toMatch(/^the ConfigMap absent does not exist; volume settings of/);
    expect(taint!.sentence).toContain('example.com/only-for-others');
    expect(await stage.cluster.find(CONFIG_MAPS, namespace, 'dry-poor.signalbox')).toBe(undefined);
  });

  it('what admission adds to the pods counts', async () => {
    const pool = await aPool(2);
    const namespace = await aNamespace({ pods: '10' });
    const limits = [{ type: 'Container', default: { cpu: '100' }, defaultRequest: { cpu: '100' } }];
    await stage.cluster.create(LIMIT_RANGES, {
      ...{ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'defaults', namespace } },
      spec: { limits },
    });
    const { answer } = await asked(aJob({ name: 'dry-limits', namespace, gang: 'none', pool, pods: 2 }));
    expect(codesOf(answer)).toEqual(['NeverFits']);
    expect(answer.reasons[0]).toMatchObject({ resource: 'cpu', needs: '100', has: '64' });
    expect(answer.unknown).toEqual([]);
  });

  it('a policy of the namespace that refuses the pods is quoted', async () => {
    const pool = await aPool(2);
    const namespace = `why-${randomUUID().slice(0, 8)}`;
    await stage.cluster.create(NAMESPACES, {
      ...{ apiVersion: 'v1', kind: 'Namespace' },
      metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
    const { answer } = await asked(aJob({ name: 'dry-denied', namespace, gang: 'none', pool, pods: 2 }));
    expect(codesOf(answer)[0]).toBe('ClusterRefused');
    expect(answer.reasons[0]!.sentence).toMatch(/violates PodSecurity "restricted/);
  });

  it('a person who may list neither nodes nor create pods gets the rest', async () => {
    const pool = await aPool(2);
    const cluster = await clusterWithoutRights();
    const answer = await whyManifest(
      { cluster: async () => cluster },
      withVolume(aJob({ name: 'dry-blind', gang: 'none', pool, pods: 2 }), 'x'),
    );
    await cluster.close();
    expect(answer.placements).toEqual([]);
    expect(answer.unknown.join('\n')).toMatch(/nodes may not be listed/);
    expect(answer.unknown.join('\n')).toMatch(/pods may not be created, not even in a dry run/);
    expect(answer.unknown.join('\n')).toMatch(/ConfigMap x exists is not known/);
  });
});

describe('a live job', () => {
  it('waits for room that another holds, then runs, and then says what it waited for', async () => {
    const pool = await aPool(4, 4);
    const holder = await stage.client.submit(aJob({ name: 'holder', gang: 'native', pool, pods: 6 }));
    await untilPhase(holder, 'Running');
    const job = await stage.client.submit(aJob({ name: 'waits', gang: 'native', pool, pods: 4 }));
    const waiting = await untilReason(job, 'NotEnoughRoom');
    expect(waiting.reasons[0]).toMatchObject({
      ...{ resource: pool.resource, has: '2', who: 'nobody' },
      heldBy: [{ who: `job/${stage.namespace}/holder`, amount: '6' }],
    });
    expect(waiting).toMatchObject({ phase: 'Pending', fits: 'no' });
    expect(waiting.placements[0]!.room).toBe(2);

    await holder.stop({});
    await untilPhase(job, 'Running');
    const running = await job.whyWaiting();
    expect(running).toMatchObject({ phase: 'Running', reasons: [] });
    expect(running.explanation?.sentence).toBe('The job runs.');

    await stage.endPod('waits-master-0', { exitCode: 0 });
    await job.wait();
    const ended = await job.whyWaiting();
    expect(ended).toMatchObject({ phase: 'Completed', reasons: [] });
    // Which of both the scheduler said first depends on when it looked.
    expect(ended.waited!.map(({ reason }) => reason).join(' ')).toMatch(/WaitingForGang|Unschedulable/);
    expect(ended.waited!.every(({ seconds }) => seconds >= 0)).toBe(true);
  });

  it('that runs says how many of its spares hold a place, and what the scheduler says of another', async () => {
    const pool = await aPool(4);
    const manifest = withPolicy(aJob({ name: 'spared', gang: 'none', pool, pods: 3 }), {
      spares: { count: 2 },
      nodes: { lostAfter: '1h' },
    });
    const job = await stage.client.submit(manifest);
    await eventually('one of two spares holds a place', async () => {
      const { phase, spares } = await job.whyWaiting();
      if (phase !== 'Running' || spares?.placed !== 1 || !spares.said) return false;
      expect(spares).toEqual({
        ...{ wanted: 2, placed: 1, why: expect.stringMatching(/^spared-spare-\d has no node$/) },
        said: expect.stringContaining(`Insufficient ${pool.resource}`),
      });
      return true;
    });
    await job.suspend();
    await untilStatus(job, 'its pods are gone', ({ state }) => state === 'Suspended.Resting');
    expect((await job.whyWaiting()).spares).toEqual({
      ...{ wanted: 2, placed: 0, why: 'they are made when the job runs' },
    });
    await job.stop({});
    expect((await job.wait()).phase).toBe('Stopped');
    expect((await job.whyWaiting()).spares).toBeUndefined();
  });

  it('that can never fit says so beside the words of the scheduler', async () => {
    const pool = await aPool(4, 4);
    const job = await stage.client.submit(aJob({ name: 'too-big', gang: 'native', pool }));
    const answer = await untilReason(job, 'NeverFits');
    expect(answer.reasons[0]!.who).toBe('you');
    const env = {
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
    };
    const { code, stdout } = await signalbox(['why', 'too-big', '-n', stage.namespace], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(/reason {3}NeverFits: 10 pods must run at once/);
    expect(stdout).toMatch(/excluded by node selector/);
    await job.stop({});
    await job.wait();
  });

  it('that Volcano does not admit has its words', async () => {
    const pool = await aPool(4);
    const holder = await stage.client.submit(aJob({ name: 'v-holder', gang: 'volcano', pool, pods: 3 }));
    await untilPhase(holder, 'Running');
    const job = await stage.client.submit(aJob({ name: 'v-waits', gang: 'volcano', pool, pods: 3 }));
    await untilStatus(job, 'it waits for its gang', ({ cause }) => cause?.reason === 'WaitingForGang');
    const answer = await untilReason(job, 'NotEnoughRoom');
    expect(answer.reasons[0]!.said).toMatch(/Volcano/);
    await Promise.all([holder.stop({}), job.stop({})]);
    await Promise.all([holder.wait(), job.wait()]);
  });

  it('that a quota holds back names quota and numbers', async () => {
    const pool = await aPool(8);
    const namespace = await aNamespace({ pods: '3' });
    const first = await stage.client.submit(aJob({ name: 'first', namespace, gang: 'none', pool, pods: 2 }));
    await untilPhase(first, 'Running');
    const job = await stage.client.submit(aJob({ name: 'second', namespace, gang: 'none', pool, pods: 3 }));
    await untilStatus(job, 'the quota refuses a pod', ({ cause }) => cause?.reason === 'QuotaExceeded');
    const { reasons } = await untilReason(job, 'QuotaExceeded');
    expect(reasons[0]).toMatchObject({ resource: 'pods', has: '0' });
    expect(reasons[0]!.said).toMatch(/exceeded quota/);
    await Promise.all([first.stop({}), job.stop({})]);
    await Promise.all([first.wait(), job.wait()]);
  });

  it('that is suspended is suspended, whatever else', async () => {
    const pool = await aPool(2);
    const manifest = aJob({ name: 'rests', gang: 'none', pool, pods: 2, runPolicy: { suspend: true } });
    const { reasons } = await stage.client.whyWaiting(manifest);
    expect(reasons).toMatchObject([{ code: 'Suspended', who: 'you' }]);
    const job = await stage.client.submit(manifest);
    await untilPhase(job, 'Suspended');
    expect(codesOf(await job.whyWaiting())).toEqual(['Suspended']);
    await job.resume({});
    await untilPhase(job, 'Running');
    await job.stop({});
    await job.wait();
  });

  it('whose volume is on another node names the claim, beside the words of the scheduler', async () => {
    const pool = await aPool(2);
    const removeVolume = await boundClaim(stage, { claim: 'shards', node: 'elsewhere' });
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'shards' } }];
    const manifest = withVolumes(aJob({ name: 'far', gang: 'none', pool, pods: 2 }), volumes);
    const { answer } = await asked(manifest);
    expect(codesOf(answer)).toEqual(['NoNodeMatches']);
    expect(answer.placements[0]!.classes).toMatchObject([
      { class: 'selector', nodes: (await nodesOfCluster()) - 1 },
      { class: 'selector', nodes: 1, detail: 'volume of PersistentVolumeClaim shards' },
    ]);
    const job = await stage.client.submit(manifest);
    const { reasons } = await eventually('the scheduler says so, too', async () => {
      const why = await job.whyWaiting();
      return why.reasons[0]?.said ? why : false;
    });
    expect(reasons[0]).toMatchObject({
      code: 'NoNodeMatches',
      sentence: expect.stringMatching(/1 excluded .* \(volume of PersistentVolumeClaim shards\)/),
      said: expect.stringMatching(
        /volume node affinity conflict|didn't match PersistentVolume's node affinity/,
      ),
    });
    await job.stop({});
    await job.wait();
    await removeVolume();
  });

  it('whose scheduler does not exist says that none speaks of its pods', async () => {
    const pool = await aPool(2);
    const job = await stage.client.submit(
      aJob({ name: 'unseen', gang: 'none', pool, pods: 2, schedulerName: 'nobody' }),
    );
    await untilStatus(job, 'its pod waits', ({ state }) => state === 'Pending.Scheduling');
    const { reasons } = await untilReason(job, 'SchedulerSilent');
    expect(reasons[0]!.sentence).toMatch(
      /the scheduler nobody has said nothing of 2 pods; there is no Lease kube-system\/nobody/,
    );
    await job.stop({});
    await job.wait();
  });
});

async function aNamespace(hard: Readonly<Record<string, string>>): Promise<string> {
  const name = `why-${randomUUID().slice(0, 8)}`;
  await stage.cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const metadata = { name: 'tight', namespace: name };
  await stage.cluster.create(RESOURCE_QUOTAS, {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata },
    spec: { hard },
  });
  await eventually('the quota counts', async () => {
    const { status } = await stage.cluster.get(RESOURCE_QUOTAS, name, 'tight');
    return (status as { hard?: object } | undefined)?.hard !== undefined;
  });
  return name;
}

/** Pods that mount a ConfigMap. */
const withVolume = (manifest: ReturnType<typeof gangJob>, configMap: string) =>
  withVolumes(manifest, [{ name: 'settings', configMap: { name: configMap } }]);

/** A cluster as an account sees it that has no rights at all. */
async function clusterWithoutRights(): Promise<ClusterClient> {
  const metadata = { name: 'nobody', namespace: stage.namespace };
  await stage.cluster.create(SERVICE_ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  const token = await createToken(stage.cluster, metadata);
  const config = JSON.parse(await readFile(stage.sandbox.kubeconfig, 'utf8')) as {
    users: readonly { name: string }[];
  };
  const kubeconfig = join(folder, 'nobody.kubeconfig');
  await writeFile(
    kubeconfig,
    JSON.stringify({ ...config, users: [{ ...config.users[0], user: { token } }] }),
  );
  return ClusterClient.connect({ kubeconfig });
}
