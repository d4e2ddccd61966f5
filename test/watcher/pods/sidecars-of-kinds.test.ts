import { describe, expect, it } from '@jest/globals';
import type { ContainerStatus, Pod } from '../../../contracts/kubernetes.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { roleOf } from '../../../contracts/pod.ts';
import type { TrainingJob } from '../../../contracts/training-job.ts';
import { statusOf } from '../../../machines/job-status.ts';
import { begin, step } from '../../../machines/step.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { anchorFacts } from '../../../watcher/anchors/anchor-facts.ts';
import { jobDigest } from '../../../watcher/digest/job-digest.ts';
import { podFacts, trimPod } from '../../../watcher/pods/pod-facts.ts';
import { aManifestOf } from '../../frameworks/manifests.ts';
import { anMpiJob } from '../../gang/jobs.ts';
import { ANCHOR, planned } from '../../machines/builders.ts';
import { anAnchor } from '../fixtures.ts';

/** Jobs of several kinds, from their manifests on, in whose pods a proxy runs that never ends. */

/** What the programs of a role do: `runs`, or with which code they have ended. */
type Programs = Readonly<Record<string, 'runs' | number>>;

const podUnder = (pod: Pod, programs: Programs): Pod => {
  const [main] = pod.spec.containers;
  const does = programs[roleOf(pod)] ?? 'runs';
  const program: ContainerStatus =
    does === 'runs'
      ? { name: main!.name, ready: true, state: { running: {} } }
      : { name: main!.name, ready: false, state: { terminated: { exitCode: does, reason: 'Error' } } };
  const proxy: ContainerStatus = { name: 'proxy', ready: true, state: { running: {} } };
  return {
    ...pod,
    metadata: { ...pod.metadata, uid: pod.metadata.name },
    spec: { ...pod.spec, nodeName: 'gpu-1' },
    status: { phase: 'Running', containerStatuses: [program, proxy] },
  };
};

/** The phase of the job, and its reason if it does not simply run. */
function factsText(job: TrainingJob, programs: Programs): string {
  const { pods } = renderAttempt(job, { number: 1, anchorUid: ANCHOR }, { gang: 'none', asGang: true });
  const facts = pods.map((pod) => [pod.metadata.name, podFacts(trimPod(podUnder(pod, programs)))] as const);
  const anchor = anchorFacts(anAnchor({ uid: ANCHOR }))!;
  const digest = jobDigest({ anchor, pods: new Map(facts), groups: new Map() }, { pods: 10, groups: {} });
  const begun = begin({ ...planned(job.plan), anchorUid: ANCHOR, gang: 'none', at: 0 }).job;
  const made = step(begun, { type: 'effectDone', effect: 'createAttempt', resourceVersion: 5, at: 1 }).job;
  const { phase, cause } = statusOf(step(made, { type: 'digest', digest, at: 2 }).job);
  return [phase, cause?.reason].filter(Boolean).join(': ');
}

const pytorch = (restartPolicy: string, policy?: object) =>
  aManifestOf('PyTorchJob', { Master: { restartPolicy }, Worker: { replicas: 2, restartPolicy } })
    .with(`metadata.annotations`, policy ? { [ANNOTATIONS.policy]: JSON.stringify(policy) } : undefined)
    .job();
const tensorflow = aManifestOf('TFJob', { Chief: {}, PS: {}, Worker: { replicas: 2 } }).job();

describe('beside a proxy that never ends', () => {
  it.each<[string, TrainingJob, Programs, string]>([
    ['all programs run', pytorch('Never'), {}, 'Running'],
    ['all have succeeded', pytorch('Never'), { master: 0, worker: 0 }, 'Completed'],
    ['workers are done, the master runs', pytorch('Never'), { worker: 0 }, 'Running'],
    ['the master is done, workers run', pytorch('Never'), { master: 0 }, 'Completed'],
    ['a program may not fail', pytorch('Never'), { worker: 7 }, 'Failed: PodFailed'],
    ['the kubelet restarts a program', pytorch('OnFailure'), { worker: 7 }, 'Starting: ContainersNotReady'],
    ['with OnFailure all have succeeded', pytorch('OnFailure'), { master: 0, worker: 0 }, 'Completed'],
    ['Always restarts what has succeeded', pytorch('Always'), { master: 0 }, 'Starting: ContainersNotReady'],
    ['an exit code is permanent', pytorch('ExitCode'), { worker: 7 }, 'Failed: PermanentExitCode'],
    ['an exit code is not permanent', pytorch('ExitCode'), { worker: 137 }, 'Restarting: ReplacingPods'],
    [
      'the whole gang restarts',
      pytorch('ExitCode', { restart: { ladder: [{ scope: 'gang' }] } }),
      { worker: 137 },
      'Restarting: ReplacingPods',
    ],
    ['the chief is done', tensorflow, { chief: 0 }, 'Completed'],
    ['workers of a chief are done', tensorflow, { worker: 0 }, 'Running'],
    ['the launcher is done', anMpiJob(), { launcher: 0 }, 'Completed'],
    ['the launcher runs', anMpiJob(), {}, 'Running'],
    [
      'the policy waits for proxies',
      pytorch('Never', { waitForSidecars: true }),
      { master: 0, worker: 0 },
      'Running',
    ],
  ])('%s', (_, job, programs, expected) => {
    expect(factsText(job, programs)).toBe(expected);
  });
});
