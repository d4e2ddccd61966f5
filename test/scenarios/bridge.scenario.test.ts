import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WorkflowNotFoundError } from '@temporalio/client';
import { type JobResource, jobResourceOf } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { workflowIdOf } from '../../contracts/labels.ts';
import { isSpare } from '../../contracts/pod.ts';
import { REASONS } from '../../contracts/reasons.ts';
import { SEARCH_ATTRIBUTES } from '../../contracts/search-attributes.ts';
import type { Engine } from '../../demo/engine.ts';
import { NAMESPACE } from '../deploy/manifests.ts';
import { eventually } from '../eventually.ts';
import { activeOf, type BridgedStage, openBridgedStage, PYTORCH } from './bridged-stage.ts';
import { turnNotReady } from './failing-nodes.ts';
import { gangJob } from './gang-jobs.ts';
import type { Kubectl } from './kubectl.ts';
import { type Manifest, SUCCEEDS, simulatedJob, withPolicy } from './manifests.ts';
import { openNodePool } from './node-pool.ts';
import { type Stage, untilLeft, untilPhase } from './stage.ts';

/** Jobs that are applied as custom resources, with kubectl, on real servers. All parts have the rights of an installation. */

const TF = jobResourceOf({ apiVersion: 'kubeflow.org/v1', kind: 'TFJob' });
/** Each start of a process has settings of its own. */
const LEASE = { SIGNALBOX_LEASE_NAMESPACE: NAMESPACE };
const ENDS = { master: { annotations: SUCCEEDS }, worker: { annotations: SUCCEEDS } };

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;
let worker: Engine;
let bridge: Engine;

beforeAll(async () => {
  on = await openBridgedStage({ SIGNALBOX_SCAN_INTERVAL: '1' });
  ({ stage, kubectl, worker, bridge } = on);
});

afterAll(() => on.close());

const manifestOf = (name: string, options = {}) =>
  simulatedJob({ name, namespace: stage.namespace, ...options });

const workflowOf = (name: string) =>
  stage.temporal.workflow.getHandle(workflowIdOf({ namespace: stage.namespace, name }));

const describedRun = async (name: string) => {
  const { raw, status } = await workflowOf(name).describe();
  return {
    firstExecutionRunId: raw.workflowExecutionInfo?.firstRunId ?? raw.workflowExecutionInfo?.execution?.runId,
    status: status.name,
  };
};

/** Of the history, once nothing is on its way. */
const lengthOf = (name: string) =>
  eventually(`the workflow of ${name} rests`, async () => {
    const { historyLength, raw } = await workflowOf(name).describe();
    return raw.pendingActivities?.length || raw.pendingWorkflowTask ? undefined : historyLength;
  });

const applied = (manifest: Manifest | object) => kubectl.apply([manifest]);

