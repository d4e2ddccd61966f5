import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { KubeObject, Pod } from '../../../contracts/kubernetes.ts';
import { withReferences } from '../../../contracts/references.ts';
import { formatFault } from '../../../frameworks/fields/faults.ts';
import { SHIPPED_RUNTIMES, shippedRuntime } from '../../../frameworks/kinds/train-job/shipped-runtimes.ts';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { withShipped } from '../../../frameworks/manifest/references.ts';
import { renderAttempt } from '../../../resources/attempt.ts';
import { CASES_FOLDER } from '../../comparison/case.ts';
import { Course } from '../../comparison/course.ts';

type Fields = Readonly<Record<string, unknown>>;

const trainer = { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainer' };

interface JobParts {
  readonly labels?: Fields;
  readonly job?: Fields;
  readonly pod?: Fields;
  readonly container?: Fields;
  readonly replicated?: Fields;
}

const replicated = (name: string, { labels, job, pod, container, replicated: others }: JobParts = {}) => ({
  name,
  ...others,
  template: {
    ...(labels ? { metadata: { labels } } : {}),
    spec: {
      ...job,
      template: { spec: { ...pod, containers: [{ name: 'node', image: 'i', ...container }] } },
    },
  },
});

const node = (parts: JobParts = {}) => replicated('node', { labels: trainer, ...parts });

interface Parts {
  readonly spec?: Fields;
  readonly mlPolicy?: Fields;
  readonly jobs?: readonly unknown[];
  readonly set?: Fields;
  readonly runtime?: Fields;
  readonly name?: string;
  readonly policy?: string;
}

function manifestOf({
  spec,
  mlPolicy = { torch: {} },
  jobs = [node()],
  set,
  runtime,
  name = 'digits',
  policy,
}: Parts) {
  const object = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'ClusterTrainingRuntime',
    metadata: { name: 'own', generation: 3 },
    spec: { mlPolicy, ...runtime, template: { spec: { ...set, replicatedJobs: jobs } } },
  };
  const job = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name, ...(policy ? { annotations: { 'signalbox.dev/policy': policy } } : {}) },
    spec: { runtimeRef: { name: 'own' }, ...spec },
  };
  return withReferences(job, [object as unknown as KubeObject]);
}

const parse = (parts: Parts) => parseManifest(manifestOf(parts), { namespace: 'ml', strict: true });

function jobOf(parts: Parts) {
  const parsed = parse(parts);
  if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
  return parsed.job;
}

function faultsOf(parts: Parts): string[] {
  const parsed = parse(parts);
  return 'faults' in parsed ? parsed.faults.map(formatFault) : [];
}

const renderedOf = (job: ReturnType<typeof jobOf>) =>
  renderAttempt(job, { number: 1, anchorUid: 'a' }, { gang: 'none', asGang: true });

const podsOf = (parts: Parts): readonly Pod[] => renderedOf(jobOf(parts)).pods;

const variablesOf = ({ spec }: Pod) =>
  Object.fromEntries((spec.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));

