import { describe, expect, it } from '@jest/globals';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import { changesBetween, type PresentJob } from '../../../frameworks/changes/changes-between.ts';
import { formatFault } from '../../../frameworks/fields/faults.ts';
import { aContainer, aManifest, aManifestOf, aRole, type ManifestBuilder } from '../manifests.ts';
import { manifestOf } from '../paddle-jobs.ts';

const SETTINGS = { namespace: 'ml', conventions: { kubectlImage: 'kubectl' }, gangWarnings: [] };
const WORKERS = 'spec.pytorchReplicaSpecs.Worker.replicas';
const SUSPEND = 'spec.runPolicy.suspend';
const GROUP = 'spec.runPolicy.schedulingPolicy';
const DEADLINE = 'spec.runPolicy.activeDeadlineSeconds';
const POLICY = `metadata.annotations[${ANNOTATIONS.policy}]`;

const LIVE = { isSuspended: false, isRunning: true } as const;
const SUSPENDED = { isSuspended: true, isRunning: false } as const;

type Present = Partial<Omit<PresentJob, 'source'>> & { readonly amended?: PresentJob['source']['amended'] };

/** What a manifest changes: values by path, and `suspend`; or its faults. */
function asked(before: unknown, after: unknown, { amended, ...present }: Present = {}): unknown {
  const source = { manifest: before, settings: SETTINGS, revision: amended ? 2 : 1, amended };
  const found = changesBetween({ ...LIVE, source, ...present }, after);
  if ('faults' in found) return found.faults.map(formatFault);
  const { changes, job, suspend } = found;
  // A revision is made if anything but the suspension changes.
  expect(job?.revision).toBe(
    changes.length > Number(suspend !== undefined) ? source.revision + 1 : undefined,
  );
  return Object.fromEntries(changes.map(({ path, from, to }) => [path, [from, to]]));
}

/** Some manifest, changed in one place. */
const changed = (path: string, value: unknown, manifest = elastic()) => manifest.with(path, value).build();

