import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { NAMESPACES, NODES, RESOURCE_QUOTAS, SERVICE_ACCOUNTS } from '../../contracts/kubernetes.ts';
import type { WhyAnswer } from '../../contracts/types.ts';
import { eventually } from '../eventually.ts';
import { boundClaim } from '../scenarios/volumes.ts';
import { onNode, type RealJobOptions, RUNS_ON, realJob } from './jobs.ts';
import { describeOnNodes, openRealStage, type RealStage } from './stage.ts';

/** What `signalbox why` says of jobs that a real scheduler, a real quota or a real kubelet keeps from running. */

const TAINT = { key: 'example.com/only-for-others', effect: 'NoSchedule' };
/** Other pods tolerate it, if they were placed there before. */
const TAINTED = 'node-2';

type Options = Omit<RealJobOptions, 'name' | 'namespace'>;

interface Case {
  readonly options: Options;
  /** The most important one, and others. */
  readonly codes: readonly string[];
  /** Of the first. */
  readonly sentence: RegExp;
  readonly said?: RegExp;
  readonly classes?: Readonly<Record<string, number>>;
}

const one = (fields: Partial<Options['master']>): Options => ({ master: { ...RUNS_ON, ...fields } });
/** A kubelet waits only for volumes that a container has. */
const mounting = (volume: object) =>
  one({
    pod: { volumes: [{ name: 'data', ...volume }] },
    container: { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
  });

const CASES: Readonly<Record<string, Case>> = {
  image: {
    options: one({ container: { image: 'localhost:1/nobody/absent:1' } }),
    ...{ codes: ['ContainersNotReady'], sentence: /the image cannot be pulled/ },
  },
  config: {
    options: one({ container: { envFrom: [{ configMapRef: { name: 'absent' } }] } }),
    codes: ['DependencyMissing', 'ContainersNotReady'],
    sentence: /^the ConfigMap absent does not exist; container pytorch of master names it$/,
  },
  mount: {
    options: mounting({ secret: { secretName: 'absent' } }),
    codes: ['DependencyMissing', 'ContainersNotReady'],
    sentence: /^the Secret absent does not exist; volume data of master names it$/,
  },
  claim: {
    options: mounting({ persistentVolumeClaim: { claimName: 'shards' } }),
    codes: ['NoNodeMatches'],
    sentence: /2 excluded by node selector or affinity \(volume of PersistentVolumeClaim shards\)/,
    ...{ said: /^0\/2 nodes are available/, classes: { selector: 2 } },
  },
  taint: {
    options: one({ pod: onNode(TAINTED) }),
    ...{ codes: ['NoNodeMatches'], sentence: /1 with a taint .* \(example\.com\/only-for-others\b[^)]*\)/ },
    ...{ said: /untolerated taint/, classes: { selector: 1, taint: 1 } },
  },
  large: {
    options: one({ container: { resources: { requests: { cpu: '1000' } } } }),
    ...{ codes: ['NeverFits'], sentence: /each master pod requests 1000 cpu, the largest node has \d+/ },
    classes: { taint: 1, tooSmall: 1 },
  },
};

describeOnNodes('why a job waits', () => {
  let stage: RealStage;
  let quotaNamespace: string;
  let removeVolume: () => Promise<void>;

  const setTaints = (taints: readonly object[]) =>
    stage.cluster.patch(NODES, { name: TAINTED }, { spec: { taints } });

  beforeAll(async () => {
    stage = await openRealStage();
    await setTaints([TAINT]);
    removeVolume = await boundClaim(stage, { claim: 'shards', node: 'elsewhere' });
    quotaNamespace = await namespaceWithQuota(stage);
    await stage.engine('up');
    for (const [name, { options }] of Object.entries(CASES)) await stage.submit({ name, ...options });
    await stage.client.submit(
      realJob({ name: 'quota', namespace: quotaNamespace, master: RUNS_ON, worker: RUNS_ON }),
    );
  });

  afterAll(async () => {
    await setTaints([]);
    await removeVolume();
    await stage.cluster.delete(NAMESPACES, undefined, quotaNamespace);
    await stage.close();
  });

  /** Of these reasons the first is the most important one; there may be others. */
  const untilSaid = (name: string, namespace: string, codes: readonly string[]): Promise<WhyAnswer> =>
    eventually(`${name} waits for ${codes.join(', ')}`, async () => {
      const answer = await stage.client.job({ name, namespace }).whyWaiting();
      const found = answer.reasons.map(({ code }) => code);
      if (found[0] !== codes[0] || !codes.every((code) => found.some((one) => one === code)))
        throw new Error(JSON.stringify(answer.reasons));
      return answer;
    });

  it.each(Object.keys(CASES))('%s', async (name) => {
    const { codes, sentence, said, classes } = CASES[name]!;
    const answer = await eventually('it has the words of others', async () => {
      const found = await untilSaid(name, stage.namespace, codes);
      return said && !found.reasons[0]!.said ? false : found;
    });
    const [reason] = answer.reasons;
    expect(reason!.sentence).toMatch(sentence);
    if (said) expect(reason!.said).toMatch(said);
    if (classes) {
      const all = answer.placements.flatMap((placement) => placement.classes);
      expect(Object.fromEntries(all.map((each) => [each.class, each.nodes]))).toEqual(classes);
    }
  });

  it('quota', async () => {
    const { reasons } = await eventually('its status says so, too', async () => {
      const found = await untilSaid('quota', quotaNamespace, ['NeverFits']);
      return found.reasons[0]!.said ? found : false;
    });
    expect(reasons[0]).toMatchObject({ resource: 'pods', needs: '2', has: '1', who: 'either' });
    expect(reasons[0]!.said).toMatch(/exceeded quota: tight/);
  });
});

/** It allows one pod. */
async function namespaceWithQuota({ cluster, namespace }: RealStage): Promise<string> {
  const name = `${namespace}-quota`;
  await cluster.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  await cluster.create(RESOURCE_QUOTAS, {
    ...{ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'tight', namespace: name } },
    spec: { hard: { pods: '1' } },
  });
  await eventually('the quota counts, and the namespace has its account', async () => {
    const { status } = await cluster.get(RESOURCE_QUOTAS, name, 'tight');
    await cluster.get(SERVICE_ACCOUNTS, name, 'default');
    return (status as { hard?: object } | undefined)?.hard !== undefined;
  });
  return name;
}
