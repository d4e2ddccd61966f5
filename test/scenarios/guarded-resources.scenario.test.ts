import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMISSION_POLICIES } from '../../client/manifests/offline/definitions.ts';
import { validateManifest } from '../../client/manifests/offline/validate.ts';
import { ApiError } from '../../cluster/errors.ts';
import { type JobResource, jobResourceOf, manifestOfResource } from '../../contracts/job-resources.ts';
import { CONFIG_MAPS, PODS } from '../../contracts/kubernetes.ts';
import { ANNOTATIONS, workflowIdOf } from '../../contracts/labels.ts';
import { MEMO } from '../../contracts/messages.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import type { LedgerWho } from '../../contracts/types.ts';
import { changesBetween } from '../../frameworks/changes/changes-between.ts';
import { asFields, type Fields, isFields } from '../../language/fields.ts';
import { readCorpus } from '../corpus/corpus.ts';
import { isResource, validResources } from '../corpus/resources.ts';
import { eventually } from '../eventually.ts';
import { type BridgedStage, openBridgedStage } from './bridged-stage.ts';
import type { Kubectl } from './kubectl.ts';
import { type JobOptions, simulatedJob } from './manifests.ts';
import type { Stage } from './stage.ts';

/**
 * Custom resources at an API server with all policies, written by people with a researcher's rights. Workers run nothing else
 * than these.
 */

const GUARDED = { SIGNALBOX_REQUIRE_RESOURCE: 'true', SIGNALBOX_REQUESTER_STAMPED: 'true' };
const { rules, requester, 'pod-rights': podRights } = ADMISSION_POLICIES;
const POLICIES = [rules, requester, podRights].flatMap((policies) => [...policies()]);
const PEOPLE = ['ana', 'bob'];

let on: BridgedStage;
let stage: Stage;
let kubectl: Kubectl;

beforeAll(async () => {
  on = await openBridgedStage(GUARDED);
  ({ stage, kubectl } = on);
  await kubectl('apply', '-f', 'charts/signalbox/access/people/researcher.yaml');
  const users = [...PEOPLE, 'carol'].map((name) => `--user=${name}`);
  await kubectl('create', 'rolebinding', 'researchers', '--clusterrole=signalbox-researcher', ...users);
  await kubectl('create', 'role', 'pods', '--verb=create', '--resource=pods');
  await kubectl('create', 'rolebinding', 'pods', '--role=pods', ...PEOPLE.map((name) => `--user=${name}`));
  await kubectl.apply([manifestOf('behind')], '--as=ana');
  await on.untilPhase('behind', 'Running');
  await patch('behind', queueOf('unserved'));
  await kubectl.apply([manifestOf('astray')], '--as=ana');
  await on.untilPhase('astray', 'Running');
  await annotate('astray', ASTRAY);
  await on.until('astray', 'says so', ({ status }) => status?.appliedAnnotations === false);
  await kubectl.apply(POLICIES);
  // The API server reads policies again and again.
  await eventually('all policies are in force', async () => {
    const refused = async (manifest: object, ...args: string[]) =>
      kubectl.apply([manifest], '--dry-run=server', ...args).then(
        () => '',
        (error: Error) => error.message,
      );
    const stamped = await kubectl.apply([manifestOf('probe')], '--dry-run=server', '-o', 'yaml', '--as=ana');
    return (
      stamped.includes('signalbox.dev/requested-by: ana') &&
      (await refused(manifestOf('probe'), '--as=carol')).includes('allowed to create pods') &&
      (await refused(manifestOf('pro.be'))).includes('metadata.name: expected')
    );
  });
});

afterAll(async () => {
  await kubectl('delete', ...kindsAndNames(POLICIES), 'clusterrole/signalbox-researcher');
  await on.close();
});

const kindsAndNames = (objects: readonly { readonly kind: string; readonly metadata: { name: string } }[]) =>
  objects.map(({ kind, metadata }) => `${kind}.admissionregistration.k8s.io/${metadata.name}`);