describe('a TrainJob', () => {
  it('has what it was made from in its plan, with the generation', () => {
    expect(jobOf({}).plan.references).toEqual(['ClusterTrainingRuntime own, generation 3']);
  });

  it('has the variables of its policy also without spec.trainer', () => {
    expect(variablesOf(podsOf({})[0]!)).toMatchObject({
      PET_NNODES: '1',
      PET_NPROC_PER_NODE: '1',
      PET_MASTER_ADDR: 'digits-node-0-0.digits',
    });
  });

  it('keeps a port of the runtime that has no name', () => {
    const [pod] = podsOf({ jobs: [node({ container: { ports: [{ containerPort: 8080 }] } })] });
    expect(pod!.spec.containers[0]!.ports).toEqual([{ containerPort: 8080 }, { containerPort: 29_500 }]);
  });

  it('counts GPUs by the word auto, and CPUs rounded up', () => {
    const processes = (resourcesPerNode: Fields) =>
      variablesOf(podsOf({ spec: { trainer: { resourcesPerNode } } })[0]!).PET_NPROC_PER_NODE;
    expect(processes({ limits: { 'nvidia.com/gpu': 8 } })).toBe('auto');
    expect(processes({ requests: { cpu: '2500m' } })).toBe('3');
    expect(processes({ requests: { memory: '1Gi' } })).toBe('1');
  });

  it('keeps the pods of several replicas apart by their Jobs', () => {
    const pods = podsOf({
      jobs: [node(), replicated('helper', { job: { parallelism: 2 }, replicated: { replicas: 2 } })],
    }).slice(1);
    expect(pods.map(({ metadata: { name }, spec: { hostname } }) => [name, hostname])).toEqual([
      ['digits-helper-0', 'digits-helper-0-0'],
      ['digits-helper-1', 'digits-helper-0-1'],
      ['digits-helper-2', 'digits-helper-1-0'],
      ['digits-helper-3', 'digits-helper-1-1'],
    ]);
    const labels = pods.map(({ metadata }) => metadata.labels!);
    const of = (name: string) => labels.map((one) => one[name]);
    expect(of('jobset.sigs.k8s.io/job-global-index')).toEqual(['1', '1', '2', '2']);
    expect(of('batch.kubernetes.io/job-completion-index')).toEqual(['0', '1', '0', '1']);
  });

  it('merges patches: volumes, mounts and maps by their keys, tolerations as a whole', () => {
    const patched = {
      nodeSelector: { pool: 'h100' },
      tolerations: [{ key: 'new' }],
      volumes: [{ name: 'data', emptyDir: {} }],
      containers: [{ name: 'node', volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
    };
    const patch = { spec: { template: { metadata: { labels: { team: 'a' } }, spec: patched } } };
    const replicatedJobs = [{ name: 'node', template: patch }];
    const [pod] = podsOf({
      jobs: [node({ pod: { nodeSelector: { zone: 'b' }, tolerations: [{ key: 'old' }] } })],
      spec: {
        runtimePatches: [
          { manager: 'example.com/a', trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } },
        ],
      },
    });
    expect(pod!.spec).toMatchObject({
      nodeSelector: { zone: 'b', pool: 'h100' },
      tolerations: [{ key: 'new' }],
      volumes: [{ name: 'data' }],
    });
    expect(pod!.spec.containers[0]!.volumeMounts).toEqual([{ name: 'data', mountPath: '/data' }]);
    expect(pod!.metadata.labels).toMatchObject({ team: 'a' });
  });

  it.each([
    ['null', null, null],
    ['an empty list or map', [], {}],
  ])('keeps what a patch sets to %s, as the types of Trainer do not write that', (_, list, map) => {
    const pod = { nodeSelector: { zone: 'b' }, tolerations: [{ key: 'old' }], serviceAccountName: 'own' };
    const patched = { nodeSelector: map, tolerations: list, imagePullSecrets: list };
    const replicatedJobs = [
      {
        name: 'node',
        template: {
          spec: { template: { spec: { ...patched, ...(map ? {} : { serviceAccountName: null }) } } },
        },
      },
    ];
    const [made] = podsOf({
      jobs: [node({ pod })],
      spec: {
        runtimePatches: [
          { manager: 'example.com/a', trainingRuntimeSpec: { template: { spec: { replicatedJobs } } } },
        ],
      },
    });
    expect(made!.spec).toMatchObject(pod);
  });

  it('takes the forms of Trainer 2.0 and 2.1, and warns of them', () => {
    const override = { targetJobs: [{ name: 'node' }], spec: { nodeSelector: { pool: 'x' } } };
    const own = { targetJobs: [{ name: 'node' }], serviceAccountName: 'trainer' };
    const job = jobOf({
      mlPolicy: { torch: { numProcPerNode: 'gpu' } },
      spec: { podTemplateOverrides: [override], podSpecOverrides: [own], labels: { a: 'b' } },
    });
    const [pod] = renderedOf(job).pods;
    expect(pod!.spec).toMatchObject({ nodeSelector: { pool: 'x' }, serviceAccountName: 'trainer' });
    expect(variablesOf(pod!).PET_NPROC_PER_NODE).toBe('gpu');
    expect(job.warnings.map((warning) => warning.split(':')[0])).toEqual([
      'spec.labels',
      'spec.podTemplateOverrides',
      'spec.podSpecOverrides',
      'spec.runtime.mlPolicy.torch.numProcPerNode',
    ]);
  });

  it('starts one launcher when the nodes are ready, whatever the runtime counts', () => {
    const job = jobOf({
      mlPolicy: { numNodes: 2, mpi: { runLauncherAsNode: true, numProcPerNode: 2 } },
      jobs: [
        replicated('node'),
        replicated('launcher', {
          labels: trainer,
          replicated: { dependsOn: [{ name: 'node', status: 'Ready' }] },
        }),
      ],
      spec: { trainer: { numNodes: 3 } },
    });
    expect(job.plan.roles).toMatchObject([
      { name: 'node', replicas: 2 },
      { name: 'launcher', replicas: 1, after: ['node'] },
    ]);
    const hosts = renderedOf(job).shared.find(({ metadata }) => metadata.name === 'digits-mpi-hostfile');
    expect(hosts!.data).toEqual({
      hostfile:
        'digits-node-0-0.digits slots=2\ndigits-node-0-1.digits slots=2\ndigits-launcher-0-0.digits slots=2\n',
    });
  });
});

describe('a failed pod of a TrainJob', () => {
  const never = { restartPolicy: 'Never' };

  /** Fails its first node so often, each time after it was ready. */
  function failing(parts: Parts, exitCodes: readonly number[]) {
    const job = jobOf(parts);
    const ready = Object.fromEntries(job.roles.map(({ name }) => [name, 'ready'] as const));
    const course = new Course(job);
    for (const exitCode of exitCodes) {
      course.sees(ready).sees(ready);
      const { attempt, restarts } = course.status;
      course.seesFailure({ role: 'node', index: 0, uid: `${attempt}-${restarts}`, exitCode }, {});
      // What is restarted again and again waits.
      if (course.deadlines.includes('backOff')) course.passes('backOff');
    }
    return course.status;
  }

  it('is made again as often as backoffLimit says, in each attempt', () => {
    const parts = {
      jobs: [node({ job: { backoffLimit: 1 }, pod: never })],
      set: { failurePolicy: { maxRestarts: 1 } },
    };
    expect(failing(parts, [1])).toMatchObject({ attempt: 1, restarts: 1 });
    expect(failing(parts, [1, 1])).toMatchObject({ attempt: 2, restarts: 2 });
    expect(failing(parts, [1, 1, 1])).toMatchObject({ attempt: 2, restarts: 3 });
    expect(failing(parts, [1, 1, 1, 1])).toMatchObject({
      phase: 'Failed',
      cause: { rule: 'spec.runtime.template.spec.failurePolicy.maxRestarts: 1' },
    });
  });

  it('fails the job at once without a failurePolicy', () => {
    expect(failing({ jobs: [node({ job: { backoffLimit: 0 }, pod: never })] }, [1])).toMatchObject({
      phase: 'Failed',
      cause: { rule: 'spec.runtime.template.spec.failurePolicy: none' },
    });
  });

  it('means what the first rule of podFailurePolicy says of its exit code', () => {
    const rules = [
      { action: 'Ignore', onExitCodes: { operator: 'In', values: [42] } },
      { action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [7] } },
    ];
    const onJobFailureReasons = ['PodFailurePolicy'];
    const parts = {
      jobs: [node({ job: { backoffLimit: 0, podFailurePolicy: { rules } }, pod: never })],
      set: { failurePolicy: { maxRestarts: 2, rules: [{ action: 'FailJobSet', onJobFailureReasons }] } },
    };
    expect(failing(parts, [42])).toMatchObject({ attempt: 1, restarts: 0 });
    expect(failing(parts, [7])).toMatchObject({ attempt: 2, restarts: 1 });
    const { phase, cause } = failing(parts, [3]);
    expect([phase, cause?.rule]).toEqual([
      'Failed',
      'spec.runtime.template.spec.replicatedJobs[node].template.spec.podFailurePolicy.rules[1]: FailJob; spec.runtime.template.spec.failurePolicy.rules[0]: FailJobSet',
    ]);
  });

  it('never ends the restarts that maxRestarts does not count', () => {
    const parts = {
      jobs: [node({ job: { backoffLimit: 0 }, pod: never })],
      set: { failurePolicy: { rules: [{ action: 'RestartJobSetAndIgnoreMaxRestarts' }] } },
    };
    expect(failing(parts, [1, 1, 1])).toMatchObject({ attempt: 4, restarts: 3 });
  });
});