const elastic = () => aManifest().with('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 8 });
const IMAGE = 'spec.pytorchReplicaSpecs.Worker.template.spec.containers[pytorch].image';
const image = () =>
  elastic().with('spec.pytorchReplicaSpecs.Worker', {
    ...aRole({ replicas: 5 }, aContainer({ image: 'train:2' })),
  });

const policy = (text: string, manifest: ManifestBuilder = elastic()) =>
  manifest.with('metadata.annotations', { [ANNOTATIONS.policy]: text }).build();

it('spares cannot be applied to a job for which the installation has chosen Kueue', () => {
  const wanted = policy('spares: { count: 1 }');
  expect(asked(elastic().build(), wanted, { gang: 'kueue' })).toEqual([
    `${POLICY}.spares: expected no spares in a job that Kueue admits, because it would not count them, got Kueue, which this installation uses`,
  ]);
  expect(asked(elastic().build(), wanted, { gang: 'volcano' })).toMatchObject({
    [`${POLICY}.spares.count`]: [undefined, 1],
  });
});

describe('what a changed manifest means for a live job', () => {
  const SAME = elastic().build();
  const CASES: readonly (readonly [string, unknown, unknown, Present, unknown])[] = [
    ['nothing, if it is the same', SAME, SAME, {}, {}],
    ['other sizes', SAME, changed(WORKERS, 5), {}, { [WORKERS]: [2, 5] }],
    [
      'the size that it was scaled to: nothing',
      SAME,
      changed(WORKERS, 5),
      { amended: { replicas: { Master: 1, Worker: 5 } } },
      {},
    ],
    [
      'the size that it was scaled away from',
      SAME,
      SAME,
      { amended: { replicas: { Master: 1, Worker: 5 } } },
      { [WORKERS]: [5, 2] },
    ],
    ['suspend: true', SAME, changed(SUSPEND, true), {}, { [SUSPEND]: [false, true] }],
    ['suspend: true of a suspended job: nothing', SAME, changed(SUSPEND, true), SUSPENDED, {}],
    ['no suspend, of a suspended job: resume', SAME, SAME, SUSPENDED, { [SUSPEND]: [true, false] }],
    [
      'another size and resume: a suspended job of any kind has any size',
      aManifest().with(SUSPEND, true).build(),
      changed(WORKERS, 5, aManifest()),
      SUSPENDED,
      { [WORKERS]: [2, 5], [SUSPEND]: [true, false] },
    ],
    [
      'another size and suspend, of a job that runs',
      aManifest().build(),
      changed(WORKERS, 5, aManifest().with(SUSPEND, true)),
      {},
      { [WORKERS]: [2, 5], [SUSPEND]: [false, true] },
    ],
    [
      'a longer deadline, or a shorter one',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 60),
      {},
      { [DEADLINE]: [3600, 60] },
    ],
    ['a first deadline', SAME, changed(DEADLINE, 60), {}, { [DEADLINE]: [undefined, 60] }],
    ['no deadline any more', changed(DEADLINE, 60), SAME, {}, { [DEADLINE]: [60, undefined] }],
    [
      'another deadline than the one that somebody extended',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 7200),
      { extendedSeconds: 60 },
      { [DEADLINE]: [3660, 7200] },
    ],
    [
      'its deadline, which somebody extended: stays',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 3600),
      { extendedSeconds: 60 },
      {},
    ],
    [
      'other limits, and what is left at the end',
      SAME,
      changed('spec.runPolicy', { backoffLimit: 3, ttlSecondsAfterFinished: 60, cleanPodPolicy: 'All' }),
      {},
      {
        'spec.runPolicy.backoffLimit': [undefined, 3],
        'spec.runPolicy.ttlSecondsAfterFinished': [undefined, 60],
        'spec.runPolicy.cleanPodPolicy': ['None', 'All'],
      },
    ],
    [
      'what is left at the end, of a kind that says it elsewhere',
      manifestOf({}),
      manifestOf({ cleanPodPolicy: 'Always' }),
      {},
      { 'spec.cleanPodPolicy': ['OnCompletion', 'Always'] },
    ],
    [
      'a policy',
      policy('failures: {classes: {userCode: {budget: 3}}}\nholdOnFailure: 1h'),
      policy('failures: {classes: {userCode: {budget: 5}}}'),
      {},
      {
        [`${POLICY}.failures.classes.userCode.budget`]: [3, 5],
        [`${POLICY}.holdOnFailure`]: ['1h', undefined],
      },
    ],
    [
      'a first policy',
      SAME,
      policy('scaleByRestart: true'),
      {},
      { [`${POLICY}.scaleByRestart`]: [undefined, true] },
    ],
    [
      'no policy any more',
      policy('scaleByRestart: true'),
      SAME,
      {},
      { [`${POLICY}.scaleByRestart`]: [true, undefined] },
    ],
    [
      'the same policy in other words: nothing',
      policy('holdOnFailure: 60s'),
      policy('holdOnFailure: 1m'),
      {},
      {},
    ],
    ['a policy that only has defaults: nothing', SAME, policy('scaleByRestart: false'), {}, {}],
    [
      'a size that the new policy allows',
      aManifest().build(),
      policy('scaleByRestart: true', aManifest().with(WORKERS, 3)),
      {},
      { [`${POLICY}.scaleByRestart`]: [undefined, true], [WORKERS]: [2, 3] },
    ],
    [
      'another image for a suspended job',
      SAME,
      image().with(SUSPEND, true).build(),
      SUSPENDED,
      { [IMAGE]: ['registry.example/train:1', 'train:2'], [WORKERS]: [2, 5] },
    ],
    [
      'another image and resume',
      SAME,
      image().build(),
      SUSPENDED,
      { [IMAGE]: ['registry.example/train:1', 'train:2'], [WORKERS]: [2, 5], [SUSPEND]: [true, false] },
    ],
    [
      'another image and suspend, of a job that runs',
      SAME,
      image().with(SUSPEND, true).build(),
      {},
      { [IMAGE]: ['registry.example/train:1', 'train:2'], [WORKERS]: [2, 5], [SUSPEND]: [false, true] },
    ],
    [
      'another size of the gang, and what must be free for it',
      changed(GROUP, { minAvailable: 10, minResources: { cpu: '10' } }),
      changed(GROUP, { minAvailable: 2, minResources: { cpu: '2' } }),
      {},
      { [`${GROUP}.minAvailable`]: [10, 2], [`${GROUP}.minResources.cpu`]: ['10', '2'] },
    ],
    [
      'a first size of the gang, and of the job',
      SAME,
      changed(GROUP, { minAvailable: 4 }, elastic().with(WORKERS, 5)),
      {},
      { [WORKERS]: [2, 5], [`${GROUP}.minAvailable`]: [undefined, 4] },
    ],
    [
      'another size of the gang and suspend, where its group keeps its size',
      changed(GROUP, { minAvailable: 3 }),
      changed(GROUP, { minAvailable: 2 }, elastic().with(SUSPEND, true)),
      { gang: 'native' },
      { [`${GROUP}.minAvailable`]: [3, 2], [SUSPEND]: [false, true] },
    ],
    [
      'the size that a gang has by default: nothing',
      aManifest().build(),
      changed(GROUP, { minAvailable: 3 }, aManifest()),
      { gang: 'native' },
      {},
    ],
    [
      'the size of a gang, of a kind that says it elsewhere',
      manifestOf({ schedulingPolicy: { minAvailable: 2 } }),
      manifestOf({ schedulingPolicy: { minAvailable: 1 } }),
      {},
      { 'spec.schedulingPolicy.minAvailable': [2, 1] },
    ],
    ['a default in words: nothing', SAME, changed('spec.runPolicy.cleanPodPolicy', 'None'), {}, {}],
    ['null fields: nothing', SAME, changed('spec.runPolicy', { suspend: null }), {}, {}],
    [
      'the name of a role in another case: nothing',
      SAME,
      {
        ...SAME,
        spec: {
          ...(SAME.spec as object),
          pytorchReplicaSpecs: { master: aRole(), worker: aRole({ replicas: 2 }) },
        },
      },
      {},
      {},
    ],
    [
      'what an API server adds: nothing',
      SAME,
      { ...changed('metadata.uid', '1-2-3'), status: { conditions: [] } },
      {},
      {},
    ],
    [
      'an annotation that nobody reads: nothing',
      SAME,
      changed('metadata.annotations', { 'example.com/data': '2' }),
      {},
      {},
    ],
  ];

  it.each(CASES)('%s', (_, before, after, present, expected) => {
    expect(asked(before, after, present)).toEqual(expected);
  });

  it('changed labels are ignored with a note, because they change nothing that runs', () => {
    const source = { manifest: changed('metadata.labels', { team: 'nlp' }), settings: SETTINGS, revision: 1 };
    const after = changed('metadata.labels', { team: 'vision' });
    expect(changesBetween({ ...LIVE, source }, after)).toEqual({
      changes: [],
      kept: [{ path: 'metadata.labels.team', from: 'nlp', to: 'vision' }],
    });
  });

  it('a kind without `suspend` in its manifest stays suspended', () => {
    expect(asked(manifestOf({}), manifestOf({}), SUSPENDED)).toEqual({});
    const scaled = manifestOf({ worker: { ...aRole({ replicas: 3 }, aContainer()) } });
    expect(asked(manifestOf({}), scaled, SUSPENDED)).not.toEqual({});
  });

  it('an ended job is not resumed', () => {
    const ended = { isSuspended: undefined, isRunning: false };
    expect(asked(changed(SUSPEND, true), SAME, ended)).toEqual({});
  });
});