const manifestOf = (name: string, options: Partial<JobOptions> = {}) =>
  simulatedJob({ name, namespace: stage.namespace, ...options });

const queueOf = (queue: string | null) => ({ spec: { runPolicy: { schedulingPolicy: { queue } } } });

const patch = (name: string, change: object, ...args: string[]) =>
  kubectl('patch', 'pytorchjob', name, '--type=merge', '-p', JSON.stringify(change), ...args);

const annotate = (name: string, annotations: Readonly<Record<string, string | null>>, ...args: string[]) =>
  patch(name, { metadata: { annotations } }, ...args);

/** Annotations that a live job does not follow. */
const ASTRAY = {
  [ANNOTATIONS.gang]: 'volcano',
  [ANNOTATIONS.waitForMaster]: 'busybox:1',
  [ANNOTATIONS.inputs]: '- name: data\n  uri: s3://data/train',
};

/** What the policies say to a resource; `schema`: its definition refuses it before. */
async function answerTo(resource: JobResource): Promise<string> {
  try {
    await stage.cluster.create(jobResourceOf(resource), resource, { dryRun: true });
    return '';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [, said] = /denied request: (.*)$/s.exec(error.detail) ?? [];
    return said ?? 'schema';
  }
}

const merged = (before: Fields, patch: Fields): Fields => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(patch).map(([key, value]) => [
      key,
      isFields(value) ? merged(asFields(before[key]), value) : value,
    ]),
  ),
});

/** As it would arrive at this API server, under a name of its own if it has none. */
const inNamespace = (manifest: unknown): JobResource => {
  const { metadata, ...others } = manifest as JobResource;
  return { ...others, metadata: { ...metadata, namespace: stage.namespace } };
};

/** As the bridge finds them, to which unknown fields are none. */
const faultsOf = (manifest: unknown) => validateManifest(manifest, { strict: false }).faults;

const pathsIn = (said: string) => said.split('; ').map((fault) => fault.split(': expected ')[0]!);

describe('the policies', () => {
  it('let every manifest pass that the parser takes', async () => {
    const manifests = validResources(stage.namespace);
    expect(manifests.length).toBeGreaterThan(80);
    const answers = await Promise.all(manifests.map((manifest) => answerTo(manifest)));
    expect(answers.filter((said) => said !== '')).toEqual([]);
  });

  it('say nothing that the parser does not say, and most of what it does say of roles, sizes and names', async () => {
    const invalid = readCorpus('invalid').filter(({ manifest }) => isResource(manifest));
    const answers = await Promise.all(invalid.map(({ manifest }) => answerTo(inNamespace(manifest))));
    const told = invalid.map((entry, index) => ({ ...entry, said: answers[index]! }));
    const refused = told.filter(({ said }) => said !== '' && said !== 'schema');
    for (const { name, manifest, said } of refused) {
      const known = validateManifest(manifest).faults.map(({ path }) => path);
      const isKnown = (path: string) => known.some((one) => one === path || one.startsWith(path));
      expect([name, pathsIn(said).filter((path) => !isKnown(path))]).toEqual([name, []]);
    }
    expect(refused.map(({ name }) => name.replace('.yaml', ''))).toEqual(BY_POLICY);
  });
});

