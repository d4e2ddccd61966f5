import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import type { Condition } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import { valueAt } from '../../language/fields.ts';
import { signalbox } from '../cli/process.ts';
import { yamlFiles } from '../docs/page-blocks.ts';
import { shownOn } from '../docs/shown-commands.ts';
import { eventually } from '../eventually.ts';
import { activeOf, type BridgedStage, PYTORCH } from '../scenarios/bridged-stage.ts';
import type { Kubectl } from '../scenarios/kubectl.ts';
import type { Stage } from '../scenarios/stage.ts';
import {
  endAll,
  type Flavor,
  HOST,
  LEAVES_SLOWLY,
  metadataOf,
  podOf,
  type Queued,
  queuedIn,
  said,
  untilItWaitsFor,
} from './kueue-queues.ts';
import { KueueStage, SET_UP_MS } from './kueue-stage.ts';

/** Jobs as custom resources in a queue of Kueue. */

const MPI = jobResourceOf({ apiVersion: 'kubeflow.org/v2beta1', kind: 'MPIJob' });

let queues: KueueStage;
let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;

beforeAll(async () => {
  queues = await KueueStage.open();
  ({ on } = queues);
  ({ stage, kubectl } = on);
}, SET_UP_MS);

afterAll(() => queues?.close());

const queued = (name: string, options?: Queued) => queuedIn(stage.namespace, name, options);

const queuedMpi = (name: string) => ({
  ...{ apiVersion: 'kubeflow.org/v2beta1', kind: 'MPIJob', metadata: metadataOf(name, stage.namespace, {}) },
  spec: {
    mpiReplicaSpecs: {
      Launcher: { replicas: 1, template: podOf('launcher', { annotations: LEAVES_SLOWLY }) },
      Worker: { replicas: 2, template: podOf('worker', { annotations: LEAVES_SLOWLY }) },
    },
  },
});

/** Those whose suspension and templates are where PyTorchJob has them. Each has three pods. */
const LIKE_PYTORCH = [
  ['TFJob', 'tfReplicaSpecs', 'tensorflow', { Master: 1, Worker: 2 }],
  ['XGBoostJob', 'xgbReplicaSpecs', 'xgboost', { Master: 1, Worker: 2 }],
  ['PaddleJob', 'paddleReplicaSpecs', 'paddle', { Master: 1, Worker: 2 }],
  ['JAXJob', 'jaxReplicaSpecs', 'jax', { Worker: 3 }],
] as const;

const queuedLike = (name: string, [kind, field, container, roles]: (typeof LIKE_PYTORCH)[number]) => ({
  ...{ apiVersion: 'kubeflow.org/v1', kind, metadata: metadataOf(name, stage.namespace, {}) },
  spec: {
    [field]: Object.fromEntries(
      Object.entries(roles).map(([role, replicas]) => [
        role,
        { replicas, template: podOf(container, { annotations: LEAVES_SLOWLY }) },
      ]),
    ),
  },
});

type Kind = typeof PYTORCH;

/** What Kueue has of a job. */
const workloadOf = async (name: string, kind: Kind = PYTORCH) =>
  queues.workloadOf(await on.resourceOf(name, kind));

const untilSaid = (name: string, type: string, expected: Partial<Condition>, kind?: Kind) =>
  eventually(`Kueue says ${type} of ${name}`, async () => {
    const condition = said(await workloadOf(name, kind), type);
    const is = Object.entries(expected).every(([field, value]) => condition?.[field as 'reason'] === value);
    if (!is) throw new Error(`it says ${JSON.stringify(condition)}`);
    return condition;
  });

/** The job runs with what Kueue wrote into its templates for this flavor, as the resource's own pods. */
async function untilItRuns(name: string, flavor: Flavor, kind: Kind = PYTORCH): Promise<JobResource> {
  const resource = await on.untilPhase(name, 'Running', kind);
  for (const { metadata } of await queues.expectPodsOf(name, flavor)) {
    expect(metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: kind.kind, uid: resource.metadata.uid, controller: true }),
      expect.objectContaining({ kind: 'ConfigMap', controller: false }),
    ]);
    expect(metadata.finalizers).toBeUndefined();
  }
  await untilSaid(name, 'PodsReady', { status: 'True' }, kind);
  return resource;
}

