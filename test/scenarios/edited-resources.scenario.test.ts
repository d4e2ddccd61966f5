import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { stringify } from 'yaml';
import type { JobResource } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS, HORIZONTAL_POD_AUTOSCALERS, type Pod } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../contracts/labels.ts';
import { UPDATES } from '../../contracts/messages.ts';
import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Engine } from '../../demo/engine.ts';
import { NAMESPACE } from '../deploy/manifests.ts';
import { yamlFiles } from '../docs/page-blocks.ts';
import { shownOn } from '../docs/shown-commands.ts';
import { eventually } from '../eventually.ts';
import { statusOf } from '../status-of.ts';
import { activeOf, type BridgedStage, openBridgedStage, PYTORCH } from './bridged-stage.ts';
import type { Kubectl } from './kubectl.ts';
import { type JobOptions, SUCCEEDS, simulatedJob } from './manifests.ts';
import type { Stage } from './stage.ts';
import { openShell } from './typed-commands.ts';
import { acceptedUpdates, refusedUpdates } from './workflow-history.ts';

/** Custom resources that are edited with kubectl while their jobs are live. All parts have the rights of an installation. */

/** A priority class of every cluster. */
const CRITICAL = 'system-cluster-critical';
/** Each start of a process has settings of its own. */
const LEASE = { SIGNALBOX_LEASE_NAMESPACE: NAMESPACE };

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;
let worker: Engine;
let bridge: Engine;

beforeAll(async () => {
  on = await openBridgedStage();
  ({ stage, kubectl, worker, bridge } = on);
});

afterAll(() => on.close());

const manifestOf = (name: string, options: Partial<JobOptions> = {}) =>
  simulatedJob({ name, namespace: stage.namespace, ...options });

const elastic = (name: string, replicas = 2) => {
  const manifest = manifestOf(name, { worker: { replicas } });
  const elasticPolicy = { minReplicas: 1, maxReplicas: 6 };
  return { ...manifest, spec: { ...manifest.spec, elasticPolicy } };
};

interface Scale {
  readonly replicas: number;
  readonly selector: string;
}

/** The job follows the newest generation of its resource, and is in this phase. */
const untilFollowed = (name: string, phase: string) =>
  on.until(
    name,
    `follows its last edit, ${phase}`,
    ({ metadata, status }) => status?.phase === phase && status?.appliedGeneration === metadata.generation,
  );

const job = (name: string) => stage.client.job({ name });

const untilPods = (name: string, count: number) =>
  eventually(`${name} has ${count} pods`, async () => {
    const pods = await stage.pods(name);
    if (pods.length !== count) throw new Error(`it has ${pods.length}`);
    return pods;
  });

const warningsOf = async (name: string) =>
  (await on.eventsOf(await on.resourceOf(name))).filter(({ type }) => type === 'Warning');

const patch = (name: string, spec: object) =>
  kubectl('patch', 'pytorchjob', name, '--type=merge', '-p', JSON.stringify({ spec }));

const suspend = (name: string, is: boolean) => patch(name, { runPolicy: { suspend: is } });

/** Replaces part of the template of a role, as Kueue does. */
const template = (role: string, pod: object) => ({
  pytorchReplicaSpecs: { [role]: { template: { spec: pod } } },
});