/** Of the corpus, what definitions let pass and policies refuse. */
const BY_POLICY: readonly string[] = [
  ...['container-name-missing', 'containers-empty', 'containers-is-an-object', 'containers-missing'],
  ...['containers-misspelled', 'elastic-min-above-max', 'elastic-policy-of-paddle-min-above-max'],
  ...['elastic-policy-of-paddle-without-workers', 'elastic-without-workers', 'elastic-workers-above-max'],
  ...['elastic-workers-below-min', 'image-empty', 'image-missing'],
  ...['managed-by-the-other-operator', 'name-begins-with-a-digit'],
  ...['name-too-long-for-its-launcher', 'name-too-long-for-its-workers', 'name-too-long-for-many-workers'],
  ...['name-too-long', 'name-with-a-dot', 'no-launcher-at-all', 'no-pods-at-all-of-tensorflow'],
  ...['no-pods-at-all', 'replicas-negative-of-paddle-operator', 'replicas-of-workers-zero'],
  ...['restart-policy-always-of-mpi-v2', 'restart-policy-exit-code-of-mpi-v2'],
  ...['role-given-twice-in-two-cases', 'role-in-the-plural', 'role-launcher-missing-v2'],
  ...['role-launcher-missing', 'role-master-missing', 'role-master-of-a-jaxjob', 'role-misspelled'],
  ...['role-of-another-kind', 'role-of-parameter-servers-written-out', 'roles-missing-of-paddle-operator'],
  ...['template-spec-missing', 'two-chiefs', 'two-launchers', 'two-masters-of-xgboost', 'two-masters'],
  ...['volcano-name-too-long-for-its-pods', 'volcano-task-names-alike', 'volcano-tasks-without-pods'],
  'workers-of-mpi-v2-without-replicas',
];

describe('a faulty manifest', () => {
  it('that passes has all its faults in its status, and nothing is created', async () => {
    const invalid = readCorpus('invalid').filter(({ manifest }) => isResource(manifest));
    const resources = invalid
      .map(({ manifest, name }, index) => ({ name, resource: named(manifest, index) }))
      .filter(({ name, resource }) => !FOREIGN.includes(name) && faultsOf(resource).length > 0);
    const made = await Promise.all(
      resources.map(async ({ name, resource }) => {
        const kind = jobResourceOf(resource);
        const created = await stage.cluster.create(kind, resource).catch(() => undefined);
        return created ? [{ name, kind, resource }] : [];
      }),
    );
    for (const { name, kind, resource } of made.flat()) {
      const { status } = await on.untilPhase(resource.metadata.name, 'Failed', kind);
      const faults = faultsOf(resource).map(({ path }) => path);
      expect([name, faults.filter((path) => !status!.message!.includes(path))]).toEqual([name, []]);
    }
    for (const kind of [PODS, CONFIG_MAPS]) {
      const { items } = await stage.cluster.list(kind, { namespace: stage.namespace });
      expect(items.filter(({ metadata }) => metadata.name.startsWith('bad-'))).toEqual([]);
    }
    expect(made.flat().length).toBeGreaterThan(30);
  });

  /** Another controller's: the bridge has nothing to say to them. */
  const FOREIGN = ['managed-by-multikueue.yaml', 'managed-by-somebody-else-of-jax.yaml'];

  const named = (manifest: unknown, index: number) => {
    const { metadata, ...others } = inNamespace(manifest);
    const isNameFine = /^[a-z][-a-z0-9]{0,30}$/.test(String(metadata.name));
    return { ...others, metadata: { ...metadata, ...(isNameFine ? { name: `bad-${index}` } : {}) } };
  };
});