describe('a job that is applied as a custom resource', () => {
  it('runs, is shown by kubectl, and is removed with its resource', async () => {
    expect(await applied(manifestOf('plain'))).toBe('pytorchjob.kubeflow.org/plain created\n');
    await kubectl('wait', '--for=condition=Running', 'pytorchjob/plain', '--timeout=60s');
    const running = await kubectl('get', 'pytorchjobs', 'plain');
    expect(running).toMatch(/^NAME +STATE +REASON +ATTEMPT +PROGRESS +AGE\nplain +Running +1 +\d+s\n$/);
    const resource = await on.resourceOf('plain');
    const { uid } = resource.metadata;
    const anchor = await stage.cluster.get(CONFIG_MAPS, stage.namespace, 'plain.signalbox');
    expect(anchor.metadata.ownerReferences).toEqual([
      expect.objectContaining({ kind: 'PyTorchJob', uid, controller: true }),
    ]);
    for (const { metadata } of await stage.pods('plain')) {
      expect(metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: 'PyTorchJob', uid, controller: true }),
        expect.objectContaining({ kind: 'ConfigMap', uid: anchor.metadata.uid, controller: false }),
      ]);
    }
    await stage.endPod('plain-master-0', { exitCode: 0 });
    await kubectl('wait', '--for=condition=Succeeded', 'pytorchjob/plain', '--timeout=60s');
    const described = await kubectl('describe', 'pytorchjob', 'plain');
    // Those of one second are in no order.
    for (const reason of ['Creating', 'Scheduling', 'Running', 'CleaningUp', 'Completed']) {
      expect(described).toMatch(new RegExp(`^ +Normal +${reason} +\\S+ +signalbox `, 'm'));
    }
    await kubectl('delete', 'pytorchjob', 'plain');
    await untilLeft(stage, 'plain', []);
  });

  it('says what its job waits for', async () => {
    await applied(manifestOf('waiting', { gpus: 1_000 }));
    await on.until('waiting', 'waits for room', ({ status }) => status?.reason === 'NeverFits');
    expect(await kubectl('get', 'pytorchjobs', 'waiting')).toMatch(/^waiting +Pending +NeverFits +1 /m);
    await kubectl('delete', 'pytorchjob', 'waiting');
    await untilLeft(stage, 'waiting', []);
  });

  it('says all faults of its manifest, and creates nothing', async () => {
    const bad = manifestOf('bad', {
      worker: false,
      runPolicy: { managedBy: 'kubeflow.org/training-operator' },
    });
    const spec = {
      ...bad.spec,
      elasticPolicy: { minReplicas: 2 },
      pytorchReplicaSpecs: { Master: { template: { spec: { containers: [{ name: 'pytorch' }] } } } },
    };
    await applied({ ...bad, spec });
    await kubectl('wait', '--for=condition=Failed', 'pytorchjob/bad', '--timeout=60s');
    const { status, ...resource } = await on.resourceOf('bad');
    expect(status).toMatchObject({ phase: 'Failed', reason: 'InvalidManifest' });
    expect(status!.message).toContain('spec.pytorchReplicaSpecs.Master.template.spec.containers[0].image');
    expect(await on.eventsOf(resource as JobResource)).toEqual([
      { type: 'Warning', reason: 'PyTorchJobFailedValidation', message: status!.message },
    ]);
    expect(await untilLeft(stage, 'bad', [])).toEqual([]);
    // Corrected, it is read again.
    await applied(manifestOf('bad', { ...ENDS }));
    await on.untilPhase('bad', 'Completed');
  });

  it('is refused by the API server where its definition knows better', async () => {
    const wrong = manifestOf('refused', { runPolicy: { cleanPodPolicy: 'Sometimes' } });
    await expect(applied(wrong)).rejects.toThrow(/cleanPodPolicy: Unsupported value: "Sometimes"/);
    const typo = manifestOf('refused', { runPolicy: { backoffLimits: 3 } });
    await expect(applied(typo)).rejects.toThrow(/unknown field "spec.runPolicy.backoffLimits"/);
  });

  it('tells of failed pods and of edits that its job cannot follow, once', async () => {
    await applied(manifestOf('told', { master: { restartPolicy: 'Never' } }));
    await on.untilPhase('told', 'Running');
    await kubectl('scale', 'pytorchjob', 'told', '--replicas=3');
    const edited = await eventually('the edit is told', async () => {
      const events = await on.eventsOf(await on.resourceOf('told'));
      return events.filter(({ reason }) => reason === 'EditNotTaken').at(0);
    });
    expect(edited).toMatchObject({
      type: 'Warning',
      message: expect.stringContaining('cannot change its size while it runs'),
    });
    await stage.endPod('told-master-0', { exitCode: 3 });
    const failed = await on.untilPhase('told', 'Failed');
    const events = await on.eventsOf(failed);
    expect(events.filter(({ reason }) => reason === 'EditNotTaken')).toHaveLength(1);
    expect(events.filter(({ reason }) => reason === 'PodFailed')).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^told-master-0 on .*exited with 3/) }),
    ]);
    expect(events.filter(({ reason }) => reason === 'Failed')).toHaveLength(1);
  });

  it('says what the API server refuses for now, once, and runs when it takes that', async () => {
    await kubectl('create', 'quota', 'no-records', '--hard=configmaps=0');
    // Of pods that request something: of no other test.
    await kubectl('create', 'quota', 'no-pods', '--hard=pods=0', '--scopes=NotBestEffort');
    await applied(manifestOf('unwanted', { limits: { cpu: '1m', memory: '1Mi' } }));
    await on.until('unwanted', 'is refused its anchor', ({ status }) => status?.reason === 'QuotaExceeded');
    await kubectl('delete', 'quota', 'no-records');
    const refused = await on.until('unwanted', 'is refused its pods', ({ status }) =>
      /the ResourceQuota no-pods allows the namespace 0/.test(status?.message ?? ''),
    );
    expect(await kubectl('get', 'pytorchjob', 'unwanted')).toMatch(
      /^unwanted +Pending +NeverFits +1 +\d+s$/m,
    );
    const [reason, { message }] = ['NeverFits', refused.status!];
    expect(refused.status!.conditions).toEqual([
      expect.objectContaining({ type: 'Running', status: 'False', reason, message }),
      expect.objectContaining({ type: 'Created', status: 'True' }),
    ]);
    await kubectl('delete', 'quota', 'no-pods');
    const { status, ...running } = await on.untilPhase('unwanted', 'Running');
    expect(status!.conditions!.map(({ type, status: is }) => `${type}=${is}`)).toEqual([
      'Created=True',
      'Running=True',
    ]);
    const events = await on.eventsOf(running as JobResource);
    // Once for the anchor, and once for the pods, however often they were tried.
    const warnings = events.filter(({ type }) => type === 'Warning');
    expect(warnings.map((warning) => [warning.reason, warning.message])).toEqual(
      expect.arrayContaining([
        ['QuotaExceeded', REASONS.QuotaExceeded.sentence],
        [reason, message],
      ]),
    );
    expect(warnings).toHaveLength(2);
    await kubectl('delete', 'pytorchjob', 'unwanted');
  });

  it('has failed, to Kubeflow, when it is stopped', async () => {
    await applied(manifestOf('halted'));
    await on.untilPhase('halted', 'Running');
    await stage.client.job({ name: 'halted' }).stop({ why: 'enough' });
    await kubectl('wait', '--for=condition=Failed', 'pytorchjob/halted', '--timeout=60s');
    const { status } = await on.untilPhase('halted', 'Stopped');
    expect(status!.conditions!.at(-1)).toMatchObject({ type: 'Failed', reason: 'PyTorchJobStopped' });
  });

  it('gets its status back that somebody edited', async () => {
    await applied(manifestOf('edited'));
    const { status } = await on.untilPhase('edited', 'Running');
    const lie = { phase: 'Completed', conditions: [{ type: 'Succeeded', status: 'True' }], startTime: null };
    const target = { namespace: stage.namespace, name: 'edited', subresource: 'status' } as const;
    await stage.cluster.patch(PYTORCH, target, { status: lie });
    const restored = await on.untilPhase('edited', 'Running');
    expect(restored.status).toEqual(status);
  });

  it('has a history as long as that of the same job that is submitted', async () => {
    const suspended = (name: string) => manifestOf(name, { runPolicy: { suspend: true } });
    await applied(suspended('counted-resource'));
    await stage.client.submit(suspended('counted-job'));
    await on.untilPhase('counted-resource', 'Suspended');
    await untilPhase(stage.client.job({ name: 'counted-job' }), 'Suspended');
    const ofResource = await lengthOf('counted-resource');
    const ofJob = await lengthOf('counted-job');
    expect(ofResource - ofJob).toBeLessThanOrEqual(3);
  });

  it('is deleted with all it has left when its time to live is over', async () => {
    await applied(manifestOf('brief', { ...ENDS, runPolicy: { ttlSecondsAfterFinished: 1 } }));
    await kubectl('wait', '--for=delete', 'pytorchjob/brief', '--timeout=60s');
    await untilLeft(stage, 'brief', []);
  });

  it('has spares, one of which gives its place to a pod that has lost its node', async () => {
    const pool = await openNodePool(stage.cluster, { nodes: [1, 1, 1, 1] });
    try {
      const manifest = gangJob({ name: 'spared', namespace: stage.namespace, pool, pods: 3, gang: 'gated' });
      await applied(withPolicy(manifest, { spares: { count: 1 }, nodes: { lostAfter: '1s' } }));
      const spare = await eventually('its spare has a node', async () => {
        const [found] = await stage.pods('spared').then((pods) => pods.filter(isSpare));
        return found?.spec.nodeName ? found : undefined;
      });
      const { metadata } = await on.untilPhase('spared', 'Running');
      expect(spare.metadata.ownerReferences).toEqual([
        expect.objectContaining({ kind: 'PyTorchJob', uid: metadata.uid, controller: true }),
        expect.objectContaining({ kind: 'ConfigMap', controller: false }),
      ]);
      const lost = await stage.pod('spared-worker-0');
      await turnNotReady(stage, lost.spec.nodeName!);
      await eventually('its pod has the place of the spare', async () => {
        const { spec, metadata: now } = await stage.pod('spared-worker-0');
        return now.uid !== lost.metadata.uid && spec.nodeName === spare.spec.nodeName;
      });
      const running = await on.until('spared', 'runs again', (resource) => {
        return resource.status?.phase === 'Running' && activeOf(resource) === 3;
      });
      expect(running.status!.attempt).toBe(1);
      await kubectl('delete', 'pytorchjob', 'spared');
      await eventually('nothing is left', async () => (await stage.pods('spared')).length === 0);
    } finally {
      await pool.remove();
    }
  });

  it('of a foreign manager is left alone', async () => {
    await applied(manifestOf('foreign', { runPolicy: { managedBy: 'kueue.x-k8s.io/multikueue' } }));
    await applied(manifestOf('after-foreign', ENDS));
    await on.untilPhase('after-foreign', 'Completed');
    expect((await on.resourceOf('foreign')).status).toBeUndefined();
    await expect(workflowOf('foreign').describe()).rejects.toThrow(WorkflowNotFoundError);
  });

  it('leaves nothing if somebody deletes its anchor, although only the resource owns its objects then', async () => {
    await applied(manifestOf('adrift'));
    await on.untilPhase('adrift', 'Running');
    await worker.stop();
    await stage.cluster.delete(CONFIG_MAPS, stage.namespace, 'adrift.signalbox');
    await eventually('garbage collection has taken the anchor off the pods', async () => {
      const pods = await stage.pods('adrift');
      return pods.length > 0 && pods.every(({ metadata }) => metadata.ownerReferences?.length === 1);
    });
    await worker.start(LEASE);
    await on.untilPhase('adrift', 'Stopped');
    await untilLeft(stage, 'adrift', []);
  });

  it('has failed if somebody terminates its workflow, leaves its record, and is not started again', async () => {
    await applied(manifestOf('killed'));
    await on.untilPhase('killed', 'Running');
    await workflowOf('killed').terminate('by hand');
    await kubectl('wait', '--for=condition=Failed', 'pytorchjob/killed', '--timeout=60s');
    const killed = await on.untilPhase('killed', 'Stopped');
    expect([killed.status!.reason, activeOf(killed)]).toEqual(['WorkflowTerminated', 0]);
    await untilLeft(stage, 'killed', ['ConfigMap/killed.signalbox']);
    const { firstExecutionRunId, status: closed } = await describedRun('killed');
    expect([firstExecutionRunId, closed]).toEqual([killed.status!.runId, 'TERMINATED']);
  });

  it('waits for a name that another kind has', async () => {
    await applied(manifestOf('twin'));
    await on.untilPhase('twin', 'Running');
    const { template } = (
      manifestOf('twin', ENDS).spec.pytorchReplicaSpecs as Record<string, { template: { spec: object } }>
    ).Worker!;
    const spec = { tfReplicaSpecs: { Worker: { replicas: 1, template } } };
    await applied({ ...manifestOf('twin'), kind: 'TFJob', spec });
    const waiting = await on.until('twin', 'waits', ({ status }) => status?.reason === 'NameTaken', TF);
    expect(waiting.status!.conditions).toEqual([
      expect.objectContaining({ type: 'Created', status: 'True' }),
    ]);
    expect(await on.eventsOf(waiting)).toEqual([
      expect.objectContaining({ type: 'Warning', reason: 'NameTaken' }),
    ]);
    await kubectl('delete', 'pytorchjob', 'twin');
    await on.untilPhase('twin', 'Completed', TF);
  });
});