describe('an elastic job scales by itself', () => {
  const METRICS = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ];
  const scaling = (name: string) => {
    const manifest = elastic(name);
    return {
      ...manifest,
      spec: { ...manifest.spec, elasticPolicy: { ...manifest.spec.elasticPolicy, metrics: METRICS } },
    };
  };
  const autoscalerOf = (name: string) =>
    stage.cluster.find(HORIZONTAL_POD_AUTOSCALERS, stage.namespace, name);
  const untilAutoscaler = (name: string, is: boolean) =>
    eventually(`${name} has ${is ? 'an' : 'no'} autoscaler`, async () => {
      const found = await autoscalerOf(name);
      return Boolean(found) === is ? { found } : undefined;
    });

  it('by its metrics, while it is neither suspended nor over', async () => {
    await kubectl.apply([scaling('metered')]);
    await on.untilPhase('metered', 'Running');
    const { found } = await untilAutoscaler('metered', true);
    const { metadata } = await on.resourceOf('metered');
    expect(found).toMatchObject({
      metadata: { ownerReferences: [{ kind: 'PyTorchJob', uid: metadata.uid, controller: true }] },
      spec: {
        scaleTargetRef: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'metered' },
        ...{ minReplicas: 1, maxReplicas: 6, metrics: METRICS },
      },
    });
    await suspend('metered', true);
    await untilAutoscaler('metered', false);
    await suspend('metered', false);
    await untilAutoscaler('metered', true);
    await job('metered').stop({});
    await untilAutoscaler('metered', false);
  });

  it('by an autoscaler of somebody, which is left alone', async () => {
    const theirs = {
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
      metadata: { name: 'scaled', namespace: stage.namespace },
      spec: {
        scaleTargetRef: { apiVersion: 'kubeflow.org/v1', kind: 'PyTorchJob', name: 'scaled' },
        ...{ minReplicas: 4, maxReplicas: 6, metrics: METRICS },
      },
    };
    await kubectl.apply([scaling('scaled')]);
    await untilAutoscaler('scaled', true);
    // Each change of its status is another look, which would make the autoscaler again.
    await untilFollowed('scaled', 'Running');
    await eventually('theirs is in the place of ours', async () => {
      await kubectl('delete', 'hpa', 'scaled', '--ignore-not-found');
      return stage.cluster.create(HORIZONTAL_POD_AUTOSCALERS, theirs);
    });
    // Kubernetes' own controller raises the size to the minimum.
    await untilPods('scaled', 5);
    await untilFollowed('scaled', 'Running');
    await eventually('the resource says so', async () =>
      (await warningsOf('scaled')).some(({ reason }) => reason === 'AutoscalerNotOurs'),
    );
    await job('scaled').stop({});
    await on.untilPhase('scaled', 'Stopped');
    expect((await autoscalerOf('scaled'))?.spec.minReplicas).toBe(4);
  });
});