describe('an edit of a live job', () => {
  beforeAll(async () => {
    await kubectl.apply([manifestOf('live')], '--as=ana');
    await on.untilPhase('live', 'Running');
  });

  const template = (priorityClassName: string | null) => ({
    pytorchReplicaSpecs: { Worker: { template: { spec: { priorityClassName } } } },
  });

  it.each<[string, object, string]>([
    [
      'of a template',
      template('system-cluster-critical'),
      'spec.pytorchReplicaSpecs.Worker.template: expected the present value, which a job keeps while it has pods: it can change together with runPolicy.suspend',
    ],
    [
      'of the set of roles',
      { pytorchReplicaSpecs: { Master: null } },
      'spec.pytorchReplicaSpecs: expected the present value, which a job keeps from its submission to its end',
    ],
    [
      'of its manager',
      { runPolicy: { managedBy: 'signalbox.dev/bridge' } },
      'spec.runPolicy.managedBy: expected the present value',
    ],
    [
      'to a size that no job has',
      { pytorchReplicaSpecs: { Master: { replicas: 2 } } },
      'spec.pytorchReplicaSpecs.Master.replicas: expected exactly 1',
    ],
    [
      'of where its group waits',
      { runPolicy: { schedulingPolicy: { queue: 'other' } } },
      'spec.runPolicy.schedulingPolicy.queue: expected the present value, which a job keeps while it has pods',
    ],
  ])('%s is refused when it is applied', async (_, spec, message) => {
    await expect(patch('live', { spec }, '--as=bob')).rejects.toThrow(message);
    expect((await on.resourceOf('live')).metadata.generation).toBe(1);
  });

  it('that it does not follow may be taken back, or replaced', async () => {
    const { metadata, status } = await on.until(
      'behind',
      'was seen',
      ({ status: now }) => now?.observedGeneration === 2,
    );
    expect([metadata.generation, status!.appliedGeneration]).toEqual([2, 1]);
    await patch('behind', queueOf('another'), '--as=bob');
    await patch('behind', queueOf(null), '--as=bob');
    await on.until('behind', 'follows it', ({ status: now }) => now?.appliedGeneration === 4);
  });

  /** Each annotation kept, taken back or replaced. */
  const steps = Object.keys(ASTRAY).reduce<readonly Record<string, string | null>[]>(
    (all, key) => all.flatMap((edit) => [edit, { ...edit, [key]: null }, { ...edit, [key]: 'none' }]),
    [{}],
  );

  it('of annotations alone that it does not follow may be taken back, whatever else it becomes', async () => {
    const { metadata, status } = await on.resourceOf('astray');
    expect([metadata.generation, status!.appliedGeneration, status!.appliedAnnotations]).toEqual([
      1,
      1,
      false,
    ]);
    expect(steps).toHaveLength(27);
    for (const edit of steps) await annotate('astray', edit, '--as=bob', '--dry-run=server');
    await annotate('astray', Object.fromEntries(Object.keys(ASTRAY).map((key) => [key, null])), '--as=bob');
    await on.until('astray', 'follows them', ({ status: now }) => now?.appliedAnnotations === undefined);
    for (const [key, value] of Object.entries(ASTRAY))
      await expect(annotate('astray', { [key]: value }, '--as=bob')).rejects.toThrow(
        `metadata.annotations[${key}]: expected the present value`,
      );
  });

  /** What changes each field that a live job may change, and each that it keeps. */
  const ofGroup = (schedulingPolicy: object) => ({ runPolicy: { schedulingPolicy } });
  const EDITS: readonly Fields[] = [
    ...[{ backoffLimit: 9 }, { activeDeadlineSeconds: 9_000 }, { ttlSecondsAfterFinished: 9 }].map(
      (runPolicy) => ({ runPolicy }),
    ),
    ...[{ cleanPodPolicy: 'All' }, { suspend: true }].map((runPolicy) => ({ runPolicy })),
    ...[{ minAvailable: 2 }, { minResources: { cpu: '1' } }, { scheduleTimeoutSeconds: 9 }].map(ofGroup),
    ...[{ priorityClass: 'high' }, { queue: 'q' }, { queue: 'q', minAvailable: 2 }].map(ofGroup),
    { runPolicy: { suspend: true, schedulingPolicy: { queue: 'q' } } },
    { pytorchReplicaSpecs: { Worker: { replicas: 1 } } },
    { pytorchReplicaSpecs: { Worker: { restartPolicy: 'ExitCode' } } },
    template('system-cluster-critical'),
    { ...template('system-cluster-critical'), runPolicy: { suspend: true } },
    { elasticPolicy: { minReplicas: 1, maxReplicas: 4 } },
    { nprocPerNode: '2' },
  ];

  it('passes if the job can follow it, whatever field it is of', async () => {
    const manifest = manifestOfResource(await on.resourceOf('live'));
    const settings = { namespace: stage.namespace, conventions: DEFAULT_CONVENTIONS, gangWarnings: [] };
    const present = { source: { manifest, settings, revision: 1 }, isSuspended: false, isRunning: true };
    const followed = EDITS.filter(
      (spec) => !('faults' in changesBetween(present, merged(manifest, { spec }))),
    );
    const passed = [];
    for (const spec of EDITS) {
      const isPassed = await patch('live', { spec }, '--as=bob', '--dry-run=server').then(
        () => true,
        () => false,
      );
      if (isPassed) passed.push(spec);
    }
    expect(passed).toEqual(expect.arrayContaining(followed));
    expect(followed.length).toBeGreaterThan(8);
    expect(passed.length).toBeLessThan(EDITS.length);
  });

  it('that it can follow passes, as does what Kueue writes, by whom it may be', async () => {
    await patch('live', { spec: { runPolicy: { backoffLimit: 3 } } }, '--as=bob');
    const evicted = { runPolicy: { suspend: true }, ...template('system-cluster-critical') };
    await patch('live', { spec: evicted }, '--as=kueue', '--as-group=system:masters');
    await on.until('live', 'is suspended', ({ status, metadata }) =>
      Boolean(status?.phase === 'Suspended' && status.appliedGeneration === metadata.generation),
    );
    const admitted = { runPolicy: { suspend: false }, ...template(null) };
    await patch('live', { spec: admitted }, '--as=kueue', '--as-group=system:masters');
    await on.until('live', 'runs again', ({ status }) =>
      Boolean(status?.phase === 'Running' && status.appliedGeneration === 4),
    );
    await kubectl('label', 'pytorchjob', 'live', 'team=vision', '--as=bob');
  });
});

