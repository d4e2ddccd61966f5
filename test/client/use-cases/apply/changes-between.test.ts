import { describe, expect, it } from '@jest/globals';
import { changesBetween, type PresentJob } from '../../../../client/use-cases/apply/changes-between.ts';
import { ANNOTATIONS } from '../../../../contracts/labels.ts';
import { formatFault } from '../../../../frameworks/fields/faults.ts';
import {
  aContainer,
  aManifest,
  aManifestOf,
  aRole,
  type ManifestBuilder,
} from '../../../frameworks/manifests.ts';
import { manifestOf } from '../../../frameworks/paddle-jobs.ts';

const SETTINGS = { namespace: 'ml', conventions: { kubectlImage: 'kubectl' }, gangWarnings: [] };
const WORKERS = 'spec.pytorchReplicaSpecs.Worker.replicas';
const DEADLINE = 'spec.runPolicy.activeDeadlineSeconds';
const POLICY = `metadata.annotations[${ANNOTATIONS.policy}]`;

const LIVE = { extendedSeconds: 0, phase: 'Running', isAdmitted: true } as const;

type Present = Partial<Omit<PresentJob, 'source'>> & { readonly amended?: PresentJob['source']['amended'] };

/** What a manifest asks of a job, in the words of requests; or its faults. */
function asked(before: unknown, after: unknown, { amended, ...present }: Present = {}): unknown {
  const source = { manifest: before, settings: SETTINGS, revision: amended ? 2 : 1, amended };
  const changes = changesBetween({ ...LIVE, source, ...present }, after);
  if ('faults' in changes) return changes.faults.map(formatFault);
  return changes.requests.map(({ update, argument }) => ({ [update]: argument }));
}

/** Some manifest, changed in one place. */
const changed = (path: string, value: unknown, manifest = elastic()) => manifest.with(path, value).build();

const elastic = () => aManifest().with('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 8 });
const policy = (text: string, manifest: ManifestBuilder = elastic()) =>
  manifest.with('metadata.annotations', { [ANNOTATIONS.policy]: text }).build();

describe('what a changed manifest means for a live job', () => {
  const SAME = elastic().build();
  const CASES: readonly (readonly [string, unknown, unknown, Present, unknown])[] = [
    ['nothing, if it is the same', SAME, SAME, {}, []],
    ['other sizes: scale', SAME, changed(WORKERS, 5), {}, [{ scale: { role: 'Worker', replicas: 5 } }]],
    [
      'the size that it was scaled to: nothing',
      SAME,
      changed(WORKERS, 5),
      { amended: { replicas: { Master: 1, Worker: 5 } } },
      [],
    ],
    [
      'the size that it was scaled away from: scale back',
      SAME,
      SAME,
      { amended: { replicas: { Master: 1, Worker: 5 } } },
      [{ scale: { role: 'Worker', replicas: 2 } }],
    ],
    ['suspend: true', SAME, changed('spec.runPolicy.suspend', true), {}, [{ suspend: {} }]],
    [
      'suspend: true of a suspended job: nothing',
      SAME,
      changed('spec.runPolicy.suspend', true),
      { phase: 'Suspended' },
      [],
    ],
    ['no suspend, of a suspended job: resume', SAME, SAME, { phase: 'Suspended' }, [{ resume: {} }]],
    [
      'another size and resume: the size first, which no suspended job refuses',
      aManifest().with('spec.runPolicy.suspend', true).build(),
      changed(WORKERS, 5, aManifest()),
      { phase: 'Suspended' },
      [{ scale: { role: 'Worker', replicas: 5 } }, { resume: {} }],
    ],
    [
      'another size and suspend: suspended first',
      aManifest().build(),
      changed(WORKERS, 5, aManifest().with('spec.runPolicy.suspend', true)),
      {},
      [{ suspend: {} }, { scale: { role: 'Worker', replicas: 5 } }],
    ],
    [
      'a longer deadline: extended',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 7200),
      {},
      [{ extendDeadline: { seconds: 3600 } }],
    ],
    [
      'the deadline that it was extended to: nothing',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 7200),
      { extendedSeconds: 3600 },
      [],
    ],
    [
      'its deadline, which somebody extended: stays',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 3600),
      { extendedSeconds: 60 },
      [],
    ],
    [
      'a policy: a merge patch',
      policy('failures: {classes: {userCode: {budget: 3}}}\nholdOnFailure: 1h'),
      policy('failures: {classes: {userCode: {budget: 5}}}'),
      {},
      [
        {
          amendPolicy: {
            policy: { holdOnFailure: null, failures: { classes: { userCode: { budget: 5 } } } },
          },
        },
      ],
    ],
    [
      'a first policy',
      SAME,
      policy('scaleByRestart: true'),
      {},
      [{ amendPolicy: { policy: { scaleByRestart: true } } }],
    ],
    [
      'no policy any more',
      policy('scaleByRestart: true'),
      SAME,
      {},
      [{ amendPolicy: { policy: { scaleByRestart: null } } }],
    ],
    [
      'the same policy in other words: nothing',
      policy('holdOnFailure: 60s'),
      policy('holdOnFailure: 1m'),
      {},
      [],
    ],
    ['a policy that only has defaults: nothing', SAME, policy('scaleByRestart: false'), {}, []],
    [
      'a size that the new policy allows: policy first',
      aManifest().build(),
      policy('scaleByRestart: true', aManifest().with(WORKERS, 3)),
      {},
      [{ amendPolicy: { policy: { scaleByRestart: true } } }, { scale: { role: 'Worker', replicas: 3 } }],
    ],
    ['a default in words: nothing', SAME, changed('spec.runPolicy.cleanPodPolicy', 'None'), {}, []],
    ['null fields: nothing', SAME, changed('spec.runPolicy', { suspend: null }), {}, []],
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
      [],
    ],
    [
      'what an API server adds: nothing',
      SAME,
      { ...changed('metadata.uid', '1-2-3'), status: { conditions: [] } },
      {},
      [],
    ],
    [
      'an annotation that nobody reads: nothing',
      SAME,
      changed('metadata.annotations', { 'example.com/data': '2' }),
      {},
      [],
    ],
  ];

  it.each(CASES)('%s', (_, before, after, present, expected) => {
    expect(asked(before, after, present)).toEqual(expected);
  });

  it('changes of two sizes begin with the growing one, because a gang must not shrink below its minAvailable', () => {
    const roles = (Chief: number, Worker: number) =>
      aManifestOf('TFJob', { PS: { replicas: Chief }, Worker: { replicas: Worker } })
        .with('spec.runPolicy', { suspend: true, schedulingPolicy: { minAvailable: 4 } })
        .build();
    expect(asked(roles(3, 1), roles(1, 3), { phase: 'Suspended' })).toEqual([
      { scale: { role: 'Worker', replicas: 3 } },
      { scale: { role: 'PS', replicas: 1 } },
    ]);
  });

  it('changed labels are ignored with a note, because they change nothing that runs', () => {
    const source = { manifest: changed('metadata.labels', { team: 'nlp' }), settings: SETTINGS, revision: 1 };
    const after = changed('metadata.labels', { team: 'vision' });
    expect(changesBetween({ ...LIVE, source }, after)).toEqual({
      requests: [],
      kept: [{ path: 'metadata.labels.team', from: 'nlp', to: 'vision' }],
    });
  });

  it('each request names the changed values', () => {
    const source = { manifest: policy('holdOnFailure: 1h'), settings: SETTINGS, revision: 1 };
    const after = policy('holdOnFailure: 2h', elastic().with(WORKERS, 3));
    expect(changesBetween({ ...LIVE, source }, after)).toMatchObject({
      requests: [
        { changes: [{ path: `${POLICY}.holdOnFailure`, from: '1h', to: '2h' }] },
        { changes: [{ path: WORKERS, from: 2, to: 3 }] },
      ],
    });
  });

  it('a kind without `suspend` in its manifest stays suspended', () => {
    expect(asked(manifestOf({}), manifestOf({}), { phase: 'Suspended' })).toEqual([]);
    expect(
      asked(manifestOf({}), manifestOf({ worker: { ...aRole({ replicas: 3 }, aContainer()) } }), {
        phase: 'Suspended',
      }),
    ).not.toEqual([]);
  });

  it('a job that was submitted suspended is suspended before it is admitted', () => {
    const suspended = changed('spec.runPolicy.suspend', true);
    const born = { phase: 'Pending', isAdmitted: false } as const;
    expect(asked(suspended, suspended, born)).toEqual([]);
    expect(asked(suspended, SAME, born)).toEqual([{ resume: {} }]);
    expect(asked(SAME, SAME, born)).toEqual([]);
  });

  it('an ended job is not resumed', () => {
    expect(asked(changed('spec.runPolicy.suspend', true), SAME, { phase: 'Completed' })).toEqual([]);
  });
});