describe('a live job follows its resource', () => {
  it('to another size, by kubectl scale', async () => {
    await kubectl.apply([elastic('sized')]);
    await on.untilPhase('sized', 'Running');
    await kubectl('scale', 'pytorchjob/sized', '--replicas=4');
    await untilPods('sized', 5);
    const { status } = await untilFollowed('sized', 'Running');
    expect(status).toMatchObject({ attempt: 1, appliedGeneration: 2 });
    // What a HorizontalPodAutoscaler reads, once the job has recorded that it runs with the new size.
    const scale = await eventually('the scale has the new size', async () => {
      const read = await kubectl('get', '--raw', `${pathOf('sized')}/scale`);
      const { spec, status: counted } = JSON.parse(read) as Record<'spec' | 'status', Scale>;
      return spec.replicas === 4 && counted.replicas === 4 ? counted : undefined;
    });
    const selected = await kubectl('get', 'pods', '-l', scale.selector, '-o', 'name');
    expect(selected.trim().split('\n')).toHaveLength(4);
    await kubectl('scale', 'pytorchjob/sized', '--replicas=1');
    await untilPods('sized', 2);
    await untilFollowed('sized', 'Running');
    const asked = await acceptedUpdates(stage.temporal, job('sized'));
    expect(asked.map(({ name }) => name)).toEqual([UPDATES.apply, UPDATES.apply]);
  });

  it('into a suspension and out of it, with the templates of then', async () => {
    await kubectl.apply([manifestOf('paused')]);
    await on.untilPhase('paused', 'Running');
    await suspend('paused', true);
    await untilFollowed('paused', 'Suspended');
    await untilPods('paused', 0);
    // While it is suspended, and together with the resumption.
    await patch('paused', template('Master', { nodeSelector: { pool: 'a' } }));
    await untilFollowed('paused', 'Suspended');
    await patch('paused', {
      ...{ runPolicy: { suspend: false } },
      ...template('Worker', { tolerations: [{ key: 'spot', operator: 'Exists' }] }),
    });
    const pods = await untilPods('paused', 3);
    const specs = Object.fromEntries(pods.map(({ metadata, spec }) => [metadata.name, spec]));
    expect(specs['paused-master-0']).toMatchObject({ nodeSelector: { pool: 'a' } });
    expect(specs['paused-worker-1']!.tolerations).toContainEqual({ key: 'spot', operator: 'Exists' });
    await on.until('paused', 'follows', ({ status }) => status?.appliedGeneration === 4);
    expect(await warningsOf('paused')).toEqual([]);
  });

  it('that was born suspended, and creates nothing until then', async () => {
    await kubectl.apply([manifestOf('born', { runPolicy: { suspend: true } })]);
    await on.untilPhase('born', 'Suspended');
    expect(await stage.pods('born')).toEqual([]);
    await patch('born', {
      ...{ runPolicy: { suspend: false } },
      ...template('Worker', { priorityClassName: CRITICAL }),
    });
    const pods = await untilPods('born', 3);
    const workers = pods.filter(({ metadata }) => metadata.name.includes('worker'));
    expect(workers.map(({ spec }) => spec!.priorityClassName)).toEqual(Array(2).fill(CRITICAL));
    const { status } = await untilFollowed('born', 'Running');
    expect(status!.appliedGeneration).toBe(2);
  });

  it('as Kueue patches it: admitted, evicted, and admitted elsewhere', async () => {
    const queue = { 'kueue.x-k8s.io/queue-name': 'team' };
    const annotations = { 'signalbox.dev/simulate-stop-after': '1s' };
    const queued = manifestOf('queued', { runPolicy: { suspend: true }, master: { annotations } });
    await kubectl.apply([{ ...queued, metadata: { ...queued.metadata, labels: queue } }]);
    await on.untilPhase('queued', 'Suspended');
    // What Kueue 0.19.2 writes into each template, in one patch with `suspend`, and takes from it again.
    const admitted = (zone: string | null) => ({
      runPolicy: { suspend: zone === null },
      pytorchReplicaSpecs: Object.fromEntries(
        ['Master', 'Worker'].map((role) => [
          role,
          {
            template: {
              metadata: {
                annotations: { 'kueue.x-k8s.io/workload': zone && 'pytorchjob-queued-e2c1f' },
                labels: zone && {
                  'kueue.x-k8s.io/cluster-queue-name': 'cluster',
                  'kueue.x-k8s.io/local-queue-name': 'team',
                  'kueue.x-k8s.io/podset': role.toLowerCase(),
                },
              },
              spec: {
                nodeSelector: { 'topology.kubernetes.io/zone': zone },
                tolerations: zone && [{ key: 'spot', operator: 'Equal', value: zone, effect: 'NoSchedule' }],
              },
            },
          },
        ]),
      ),
    });
    for (const zone of ['a', 'b']) {
      await patch('queued', admitted(zone));
      const pods = await untilPods('queued', 3);
      for (const { metadata, spec } of pods) {
        expect(spec!.nodeSelector).toMatchObject({ 'topology.kubernetes.io/zone': zone });
        expect(spec!.tolerations).toContainEqual(expect.objectContaining({ key: 'spot', value: zone }));
        expect(metadata.labels).toMatchObject({
          'kueue.x-k8s.io/podset': metadata.name.includes('master') ? 'master' : 'worker',
        });
        expect(metadata.ownerReferences![0]).toMatchObject({ kind: 'PyTorchJob', controller: true });
      }
      await patch('queued', admitted(null));
      const early: number[] = [];
      await eventually('no pod is left, and the resource counts none', async () => {
        // Kueue frees the quota when it reads that none is active.
        const isActive = activeOf(await on.resourceOf('queued')) > 0;
        const { length } = await stage.pods('queued');
        if (!isActive && length > 0) early.push(length);
        return !isActive && length === 0;
      });
      expect(early).toEqual([]);
      await untilFollowed('queued', 'Suspended');
      expect((await on.resourceOf('queued')).status).toMatchObject({ replicaStatuses: { Worker: {} } });
    }
    expect(await warningsOf('queued')).toEqual([]);
  });

  it('to other limits, another policy and another end', async () => {
    await kubectl.apply([manifestOf('limited')]);
    await on.untilPhase('limited', 'Running');
    const { uid } = (await stage.pod('limited-master-0')).metadata;
    await patch('limited', { runPolicy: { backoffLimit: 7, cleanPodPolicy: 'All' } });
    await untilFollowed('limited', 'Running');
    expect((await statusOf(job('limited'))).restartsAllowed).toBe(7);
    // An annotation is no part of the spec: it has no generation.
    const policy = `${ANNOTATIONS.policy}=holdOnFailure: 5m`;
    await kubectl('annotate', 'pytorchjob', 'limited', policy);
    await eventually('the policy is in effect', async () => {
      const source = await job('limited').source();
      const { annotations } = (source.revisions.at(-1)!.manifest as JobResource).metadata;
      return annotations?.[ANNOTATIONS.policy] === 'holdOnFailure: 5m';
    });
    expect((await stage.pod('limited-master-0')).metadata.uid).toBe(uid);
    await kubectl('annotate', 'pytorchjob', 'limited', `${ANNOTATIONS.policy}-`);
    await patch('limited', { runPolicy: { activeDeadlineSeconds: 1, ttlSecondsAfterFinished: 1 } });
    await kubectl('wait', '--for=delete', 'pytorchjob/limited', '--timeout=60s');
    expect(await job('limited').wait()).toMatchObject({ cause: { reason: 'DeadlineExceeded' } });
  });

  it('back and forth: an undo and a redo are edits of their own', async () => {
    await kubectl.apply([manifestOf('toggled')]);
    await on.untilPhase('toggled', 'Running');
    const policyOf = async () => {
      const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'toggled.signalbox');
      return (JSON.parse(anchor.data!.job!) as TrainingJob).plan.policy?.scaleByRestart;
    };
    for (const is of [true, false, true, false]) {
      const policy = `${ANNOTATIONS.policy}=scaleByRestart: ${is}`;
      await kubectl('annotate', '--overwrite', 'pytorchjob', 'toggled', policy);
      await eventually(`scaleByRestart is ${is}`, async () => (await policyOf()) === is);
    }
    expect(await acceptedUpdates(stage.temporal, job('toggled'))).toHaveLength(4);
  });

  it('but not to other templates while it has pods: that is told once, and the job goes on', async () => {
    await kubectl.apply([manifestOf('fixed')]);
    await on.untilPhase('fixed', 'Running');
    const uids = async () => (await stage.pods('fixed')).map(({ metadata }) => metadata.uid).sort();
    const before = await uids();
    await patch('fixed', template('Worker', { priorityClassName: CRITICAL }));
    const [told] = await eventually('it is told', async () => {
      const warnings = await warningsOf('fixed');
      if (warnings.length === 0) throw new Error('no event');
      return warnings;
    });
    expect(told).toMatchObject({
      reason: 'EditNotTaken',
      message: expect.stringMatching(/Worker\.template\.spec\.priorityClassName.*suspend/),
    });
    // Each write of the status is another look at the resource.
    const target = { namespace: stage.namespace, name: 'fixed', subresource: 'status' } as const;
    for (const phase of ['Completed', 'Failed']) {
      await stage.cluster.patch(PYTORCH, target, { status: { phase } });
      await on.untilPhase('fixed', 'Running');
    }
    const { status, metadata } = await on.resourceOf('fixed');
    expect([status!.appliedGeneration, metadata.generation]).toEqual([1, 2]);
    expect(await warningsOf('fixed')).toHaveLength(1);
    expect(await refusedUpdates(stage.temporal, job('fixed'))).toHaveLength(1);
    expect(await uids()).toEqual(before);
    // Suspended, it takes what it could not take before.
    await suspend('fixed', true);
    await untilFollowed('fixed', 'Suspended');
    await suspend('fixed', false);
    await untilFollowed('fixed', 'Running');
    const pods = await untilPods('fixed', 3);
    // A gang has one priority: that of the master, too.
    expect(pods.map(({ spec }) => spec!.priorityClassName)).toEqual([CRITICAL, CRITICAL, CRITICAL]);
  });

  it('to the last of many edits, without a queue of them', async () => {
    await kubectl.apply([elastic('busy')]);
    await on.untilPhase('busy', 'Running');
    const target = { namespace: stage.namespace, name: 'busy' };
    for (let edit = 1; edit <= 100; edit++) {
      const replicas = edit === 100 ? 5 : 1 + (edit % 6);
      const spec = { pytorchReplicaSpecs: { Worker: { replicas } } };
      await stage.cluster.patch(PYTORCH, target, { spec });
    }
    await untilFollowed('busy', 'Running');
    await untilPods('busy', 6);
    expect((await acceptedUpdates(stage.temporal, job('busy'))).length).toBeLessThan(20);
    expect(await warningsOf('busy')).toEqual([]);
  });
});