describe('who wrote a resource', () => {
  it('is noted by the API server, and is in the history of its job as authenticated', async () => {
    const elastic = manifestOf('noted');
    const spec = { ...elastic.spec, elasticPolicy: { minReplicas: 1, maxReplicas: 4 } };
    // Who says that it is somebody else's is not believed.
    const annotations = { [ANNOTATIONS.requestedBy]: 'cleo' };
    const claimed = { ...elastic, metadata: { ...elastic.metadata, annotations }, spec };
    await kubectl.apply([claimed], '--as=ana');
    await on.untilPhase('noted', 'Running');
    expect((await on.resourceOf('noted')).metadata.annotations).toMatchObject({
      [ANNOTATIONS.requestedBy]: 'ana',
    });
    await patch('noted', { spec: { runPolicy: { backoffLimit: 3 } } }, '--as=bob');
    await followed('noted', 2);
    await kubectl('scale', 'pytorchjob/noted', '--replicas=3', '--as=bob');
    await followed('noted', 3);
    await kubectl('annotate', 'pytorchjob/noted', `${ANNOTATIONS.policy}=holdOnFailure: 5m`, '--as=ana');
    const who = await eventually('the history has all edits', async () => {
      const asked = new Map<string, LedgerWho['authenticated']>();
      for (const { cause } of await stage.client.job({ name: 'noted' }).history()) {
        if (cause.type === 'submitted') asked.set('', cause.who.authenticated);
        if (cause.type === 'request' && cause.request === 'apply')
          asked.set(cause.id!, cause.who.authenticated);
      }
      return asked.size === 4 ? [...asked.values()] : undefined;
    });
    expect(who).toEqual([
      { type: 'Kubernetes', name: 'ana' },
      { type: 'Kubernetes', name: 'bob' },
      // The subresource notes nobody.
      undefined,
      { type: 'Kubernetes', name: 'ana' },
    ]);
  });

  it('is written by nobody else, whatever a manifest or a patch says', async () => {
    const copied = manifestOf('copied', { runPolicy: { suspend: true } });
    const annotations = {
      [ANNOTATIONS.requestedBy]: 'ana',
      ...{ [ANNOTATIONS.editedBy]: 'ana', [ANNOTATIONS.editedGeneration]: '1' },
    };
    const manifest = { ...copied, metadata: { ...copied.metadata, annotations } };
    await kubectl.apply([manifest], '--as=bob');
    const written = async () => {
      const { annotations = {} } = (await on.resourceOf('copied')).metadata;
      return [annotations[ANNOTATIONS.requestedBy], annotations[ANNOTATIONS.editedBy]];
    };
    expect(await written()).toEqual(['bob', undefined]);
    // As a GitOps tool does, again and again.
    const claim = {
      ...copied,
      metadata: { ...copied.metadata, annotations: { [ANNOTATIONS.requestedBy]: 'ana' } },
    };
    for (const _ of [1, 2]) await kubectl.apply([claim], '--as=bob', '--server-side', '--force-conflicts');
    expect(await written()).toEqual(['bob', undefined]);
    const forge = (key: string, value: string | null) =>
      patch('copied', { metadata: { annotations: { [key]: value } } }, '--as=bob');
    await forge(ANNOTATIONS.requestedBy, 'ana');
    await forge(ANNOTATIONS.requestedBy, null);
    await expect(forge(ANNOTATIONS.editedBy, 'ana')).rejects.toThrow(/edited-by\]: expected what/);
    await patch('copied', { spec: { runPolicy: { backoffLimit: 1 } } }, '--as=ana');
    await expect(forge(ANNOTATIONS.editedBy, null)).rejects.toThrow(/edited-by\]: expected what/);
    expect(await written()).toEqual(['bob', 'ana']);
  });

  const followed = (name: string, generation: number) =>
    on.until(
      name,
      `follows generation ${generation}`,
      ({ status }) => status?.appliedGeneration === generation,
    );
});