/** The job is suspended; neither does its resource say that its pods are gone, nor is its quota free, before they are. */
async function untilItLeft(name: string, kind: Kind = PYTORCH): Promise<void> {
  await queues.untilItGaveBack(name, async () => {
    const resource = await on.resourceOf(name, kind);
    return { workload: await queues.workloadOf(resource), active: activeOf(resource) };
  });
  await eventually(
    `${name} rests`,
    async () => (await stage.client.job({ name }).status()).state === 'Suspended.Resting',
  );
}

const setActive = async (name: string, active: boolean, kind?: Kind) =>
  queues.setActive(await workloadOf(name, kind), active);

describe('a job in a queue of Kueue', () => {
  it('is suspended at birth, and runs where Kueue admits it', async () => {
    await kubectl.apply([queued('first')]);
    const { metadata, spec } = await untilItRuns('first', 'reserved');
    // It was suspended by Kueue's webhook, and resumed by one patch.
    expect([metadata.generation, valueAt(spec, 'runPolicy.suspend')]).toEqual([2, false]);
    expect((await stage.client.job({ name: 'first' }).status()).warnings).toEqual([]);
    await kubectl.apply([queued('second', { annotations: LEAVES_SLOWLY })]);
    await untilItRuns('second', 'spot');
  });

  it('waits for quota, as Kueue says, and runs when another has ended', async () => {
    await kubectl.apply([queued('third', { annotations: LEAVES_SLOWLY })]);
    const why = await untilItWaitsFor(stage, 'third', 'WaitingForQueue', /insufficient unused quota for cpu/);
    expect(why).toMatchObject({
      ...{ sentence: 'Kueue has not admitted the job; position 1 of 1 in LocalQueue team', who: 'nobody' },
    });
    const { status } = await on.resourceOf('third');
    expect(status).toMatchObject({ phase: 'Suspended', reason: 'Suspended' });
    expect(await stage.pods('third')).toEqual([]);
    await endAll(stage, 'first');
    await on.untilPhase('first', 'Completed');
    await untilSaid('first', 'Finished', { status: 'True', reason: 'Succeeded' });
    await untilItRuns('third', 'reserved');
  });

  it('is preempted, and its quota is free only once its pods are gone', async () => {
    await kubectl.apply([queued('urgent', { priority: 'urgent' })]);
    const victim = await eventually('one is preempted', async () => {
      for (const name of ['second', 'third'])
        if (said(await workloadOf(name), 'Evicted')?.status === 'True') return name;
    });
    const other = victim === 'second' ? 'third' : 'second';
    await untilItLeft(victim);
    await untilItRuns('urgent', victim === 'second' ? 'spot' : 'reserved');
    await untilItWaitsFor(stage, victim, 'WaitingForQueue', /insufficient unused quota|[Pp]reempted/);
    // What is free next is the other flavor.
    await stage.client.job({ name: other }).stop({ why: 'the test goes on' });
    await untilItRuns(victim, other === 'second' ? 'spot' : 'reserved');
    expect((await on.resourceOf(victim)).status!.attempt).toBeGreaterThan(1);
    // A job that was stopped has failed, to Kueue.
    await untilSaid(other, 'Finished', { status: 'True', reason: 'Failed' });
    for (const name of [victim, 'urgent']) await stage.client.job({ name }).stop({ why: 'the test goes on' });
    await untilSaid(victim, 'Finished', { status: 'True' });
    await untilSaid('urgent', 'Finished', { status: 'True' });
  });

  it.each([
    ['PyTorchJob', PYTORCH, (name: string) => queued(name, { annotations: LEAVES_SLOWLY })],
    ['MPIJob of v2beta1', MPI, queuedMpi],
  ])('%s is deactivated, and admitted elsewhere later', async (_, kind, manifestOf) => {
    const name = `moved-${kind.kind.toLowerCase()}`;
    await kubectl.apply([manifestOf(name)]);
    await untilItRuns(name, 'reserved', kind);
    await setActive(name, false, kind);
    await untilItLeft(name, kind);
    const why = await untilItWaitsFor(stage, name, 'QueueClosed', /The workload is deactivated/);
    expect(why.sentence).toBe('the job is deactivated in Kueue');
    await kubectl.apply([queued(`${name}-next`)]);
    await untilItRuns(`${name}-next`, 'reserved');
    await setActive(name, true, kind);
    await untilItRuns(name, 'spot', kind);
    await stage.client.job({ name: `${name}-next` }).stop({ why: 'the test goes on' });
    await endAll(stage, name);
    await on.untilPhase(name, 'Completed', kind);
    await untilSaid(name, 'Finished', { status: 'True', reason: 'Succeeded' }, kind);
    await untilSaid(`${name}-next`, 'Finished', { status: 'True' });
  });

  it('MPIJob of v1 is made one of v2beta1 by the webhook of Kueue, and refused where policies are in force', async () => {
    const { metadata, spec } = queuedMpi('of-v1');
    const ofV1 = {
      apiVersion: 'kubeflow.org/v1',
      kind: 'MPIJob',
      spec: { ...spec, mainContainer: 'worker' },
    };
    const made = (labels: object) =>
      kubectl.apply([{ ...ofV1, metadata: { ...metadata, labels } }], ...['--dry-run=server', '-o', 'yaml']);
    const queuedAs = await made(metadata.labels);
    expect(queuedAs).toMatch(/^ +mpiImplementation: OpenMPI$/m);
    expect(queuedAs).toMatch(/^ +mainContainer: worker$/m);
    expect(await made({})).not.toMatch(/mpiImplementation/);
    await kubectl.apply(ADMISSION_POLICIES.rules());
    try {
      await eventually('the API server refuses it', async () => {
        const refusal = await kubectl
          .apply([{ ...ofV1, metadata }], '--dry-run=server')
          .catch((error: Error) => error.message);
        return /apiVersion: expected kubeflow.org\/v2beta1, because a webhook/.test(refusal);
      });
      await kubectl.apply([queuedMpi('of-v1')], '--dry-run=server');
      await made({});
    } finally {
      await kubectl(
        'delete',
        'validatingadmissionpolicy,validatingadmissionpolicybinding',
        '-l',
        LABELS.admission,
      );
    }
  });

  it.each(LIKE_PYTORCH)('%s is admitted, evicted and admitted again', async (...given) => {
    const kind = jobResourceOf({ apiVersion: 'kubeflow.org/v1', kind: given[0] });
    const name = `queued-${kind.kind.toLowerCase()}`;
    await kubectl.apply([queuedLike(name, given)]);
    await untilItRuns(name, 'reserved', kind);
    await setActive(name, false, kind);
    await untilItLeft(name, kind);
    await setActive(name, true, kind);
    await untilItRuns(name, 'reserved', kind);
    await endAll(stage, name);
    await on.untilPhase(name, 'Completed', kind);
    await untilSaid(name, 'Finished', { status: 'True', reason: 'Succeeded' }, kind);
    await kubectl('delete', `${kind.plural}.kubeflow.org`, name);
  });

  it('has its pods placed by Kueue, which holds them by a gate until then', async () => {
    const annotations = { 'kueue.x-k8s.io/podset-required-topology': HOST };
    await kubectl.apply([queued('placed', { queue: 'placed', annotations })]);
    const { spec } = await on.untilPhase('placed', 'Running');
    const gates = (role: string) =>
      valueAt(spec, `pytorchReplicaSpecs.${role}.template.spec.schedulingGates`);
    expect([gates('Master'), gates('Worker')]).toEqual(Array(2).fill([{ name: 'kueue.x-k8s.io/topology' }]));
    for (const pod of await stage.pods('placed')) {
      expect(pod.spec.nodeSelector).toMatchObject({ [HOST]: pod.spec.nodeName });
      expect(pod.spec.schedulingGates).toBeUndefined();
    }
    await setActive('placed', false);
    await untilItLeft('placed');
    await setActive('placed', true);
    await on.untilPhase('placed', 'Running');
    await endAll(stage, 'placed');
    await untilSaid('placed', 'Finished', { status: 'True', reason: 'Succeeded' });
  });

  it('waits for what Kueue says, whatever that is', async () => {
    await kubectl.apply([queued('huge', { cpus: 2 }), queued('lost', { queue: 'nowhere' })]);
    await untilItWaitsFor(stage, 'huge', 'NeverFits', /> maximum capacity/);
    await untilItWaitsFor(stage, 'lost', 'QueueClosed', /LocalQueue nowhere doesn't exist/);
    await kubectl('patch', 'clusterqueue', 'cluster', '--type=merge', '-p', '{"spec":{"stopPolicy":"Hold"}}');
    await kubectl.apply([queued('held')]);
    await untilItWaitsFor(stage, 'held', 'QueueClosed', /ClusterQueue cluster is inactive/);
    await kubectl('patch', 'clusterqueue', 'cluster', '--type=merge', '-p', '{"spec":{"stopPolicy":"None"}}');
    await untilItRuns('held', 'reserved');
  });

  it('that is suspended by hand is resumed, and one that is resumed by hand is suspended again', async () => {
    const { attempt } = (await on.resourceOf('held')).status!;
    await stage.client.job({ name: 'held' }).suspend({ why: 'in the way' });
    await on.until('held', 'runs again', ({ status }) => {
      return status?.phase === 'Running' && status.attempt! > attempt!;
    });
    await stage.client.job({ name: 'huge' }).resume({ why: 'in a hurry' });
    await on.until('huge', 'is suspended again', (resource) => {
      const { spec, metadata, status } = resource;
      const isAgain = metadata.generation! >= 3 && valueAt(spec, 'runPolicy.suspend') === true;
      return isAgain && status?.appliedGeneration === metadata.generation && activeOf(resource) === 0;
    });
    expect(await stage.pods('huge')).toEqual([]);
  });

  it('of another cluster (MultiKueue) is left to that', async () => {
    const elsewhere = queued('elsewhere');
    const managedBy = 'kueue.x-k8s.io/multikueue';
    await kubectl.apply([{ ...elsewhere, spec: { ...elsewhere.spec, runPolicy: { managedBy } } }]);
    await kubectl.apply([queued('after-elsewhere', { queue: 'nowhere' })]);
    await on.untilPhase('after-elsewhere', 'Suspended');
    expect((await on.resourceOf('elsewhere')).status).toBeUndefined();
    await expect(stage.client.job({ name: 'elsewhere' }).status()).rejects.toThrow(/not found|no job/i);
  });
});

/** Commands of the page, with what they print, and the file of its queue. */
const PAGE = readFileSync('docs/front-door.md', 'utf8').split('## With Kueue')[1]!.split('\n## ')[0]!;

/** Times and ages differ from run to run, and the page wraps its lines. */
const comparable = (text: string) =>
  text
    .replaceAll(/\S+T\S+Z \([^)]+\)/g, 'TIME')
    .replaceAll(/\b(\d+m)?[\d.]+s\b/g, 'AGE')
    .replaceAll(/from \S+ namespace/g, 'from NAMESPACE')
    .replaceAll(stage.namespace, 'default')
    // The first, if Kueue admits the job before the bridge sees it.
    .replaceAll(/(Running +)[12]/g, (_, running: string) => `${running}1`)
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('docs/front-door.md', () => {
  it('says what the commands print', async () => {
    const [[, queue] = []] = yamlFiles(PAGE);
    const files: Readonly<Record<string, readonly object[]>> = {
      'queue.yaml': parseAllDocuments(queue!).map((document) => document.toJS() as object),
      'train.yaml': [queued('train', { queue: 'training' })],
      'eval.yaml': [queued('eval', { queue: 'training' })],
    };
    await kubectl('delete', 'pytorchjobs,mpijobs', '--all');
    const commands = shownOn(PAGE);
    expect(commands).toHaveLength(9);
    for (const { command, lines } of commands) {
      const [program, ...args] = command.split(' ');
      if (command.includes('wait')) args.push('--timeout=60s');
      if (program === 'signalbox') await untilItWaitsFor(stage, 'eval', 'WaitingForQueue', /unused quota/);
      const printed =
        args[0] === 'apply'
          ? await kubectl.apply(files[args[2]!]!)
          : program === 'kubectl'
            ? await kubectl(...args)
            : (await signalbox(args, { env: env() })).stdout;
      // Where its pods would fit is not shown.
      const expected = comparable(lines.join(' '));
      expect(comparable(printed).slice(0, expected.length)).toBe(expected);
    }
  });
});

const env = () => ({
  TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
  KUBECONFIG: stage.sandbox.kubeconfig,
  SIGNALBOX_NAMESPACE: stage.namespace,
});