describe('what signalbox is asked for', () => {
  it('is written into the resource, and the next edit does not undo it', async () => {
    await kubectl.apply([elastic('asked')]);
    await on.untilPhase('asked', 'Running');
    await job('asked').scale({ role: 'worker', replicas: 4, why: 'by hand' });
    const { spec } = await untilFollowed('asked', 'Running');
    expect(spec).toMatchObject({ pytorchReplicaSpecs: { Worker: { replicas: 4 } } });
    expect(await kubectl('get', 'pytorchjob', 'asked', '-o', 'yaml', '--show-managed-fields')).toContain(
      'manager: signalbox\n',
    );
    await job('asked').amendPolicy({ policy: { holdOnFailure: '5m' } });
    await job('asked').suspend({ why: 'by hand' });
    await untilFollowed('asked', 'Suspended');
    await patch('asked', { runPolicy: { backoffLimit: 4 } });
    const edited = await untilFollowed('asked', 'Suspended');
    expect(edited.spec).toMatchObject({ runPolicy: { suspend: true, backoffLimit: 4 } });
    await job('asked').resume();
    await untilPods('asked', 5);
    const resumed = await untilFollowed('asked', 'Running');
    expect(resumed.spec).toMatchObject({ runPolicy: { suspend: false } });
    expect(resumed.metadata.annotations).toMatchObject({ [ANNOTATIONS.policy]: 'holdOnFailure: 5m\n' });
    const asked = await acceptedUpdates(stage.temporal, job('asked'));
    const byHand = asked.map(({ name }) => name).filter((name) => name !== UPDATES.apply);
    expect(byHand).toEqual(['scale', 'amendPolicy', 'suspend', 'resume']);
  });

  it('is refused if it is another manifest: the resource says what the job is', async () => {
    await kubectl.apply([elastic('owned')]);
    await on.untilPhase('owned', 'Running');
    const applied = stage.client.apply(elastic('owned', 3));
    await expect(applied).rejects.toThrow(/made from PyTorchJob .*owned, a custom resource/);
    const update = applyDirectly('owned', { manifest: elastic('owned', 3) });
    await expect(update).rejects.toMatchObject({
      cause: { message: expect.stringContaining('it is changed by an edit of that') },
    });
    expect(await stage.pods('owned')).toHaveLength(3);
  });

  it('is refused if it says something else than the resource, whoever asks in its name', async () => {
    await kubectl.apply([elastic('forged')]);
    const { metadata } = await on.untilPhase('forged', 'Running');
    const { apiVersion, kind } = PYTORCH;
    const resource = { apiVersion, kind, uid: metadata.uid, generation: 1 };
    const update = applyDirectly('forged', { manifest: elastic('forged', 3), resource });
    await expect(update).rejects.toMatchObject({ cause: { type: 'ResourceChanged' } });
    expect(await stage.pods('forged')).toHaveLength(3);
  });
});