describe('rights in Kubernetes', () => {
  it('decide who may run a job: not who may create no pods', async () => {
    const refused = kubectl.apply([manifestOf('rights')], '--as=carol');
    await expect(refused).rejects.toThrow(/carol is not, in namespace/);
    await kubectl.apply([manifestOf('rights', { runPolicy: { suspend: true } })], '--as=ana');
    const containers = [{ name: 'pytorch', image: 'mine:1' }];
    const template = { spec: { containers } };
    const stolen = patch('rights', { spec: { pytorchReplicaSpecs: { Worker: { template } } } }, '--as=carol');
    await expect(stolen).rejects.toThrow(/carol is not, in namespace/);
    // What is no other pod may be changed.
    await patch('rights', { spec: { runPolicy: { backoffLimit: 2 } } }, '--as=carol');
  });

  it('are not had by whoever may only start workflows', async () => {
    const job = await stage.client.submit(manifestOf('submitted'));
    expect(await job.wait()).toMatchObject({ phase: 'Failed', cause: { reason: 'ResourceRequired' } });
    expect(await stage.pods('submitted')).toEqual([]);
    const { metadata } = await on.resourceOf('live');
    expect(metadata.annotations).toMatchObject({ [ANNOTATIONS.requestedBy]: 'ana' });
  });

  it('are not had for a resource that has ended, either, which is not run again', async () => {
    await kubectl.apply([manifestOf('over')], '--as=ana');
    const { metadata, kind } = await on.untilPhase('over', 'Running');
    await stage.client.job({ name: 'over' }).stop({});
    const { status } = await on.untilPhase('over', 'Stopped');
    const { namespace } = stage;
    const { uid } = metadata;
    const again = await stage.temporal.workflow.start('trainingJob', {
      ...{ taskQueue: 'signalbox', workflowId: workflowIdOf({ namespace, name: 'over' }) },
      args: [manifestOf('over', { worker: { replicas: 5 } })],
      memo: { [MEMO.resource]: { apiVersion: 'kubeflow.org/v1', kind, uid, generation: 1 } },
    });
    await expect(again.result()).rejects.toMatchObject({
      cause: { message: expect.stringContaining('ResourceEnded') },
    });
    expect(await stage.pods('over')).toEqual([]);
    expect((await on.resourceOf('over')).status).toEqual(status);
  });
});