describe('a program of a TrainJob that the kubelet restarts', () => {
  const limited = node({ job: { backoffLimit: 6 } });
  const LADDER = 'restart: { ladder: [{ scope: container, times: 2 }, { scope: gang, times: 1 }] }';

  /** Restarts it so often. */
  function restartedInPlace(parts: Parts, times: number) {
    const job = jobOf(parts);
    const course = new Course(job).sees({ node: 'ready' }).sees({ node: 'ready' });
    return course.seesRestartsInPlace('node', times).status;
  }

  it('counts in each replicated job by itself', () => {
    const job = jobOf({ jobs: [limited, replicated('judge', { job: { backoffLimit: 2 } })] });
    const course = new Course(job).sees({ node: 'ready', judge: 'ready' });
    expect(course.seesRestartsInPlace('node', 5).status.phase).not.toBe('Failed');
    expect(course.seesRestartsInPlace('judge', 1).status.phase).not.toBe('Failed');
    expect(course.seesRestartsInPlace('judge', 2).status).toMatchObject({
      phase: 'Failed',
      cause: { rule: expect.stringMatching(/replicatedJobs\[judge\]\.template\.spec\.backoffLimit: 2/) },
    });
  });

  it('fails the job when it is restarted as often as backoffLimit says', () => {
    const parts = { jobs: [limited] };
    expect(restartedInPlace(parts, 5).phase).not.toBe('Failed');
    expect(restartedInPlace(parts, 6)).toMatchObject({
      phase: 'Failed',
      cause: {
        reason: 'BackoffLimitExceeded',
        rule: `${path}.replicatedJobs[node].template.spec.backoffLimit: 6; ${path}.failurePolicy: none`,
      },
    });
  });

  it('takes the next rung of the policy where that allows fewer restarts than the runtime', () => {
    const parts = { jobs: [limited], policy: LADDER };
    expect(restartedInPlace(parts, 2)).toMatchObject({ attempt: 1 });
    expect(restartedInPlace(parts, 3)).toMatchObject({ phase: 'Pending', attempt: 2 });
  });
});