describe('a live job cannot become what a manifest says', () => {
  const IMAGE = 'spec.pytorchReplicaSpecs.Worker.template.spec.containers[pytorch].image';
  const KEPT = 'which a job keeps from its submission to its end';
  const image = elastic().with('spec.pytorchReplicaSpecs.Worker', {
    ...aRole({ replicas: 5 }, aContainer({ image: 'train:2' })),
  });
  const CASES: readonly (readonly [string, unknown, unknown, readonly string[]])[] = [
    [
      'another image, and only that: sizes could change',
      elastic().build(),
      image.build(),
      [`${IMAGE}: expected "registry.example/train:1", ${KEPT}, got "train:2"`],
    ],
    [
      'other limits of restarts',
      changed('spec.runPolicy.backoffLimit', 3),
      changed('spec.runPolicy.backoffLimit', 5),
      [`spec.runPolicy.backoffLimit: expected 3, ${KEPT}, got 5`],
    ],
    [
      'other limits of its size',
      elastic().build(),
      changed('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 16 }),
      [`spec.elasticPolicy.maxReplicas: expected 8, ${KEPT}, got 16`],
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
      'another size of a role that runs',
      aManifest().build(),
      changed(WORKERS, 3, aManifest()),
      [
        `${WORKERS}: expected 2: Worker of a PyTorchJob cannot change its size while it runs; scaleByRestart: true in the policy allows a restart of the gang with the new size, and a suspended job of any kind can be scaled, got 3`,
      ],
    ],
    [
      'a shorter deadline',
      changed(DEADLINE, 3600),
      changed(DEADLINE, 60),
      [
        `${DEADLINE}: expected an integer >= 3600, as the deadline of a live job can only be extended, got 60`,
      ],
    ],
    [
      'a first deadline',
      elastic().build(),
      changed(DEADLINE, 60),
      [`${DEADLINE}: expected nothing, as a job that was submitted without a deadline gets none, got 60`],
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