/** Asks the workflow itself. */
const applyDirectly = (name: string, asked: object) =>
  stage.temporal.workflow
    .getHandle(job(name).workflowId)
    .executeUpdate<unknown, [object]>(UPDATES.apply, { args: [asked] });

const pathOf = (name: string) => `/apis/kubeflow.org/v1/namespaces/${stage.namespace}/pytorchjobs/${name}`;

describe('while the bridge is down', () => {
  it('a resource is edited, which its job follows afterwards, once', async () => {
    await kubectl.apply([elastic('later')]);
    await on.untilPhase('later', 'Running');
    await bridge.kill();
    await kubectl('scale', 'pytorchjob/later', '--replicas=3');
    await bridge.start(LEASE);
    await untilPods('later', 4);
    await untilFollowed('later', 'Running');
    await bridge.kill();
    await bridge.start(LEASE);
    await kubectl('scale', 'pytorchjob/later', '--replicas=2');
    await untilPods('later', 3);
    await untilFollowed('later', 'Running');
    expect(await acceptedUpdates(stage.temporal, job('later'))).toHaveLength(2);
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'later.signalbox');
    expect(anchor.metadata.annotations).toMatchObject({ [ANNOTATIONS.generation]: '3' });
  });
});

describe('while no worker runs', () => {
  it('an edit waits, which is told, and the job follows it later', async () => {
    await kubectl.apply([elastic('waiting')]);
    await on.untilPhase('waiting', 'Running');
    await worker.stop();
    await kubectl('scale', 'pytorchjob/waiting', '--replicas=3');
    await eventually('it is told', async () =>
      (await warningsOf('waiting')).some(({ reason }) => reason === 'EditWaits'),
    );
    expect(await stage.pods('waiting')).toHaveLength(3);
    await worker.start(LEASE);
    await untilPods('waiting', 4);
    await untilFollowed('waiting', 'Running');
    expect(await acceptedUpdates(stage.temporal, job('waiting'))).toHaveLength(1);
    expect(await warningsOf('waiting')).toHaveLength(1);
  });
});