it('the jobs that wait for the end of initializers are made when these have succeeded, not before', () => {
  const parsed = parseManifest(
    withShipped({
      apiVersion: 'trainer.kubeflow.org/v1alpha1',
      kind: 'TrainJob',
      metadata: { name: 'chat' },
      spec: { runtimeRef: { name: 'torchtune-llama3.2-1b' }, trainer: { command: ['tune', 'run'] } },
    }),
    { namespace: 'ml' },
  );
  if ('faults' in parsed) throw new Error(parsed.faults.map(formatFault).join('\n'));
  const course = new Course(parsed.job);
  const both = (state: 'ready' | 'succeeded') => ({
    'dataset-initializer': state,
    'model-initializer': state,
  });
  course.sees(both('ready')).sees(both('ready'));
  expect(course.status.phase).toBe('Starting');
  course.sees(both('succeeded')).sees({ ...both('succeeded'), node: 'ready' });
  expect(course.status.phase).toBe('Running');
});

it.each(Object.keys(SHIPPED_RUNTIMES))('the runtime %s that comes with signalbox is valid', (name) => {
  const manifest = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'shipped' },
    spec: { runtimeRef: { name }, trainer: { numNodes: 1 } },
  };
  const parsed = parseManifest(withReferences(manifest, [shippedRuntime(name)!]), {
    namespace: 'ml',
    strict: true,
  });
  expect('faults' in parsed ? parsed.faults.map(formatFault) : []).toEqual([]);
});