/** The commands of the page and what they print. */
const TRANSCRIPT = readFileSync('docs/front-door.md', 'utf8')
  .split('```console\n')[1]!
  .split('```')[0]!
  .split(/^\$ kubectl /m)
  .slice(1)
  .map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)] as const);

/** Ages and namespaces differ from run to run. */
const comparable = (printed: string) =>
  printed.replaceAll(/ +\d+s$/gm, ' AGE').replaceAll(/from \S+ namespace/g, 'from NAMESPACE');

describe('docs/front-door.md', () => {
  it('says what kubectl prints', async () => {
    await kubectl('delete', 'pytorchjobs', '--all');
    expect(TRANSCRIPT).toHaveLength(5);
    for (const [command, expected] of TRANSCRIPT) {
      if (command.includes('Succeeded')) await stage.endPod('train-master-0', { exitCode: 0 });
      const printed = command.startsWith('apply')
        ? await applied(manifestOf('train'))
        : await kubectl(...command.split(' '));
      expect(comparable(printed)).toBe(comparable(expected));
    }
  });
});

describe('while the bridge is down', () => {
  it('a deleted job ends, one that is made again runs afterwards, and one without a status is found', async () => {
    await applied(manifestOf('gone'));
    await applied(manifestOf('again'));
    await on.untilPhase('gone', 'Running');
    const { metadata: first } = await on.untilPhase('again', 'Running');
    await bridge.kill();
    await kubectl('delete', 'pytorchjob', 'gone', 'again');
    await untilLeft(stage, 'gone', []);
    await eventually('its workflow has ended', async () => {
      const { status } = await workflowOf('gone').describe();
      return status.name === 'COMPLETED';
    });
    expect(await workflowOf('gone').result()).toMatchObject({ phase: 'Stopped' });
    await applied(manifestOf('again', ENDS));
    await bridge.start(LEASE);
    const { metadata: second } = await on.untilPhase('again', 'Completed');
    expect(second.uid).not.toBe(first.uid);
  });

  it('a job that was started, but not shown, is found again, and not started twice', async () => {
    await applied(manifestOf('unseen'));
    const { metadata } = await on.untilPhase('unseen', 'Running');
    await bridge.kill();
    const target = { namespace: stage.namespace, name: 'unseen', subresource: 'status' } as const;
    await stage.cluster.patch(PYTORCH, target, { status: null });
    await bridge.start(LEASE);
    const { status } = await on.untilPhase('unseen', 'Running');
    await stage.endPod('unseen-master-0', { exitCode: 0 });
    await on.untilPhase('unseen', 'Completed');
    // Without an anchor Temporal says how it ended.
    await bridge.kill();
    await kubectl('delete', 'configmap', 'unseen.signalbox');
    await stage.cluster.patch(PYTORCH, target, { status: null });
    await bridge.start(LEASE);
    const found = await on.untilPhase('unseen', 'Completed');
    expect(found.metadata.uid).toBe(metadata.uid);
    expect(found.status!.runId).toBe(status!.runId);
    await kubectl('delete', 'pytorchjob', 'unseen');
    expect(await untilLeft(stage, 'unseen', [])).toEqual([]);
  });

  it('a resource that is edited before its job is admitted runs as it says then', async () => {
    await worker.stop();
    await applied(manifestOf('early', { master: { annotations: SUCCEEDS }, worker: { replicas: 1 } }));
    await on.until('early', 'is started', ({ status }) => status?.runId !== undefined);
    await kubectl('label', 'pytorchjob', 'early', 'team=vision');
    await kubectl('scale', 'pytorchjob', 'early', '--replicas=2');
    await worker.start(LEASE);
    await on.untilPhase('early', 'Completed');
    const { status } = await on.resourceOf('early');
    expect(status).toMatchObject({ appliedGeneration: 2 });
    const { typedSearchAttributes } = await workflowOf('early').describe();
    expect(typedSearchAttributes.get(SEARCH_ATTRIBUTES.labels)).toEqual(['team=vision']);
  });
});