/** The part of the page, with its file. */
const PAGE = readFileSync('docs/front-door.md', 'utf8').split('## Edit it')[1]!.split('\n## ')[0]!;

describe('what people type', () => {
  it('into a terminal shows what the page says', async () => {
    const files = { ...Object.fromEntries(yamlFiles(PAGE)), 'job.yaml': stringify(elastic('train')) };
    const shell = await openShell(stage, files);
    const shown = shownOn(PAGE);
    expect(shown).toHaveLength(10);
    try {
      for (const { command, lines } of shown) {
        const text = (await shell.type(command)).trim().replaceAll(stage.namespace, 'default');
        const printed = text.split('\n').filter(Boolean);
        const expected =
          lines.at(-1) === '...' ? [...lines.slice(0, -1), ...printed.slice(lines.length - 1)] : lines;
        expect([command, ...printed]).toEqual([command, ...expected]);
      }
    } finally {
      await shell.close();
    }
  });

  it('to watch a job shows the states that it comes through', async () => {
    const shell = await openShell(stage);
    const watched = shell.type(
      'kubectl get pytorchjobs --watch --field-selector metadata.name=watched',
      /^watched +Completed/m,
    );
    try {
      const ends = { annotations: SUCCEEDS };
      await kubectl.apply([manifestOf('watched', { master: ends, worker: ends })]);
      const [header, ...rows] = (await watched).trim().split('\n');
      expect(header).toMatch(/^NAME +STATE +REASON +ATTEMPT +PROGRESS +AGE$/);
      const states = rows.map((row) => row.split(/ +/)[1]!).filter((state) => /^[A-Z]/.test(state));
      const inOrder = ['Pending', 'Starting', 'Running', 'Completed'];
      expect([...new Set(states)]).toEqual(inOrder.filter((state) => states.includes(state)));
      expect(states.at(-1)).toBe('Completed');
    } finally {
      await shell.close();
    }
  });

  it('to delete a resource without its job leaves the job, and its name is free when that has ended', async () => {
    await kubectl.apply([manifestOf('left')]);
    await on.untilPhase('left', 'Running');
    await kubectl('delete', 'pytorchjob', 'left', '--cascade=orphan');
    const ownersOf = (pods: readonly Pod[]) =>
      pods.flatMap(({ metadata: { ownerReferences = [] } }) => ownerReferences.map(({ kind }) => kind));
    const pods = await stage.pods('left');
    expect(ownersOf(pods)).toEqual(Array(3).fill('ConfigMap'));
    await kubectl.apply([manifestOf('left', { master: { annotations: SUCCEEDS } })]);
    await on.until('left', 'waits for the name', ({ status }) => status?.reason === 'NameTaken');
    expect(await stage.pods('left')).toEqual(pods);
    expect(await statusOf(job('left'))).toMatchObject({ phase: 'Running' });
    await job('left').stop({ why: 'its resource is gone' });
    await on.untilPhase('left', 'Completed');
  });
});