describe('a live job cannot become what a manifest says', () => {
  const KEPT = 'which a job keeps from its submission to its end';
  const KEPT_BY_PODS = 'which a job keeps while it has pods: it can change together with runPolicy.suspend';
  const CASES: readonly (readonly [string, unknown, unknown, readonly string[]])[] = [
    [
      'another image, and only that: sizes could change',
      elastic().build(),
      image().build(),
      [`${IMAGE}: expected "registry.example/train:1", ${KEPT_BY_PODS}, got "train:2"`],
    ],
    [
      'other limits of its size',
      elastic().build(),
      changed('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 16 }),
      [`spec.elasticPolicy.maxReplicas: expected 8, ${KEPT_BY_PODS}, got 16`],
    ],
    [
      'a size outside of these limits',
      elastic().build(),
      changed(WORKERS, 9),
      [
        expect.stringMatching(
          /^spec\.elasticPolicy: expected minReplicas <= .*, got 1, 9, 8$/,
        ) as unknown as string,
      ],
    ],
    [
      'a gang of more pods than it has',
      elastic().build(),
      changed(GROUP, { minAvailable: 4 }),
      [
        `${GROUP}.minAvailable: expected an integer <= 3, the number of pods that can be placed together, got 4`,
      ],
    ],
    [
      'a gang of more pods than it has, once it has fewer',
      changed(GROUP, { minAvailable: 3 }),
      changed(GROUP, { minAvailable: 3 }, elastic().with(WORKERS, 1)),
      [
        'spec.pytorchReplicaSpecs: expected at least 3 pods, because minAvailable requires them to be placed together, got 2',
      ],
    ],
    [
      'another queue of its gang',
      changed(GROUP, { minAvailable: 3, queue: 'a' }),
      changed(GROUP, { minAvailable: 2, queue: 'b' }),
      [`${GROUP}.queue: expected "a", ${KEPT_BY_PODS}, got "b"`],
    ],
    [
      'another size of a role that runs',
      aManifest().build(),
      changed(WORKERS, 3, aManifest()),
      [
        `${WORKERS}: expected 2: Worker of a PyTorchJob cannot change its size while it runs; scaleByRestart: true in the policy allows a restart of the gang with the new size, and a suspended job of any kind can be scaled, got 3`,
      ],
    ],
    [
      'a policy with errors',
      elastic().build(),
      policy('holdOnFailure: soon'),
      [expect.stringContaining(`${POLICY}.holdOnFailure: expected`) as unknown as string],
    ],
    [
      'another kind',
      elastic().build(),
      aManifestOf('JAXJob', { Worker: { replicas: 2 } }).build(),
      expect.arrayContaining([`kind: expected "PyTorchJob", ${KEPT}, got "JAXJob"`]) as unknown as string[],
    ],
    [
      'another gang scheduler',
      elastic().build(),
      changed('metadata.annotations', { [ANNOTATIONS.gang]: 'volcano' }),
      [`metadata.annotations[${ANNOTATIONS.gang}]: expected nothing, ${KEPT}, got "volcano"`],
    ],
  ];

  it.each(CASES)('%s', (_, before, after, expected) => {
    expect(asked(before, after)).toEqual(expected);
  });

  it.each([
    [
      'another kind',
      aManifestOf('JAXJob', { Worker: { replicas: 2 } }),
      `kind: expected "PyTorchJob", ${KEPT}`,
    ],
    ['another name', elastic().with('metadata.name', 'other'), `metadata.name: expected "resnet", ${KEPT}`],
    [
      'without one of its roles',
      elastic().with('spec.pytorchReplicaSpecs', { Worker: aRole({ replicas: 2 }) }),
      `spec.pytorchReplicaSpecs: expected ["Master","Worker"], ${KEPT}, got ["Worker"]`,
    ],
  ])('nor a suspended one: %s', (_, manifest, expected) => {
    const faults = asked(elastic().build(), manifest.build(), SUSPENDED) as readonly string[];
    expect(faults).toContainEqual(expect.stringContaining(expected));
  });

  it('another size of a gang that Kubernetes itself places', () => {
    const [before, after] = [3, 2].map((minAvailable) => changed(GROUP, { minAvailable }));
    expect(asked(before, after, { gang: 'native' })).toEqual([
      `${GROUP}.minAvailable: expected 3, which a job that Kubernetes itself places keeps while it has pods: it can change together with runPolicy.suspend, got 2`,
    ]);
  });

  it('secrets are compared, but not shown', () => {
    const withToken = (value: string) =>
      elastic()
        .with(
          'spec.pytorchReplicaSpecs.Worker',
          aRole({ replicas: 2 }, aContainer({ env: [{ name: 'HF_TOKEN', value }] })),
        )
        .build();
    expect(asked(withToken('one'), withToken('other'))).toEqual([
      expect.stringMatching(/env\[HF_TOKEN\]\.value: expected "\(hidden\)", .*, got "\(hidden\)"$/),
    ]);
  });
});