const path = 'spec.runtime.template.spec';
const jobsAt = (index: number) => `${path}.replicatedJobs[${index}]`;
const patchOf = (job: Fields) => ({
  runtimePatches: [
    { manager: 'example.com/a', trainingRuntimeSpec: { template: { spec: { replicatedJobs: [job] } } } },
  ],
});
const inPod = (pod: Fields) => ({ name: 'node', template: { spec: { template: { spec: pod } } } });
const patchAt = 'spec.runtimePatches[0].trainingRuntimeSpec.template.spec.replicatedJobs[0]';
const waiting = (name: string, awaited: string) =>
  replicated(name, { replicated: { dependsOn: [{ name: awaited, status: 'Ready' }] } });

const REFUSED: readonly (readonly [what: string, parts: Parts, fault: string])[] = [
  [
    'an unknown kind of runtime',
    { spec: { runtimeRef: { name: 'own', kind: 'Runtime' } } },
    'spec.runtimeRef.kind: expected one of ClusterTrainingRuntime, TrainingRuntime, got "Runtime"',
  ],
  [
    'no node',
    { spec: { trainer: { numNodes: 0 } } },
    'spec.trainer.numNodes: expected an integer >= 1, got 0',
  ],
  [
    'processes that are none',
    { spec: { trainer: { numProcPerNode: 0 } } },
    'spec.trainer.numProcPerNode: expected an integer >= 1, got 0',
  ],
  [
    'a name that is too long with its ending',
    { name: 'a'.repeat(49) },
    'metadata.name: expected at most 48 characters, because pods of Trainer add -node-0-0-abcde and names have at most 63, got 49',
  ],
  [
    'a variable that the runtime sets',
    { spec: { trainer: { env: [{ name: 'PET_NNODES', value: '2' }] } } },
    'spec.trainer.env[0].name: expected another name: the runtime sets it, got PET_NNODES',
  ],
  [
    'jobs in a circle',
    { jobs: [node(), waiting('a', 'b'), waiting('b', 'a')] },
    `${jobsAt(1)}.dependsOn: expected replicated jobs that do not wait for this one, got a waits for b waits for a`,
  ],
  [
    'a job that waits for none',
    { jobs: [node(), waiting('a', 'nod')] },
    `${jobsAt(1)}.dependsOn[0].name: expected another replicated job: node (did you mean node?), got "nod"`,
  ],
  [
    'a patch of an unknown job',
    { spec: patchOf({ name: 'nodes' }) },
    `${patchAt}.name: expected a replicated job of the runtime: node (did you mean node?), got "nodes"`,
  ],
  [
    'a patch of an unknown container',
    { spec: patchOf(inPod({ containers: [{ name: 'main' }] })) },
    `${patchAt}.template.spec.template.spec.containers[0].name: expected a container of the runtime: node, got "main"`,
  ],
  [
    'variables in a patch of the trainer',
    { spec: patchOf(inPod({ containers: [{ name: 'node', env: [{ name: 'A', value: 'b' }] }] })) },
    `${patchAt}.template.spec.template.spec.containers[0].env: expected no variables of node: spec.trainer.env has them, got a list of 1`,
  ],
  [
    'a field that no patch may set',
    { spec: patchOf(inPod({ hostNetwork: true })) },
    `${patchAt}.template.spec.template.spec.hostNetwork: expected a known field, got true`,
  ],
  [
    'a patch by nobody',
    { spec: { runtimePatches: [{ manager: 'kubectl' }] } },
    'spec.runtimePatches[0].manager: expected a path with a domain before it, e.g. example.com/platform, got "kubectl"',
  ],
  [
    'two policies of a runtime',
    { mlPolicy: { torch: {}, jax: {} } },
    'spec.runtime.mlPolicy: expected one of its policies, got torch and jax',
  ],
  [
    'two gang schedulers of a runtime',
    { runtime: { podGroupPolicy: { coscheduling: {}, volcano: {} } } },
    'spec.runtime.podGroupPolicy: expected one of its policies, got coscheduling and volcano',
  ],
  [
    'an empty queue of Volcano',
    {
      runtime: { podGroupPolicy: { volcano: {} } },
      spec: {
        runtimePatches: [
          {
            manager: 'example.com/a',
            trainingRuntimeSpec: {
              template: { metadata: { annotations: { 'scheduling.volcano.sh/queue-name': '' } } },
            },
          },
        ],
      },
    },
    'spec.runtime.template.metadata.annotations[scheduling.volcano.sh/queue-name]: expected a non-empty string, got ""',
  ],
  ...['envFrom', 'volumeMounts'].map((list): (typeof REFUSED)[number] => [
    `a mapping in place of the list ${list}`,
    { jobs: [node({ container: { [list]: {} } })] },
    `${jobsAt(0)}.template.spec.template.spec.containers[0].${list}: expected a list, got an object`,
  ]),
  [
    'a mapping in place of volumes',
    { jobs: [node({ pod: { volumes: {} } })] },
    `${jobsAt(0)}.template.spec.template.spec.volumes: expected a list, got an object`,
  ],
  [
    'more pods of a replicated job than a cluster has',
    {
      jobs: [replicated('node', { job: { parallelism: 1000 }, replicated: { replicas: 1000 } })],
      mlPolicy: {},
    },
    `${jobsAt(0)}.replicas: expected an integer <= 150000, got 1000000`,
  ],
  [
    'several trainers',
    { jobs: [node({ replicated: { replicas: 2 } })] },
    `${jobsAt(0)}.replicas: expected 1 for a trainer, got 2`,
  ],
  [
    'a trainer without its container',
    { jobs: [node({ container: { name: 'main' } })] },
    `${jobsAt(0)}.template.spec.template.spec.containers: expected a container node in a trainer, got a list of 1`,
  ],
  [
    'an unknown step',
    { jobs: [replicated('node', { labels: { 'trainer.kubeflow.org/trainjob-ancestor-step': 'trainers' } })] },
    `${jobsAt(0)}.template.metadata.labels[trainer.kubeflow.org/trainjob-ancestor-step]: expected one of trainer, dataset-initializer, model-initializer, got "trainers"`,
  ],
  [
    'a container to which nobody can give variables',
    { mlPolicy: { torch: { envInjection: { targets: [{ jobName: 'node', containerNames: ['x'] }] } } } },
    'spec.runtime.mlPolicy.torch.envInjection.targets[0].containerNames[0]: expected a container of node, got "x"',
  ],
  [
    'an initializer that the runtime does not have',
    { spec: { initializer: { model: { storageUri: 'hf://m' } } } },
    'spec.initializer.model: expected a runtime with a model-initializer, got none',
  ],
  [
    'a place without a scheme',
    { spec: { initializer: { model: { storageUri: 'org/m' } } } },
    'spec.initializer.model.storageUri: expected scheme://..., e.g. hf://org/model, got "org/m"',
  ],
  [
    'a pod that always restarts',
    { jobs: [node({ pod: { restartPolicy: 'Always' } })] },
    `${jobsAt(0)}.template.spec.template.spec.restartPolicy: expected OnFailure or Never, as of batch Jobs, got "Always"`,
  ],
  [
    'podFailurePolicy where the kubelet restarts',
    { jobs: [node({ job: { podFailurePolicy: { rules: [] } } })] },
    `${jobsAt(0)}.template.spec.template.spec.restartPolicy: expected Never beside podFailurePolicy, got OnFailure`,
  ],
  [
    'a rule for an unknown job',
    { set: { successPolicy: { operator: 'All', targetReplicatedJobs: ['launcher'] } } },
    `${path}.successPolicy.targetReplicatedJobs[0]: expected one of node, got "launcher"`,
  ],
  [
    'any of several jobs',
    { jobs: [node(), replicated('b')], set: { successPolicy: { operator: 'Any' } } },
    `${path}.successPolicy.operator: expected All, or one job in targetReplicatedJobs, got "Any"`,
  ],
  [
    'Flux',
    { mlPolicy: { flux: { numProcPerNode: 1 } } },
    'spec.runtime.mlPolicy.flux: expected nothing: signalbox has no Flux yet; run the program under mpirun, with a runtime of mlPolicy.mpi, got an object',
  ],
  [
    'several nodes under mpirun without a launcher',
    { mlPolicy: { mpi: { runLauncherAsNode: true } }, spec: { trainer: { numNodes: 2 } } },
    'spec.trainer.numNodes: expected 1, or a runtime with the replicated jobs launcher and node (runLauncherAsNode), got 2',
  ],
  [
    'torchtune with a runtime that is none of it',
    { spec: { trainer: { command: ['tune', 'run'] } } },
    'spec.runtimeRef.name: expected one of torchtune-llama3.2-1b, torchtune-llama3.2-3b, torchtune-llama3.3-70b, torchtune-qwen2.5-1.5b for the command tune run, got "own"',
  ],
  [
    'a time limit of a Job',
    { jobs: [node({ job: { activeDeadlineSeconds: 5 } })] },
    `${jobsAt(0)}.template.spec.activeDeadlineSeconds: expected nothing: set spec.activeDeadlineSeconds of the TrainJob, got 5`,
  ],
  [
    'a field that the runtime has, not the job',
    { spec: { replicatedJobs: [] } },
    'spec.replicatedJobs: expected nothing: references has it, got a value',
  ],
  [
    'another manager',
    { spec: { managedBy: 'kueue.x-k8s.io/multikueue' } },
    'spec.managedBy: expected trainer.kubeflow.org/trainjob-controller, as no other cluster runs a job that is submitted, got "kueue.x-k8s.io/multikueue"',
  ],
  [
    'an unknown field',
    { spec: { trainer: { numNode: 2 } } },
    'spec.trainer.numNode: expected a known field (did you mean numNodes?), got 2',
  ],
];

it.each(REFUSED)('%s is refused', (_, parts, fault) => {
  expect(faultsOf(parts)).toEqual([fault]);
});

it('a runtime that is missing is refused, with the near name of one that comes with signalbox', () => {
  const manifest = {
    apiVersion: 'trainer.kubeflow.org/v1alpha1',
    kind: 'TrainJob',
    metadata: { name: 'x' },
    spec: { runtimeRef: { name: 'torch-distribute' } },
  };
  const parsed = parseManifest(manifest, { namespace: 'ml' });
  expect('faults' in parsed && parsed.faults.map(formatFault)).toEqual([
    expect.stringMatching(
      /^spec\.runtimeRef\.name: expected a ClusterTrainingRuntime of the cluster, .*did you mean torch-distributed\?\), got "torch-distribute"$/,
    ),
  ]);
});

interface Asked {
  readonly create: KubeObject & { readonly spec: Fields };
  readonly answer: string;
}

describe('what Trainer’s webhooks refuse of TrainJobs is refused:', () => {
  const { asked } = JSON.parse(
    readFileSync(join(CASES_FOLDER, 'trainjob-refusals', 'observed.json'), 'utf8'),
  ) as { readonly asked: readonly Asked[] };
  const runtimes = asked.map(({ create }) => create).filter(({ kind }) => kind.endsWith('TrainingRuntime'));
  // The case of an empty queue was recorded without the annotation that names it.
  const refused = asked.filter(
    ({ create, answer }) =>
      create.kind === 'TrainJob' && answer !== 'accepted' && !answer.includes('queue-name'),
  );

  it.each(refused.map(({ create, answer }) => [answer.slice(0, 120), create] as const))('%s', (_, create) => {
    const given = withShipped(withReferences(create, runtimes));
    const parsed = parseManifest(given, { namespace: 'default', strict: true });
    expect('faults' in parsed).toBe(true);
  });
});
