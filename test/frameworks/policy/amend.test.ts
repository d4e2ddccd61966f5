import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import type { JobSource } from '../../../contracts/job-revision.ts';
import { ANNOTATIONS } from '../../../contracts/labels.ts';
import type { GangProvider, TrainingJob } from '../../../contracts/training-job.ts';
import { amendJob } from '../../../frameworks/changes/amend.ts';
import { type Amendment, amendManifest } from '../../../frameworks/changes/manifest-changes.ts';
import { formatFault } from '../../../frameworks/fields/faults.ts';
import { aManifest, aManifestOf, type ManifestBuilder } from '../manifests.ts';
import { jobWith, manifestOf } from '../paddle-jobs.ts';
import { withPolicy } from './policies.ts';

/** What becomes of a job, or why it does not. */
function amended(manifest: ManifestBuilder, amendment: Amendment, source: Partial<JobSource> = {}) {
  const result = amendJob({ ...sourceOf(manifest.build(), manifest.job()), ...source }, amendment);
  return 'job' in result ? { job: result.job, faults: [] } : { faults: result.faults.map(formatFault) };
}

const sourceOf = (manifest: unknown, { namespace, conventions }: TrainingJob): JobSource => ({
  manifest,
  settings: { namespace, conventions, gangWarnings: [] },
  revision: 1,
});

/** What the next amendment builds on. */
const laterSource = ({ roles, annotations, revision = 0 }: TrainingJob): Partial<JobSource> => ({
  revision,
  amended: {
    replicas: Object.fromEntries(roles.map(({ name, replicas }) => [name, replicas])),
    policy: annotations[ANNOTATIONS.policy],
  },
});

const sizes = (job: TrainingJob | undefined) => job?.plan.roles.map(({ name, replicas }) => [name, replicas]);

describe('spares', () => {
  const spares = { policy: { spares: { count: 1 } } };
  const fault = `metadata.annotations[${ANNOTATIONS.policy}].spares: expected no spares in a job that Kueue admits, because it would not count them, got Kueue, which this installation uses`;
  const amendedIn = (gang: GangProvider, amendment: Amendment, manifest = aManifest()) => {
    const result = amendJob(sourceOf(manifest.build(), manifest.job()), amendment, gang);
    return 'faults' in result ? result.faults.map(formatFault) : result.job.plan.policy?.spares?.count;
  };

  it('cannot be added or changed where the installation has chosen Kueue', () => {
    expect(amendedIn('kueue', spares)).toEqual([fault]);
    expect(amendedIn('none', spares)).toBe(1);
    const having = aManifest().with('metadata.annotations', { [ANNOTATIONS.policy]: 'spares: { count: 1 }' });
    expect(amendedIn('kueue', { policy: { spares: { count: 2 } } }, having)).toEqual([fault]);
    expect(amendedIn('kueue', { policy: { spares: null } }, having)).toBeUndefined();
    expect(amendedIn('kueue', { replicas: { Worker: 5 } }, having)).toBe(1);
  });
});

describe('the size of a role', () => {
  it('changes in roles, plan and gang', () => {
    const { job } = amended(aManifest(), { replicas: { Worker: 5 } });
    expect(sizes(job)).toEqual([
      ['Master', 1],
      ['Worker', 5],
    ]);
    expect(job!.roles.map(({ replicas }) => replicas)).toEqual([1, 5]);
    expect(job!.gang.minMember).toBe(6);
    expect(job!.plan.minMember).toBe(6);
  });

  it('is set where the manifest has it, in any case', () => {
    const { Worker, ...others } = (aManifest().build().spec as Record<string, Record<string, unknown>>)
      .pytorchReplicaSpecs!;
    const manifest = aManifest().with('spec.pytorchReplicaSpecs', { ...others, worker: Worker });
    const changed = amendManifest(manifest.build(), { replicas: { WORKER: 3 } });
    expect(changed).toEqual(manifest.role('worker', 'replicas', 3).build());
  });

  it('is a field of spec itself in a PaddleJob of paddle-operator', () => {
    const manifest = manifestOf({ elastic: 1 });
    const source = sourceOf(manifest, jobWith({ elastic: 1 }));
    const result = amendJob(source, { replicas: { Worker: 4 } });
    expect('job' in result && sizes(result.job)).toEqual([['worker', 4]]);
  });

  it('changes no other field', () => {
    const manifest = aManifest().with('spec.runPolicy', { backoffLimit: 4 });
    const { job } = amended(manifest, { replicas: { Worker: 5 } });
    expect(job).toEqual({ ...manifest.role('Worker', 'replicas', 5).job(), revision: 2 });
  });

  const elastic = aManifest().with('spec.elasticPolicy', { minReplicas: 1, maxReplicas: 4 });
  const dynamic = aManifestOf('TFJob', { Worker: { replicas: 2 } }).with('spec.enableDynamicWorker', true);
  const table: readonly [ManifestBuilder, Record<string, number>, ...faults: string[]][] = [
    [aManifest(), { Worker: 0 }, 'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer >= 1, got 0'],
    [aManifest(), { Worker: 1.5 }, 'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer, got 1.5'],
    [aManifest(), { Master: 2 }, 'spec.pytorchReplicaSpecs.Master.replicas: expected exactly 1, got 2'],
    [
      aManifest(),
      { Workers: 2 },
      'spec.pytorchReplicaSpecs.Workers: expected a role of the job: Master, Worker (did you mean Worker?), got "Workers"',
    ],
    [
      elastic,
      { worker: 5 },
      'spec.pytorchReplicaSpecs.Worker.replicas: expected an integer from 1 to 4, got 5',
    ],
    [dynamic, { Worker: 0 }, 'spec.tfReplicaSpecs.Worker.replicas: expected an integer >= 1, got 0'],
    [
      aManifest().with('spec.runPolicy.schedulingPolicy', { minAvailable: 3 }),
      { Worker: 1 },
      'spec.pytorchReplicaSpecs: expected at least 3 pods, because minAvailable requires them to be placed together, got 2',
    ],
    [
      aManifest().with('metadata.name', 'a'.repeat(54)),
      { Worker: 11 },
      'metadata.name: expected at most 53 characters, because pod names add -worker-10 and have at most 63, got 54',
    ],
  ];
  it.each(table.map(([manifest, replicas, ...faults]) => [replicas, faults, manifest] as const))(
    'is refused as %j: %j',
    (replicas, faults, manifest) => {
      expect(amended(manifest, { replicas }).faults).toEqual(faults);
    },
  );
});

describe('the policy', () => {
  const written = (job: TrainingJob | undefined) =>
    parse(job!.annotations[ANNOTATIONS.policy]!, { version: '1.1' });

  it.each<[string, object, object]>([
    [
      'progress: {log: a, stalledAfter: 5m}',
      { progress: { log: 'b' } },
      { progress: { log: 'b', stalledAfter: '5m' } },
    ],
    ['progress: {log: a}', { progress: { log: null, annotation: 'b' } }, { progress: { annotation: 'b' } }],
    ['holdOnFailure: 5m\nscaleByRestart: true', { holdOnFailure: null }, { scaleByRestart: true }],
    [
      'restart: {ladder: [{scope: pod, times: 1}, {scope: gang}]}',
      { restart: { ladder: [{ scope: 'gang' }] } },
      { restart: { ladder: [{ scope: 'gang' }] } },
    ],
    [
      '{}',
      { failures: { classes: { userCode: { budget: 3 } } } },
      { failures: { classes: { userCode: { budget: 3 } } } },
    ],
    ['evidence: {logLines: 5}', { evidence: null }, {}],
    // Words that YAML 1.1 takes for something else.
    ['{}', { progress: { log: 'yes' } }, { progress: { log: 'yes' } }],
    ['{}', { progress: { log: 'a: {b} #' } }, { progress: { log: 'a: {b} #' } }],
  ])('%s amended by %j is %j', (text, policy, after) => {
    const { job, faults } = amended(withPolicy(text), { policy: policy as Record<string, unknown> });
    expect(faults).toEqual([]);
    expect(written(job)).toEqual(after);
  });

  it('may be the first one of the job', () => {
    const { job } = amended(aManifest(), { policy: { holdOnFailure: '5m' } });
    expect(job!.plan.policy).toMatchObject({ holdOnFailureMs: 300_000 });
  });

  it('is refused with the path of the fault', () => {
    const { faults } = amended(withPolicy('progress: {log: a}'), {
      policy: { progress: { log: '(' }, retry: 1 },
    });
    expect(faults).toEqual([
      'metadata.annotations[signalbox.dev/policy].retry: expected a known field, got 1',
      'metadata.annotations[signalbox.dev/policy].progress.log: expected an RE2 regular expression (missing closing ): `(`), got "("',
    ]);
  });
});

describe('an amended job', () => {
  it('keeps earlier amendments', () => {
    const manifest = withPolicy('progress: {log: a}');
    const { job: larger } = amended(manifest, { replicas: { Worker: 4 } });
    const { job: held } = amended(manifest, { policy: { holdOnFailure: '5m' } }, laterSource(larger!));
    const { job: again } = amended(manifest, { policy: { progress: { log: 'b' } } }, laterSource(held!));
    expect(sizes(again)).toContainEqual(['Worker', 4]);
    expect(again!.plan.policy).toMatchObject({ holdOnFailureMs: 300_000, progress: { log: 'b' } });
    expect([larger, held, again].map((job) => job?.revision)).toEqual([2, 3, 4]);
  });

  it('keeps its gang scheduler, its conventions, its namespace, and their warnings', () => {
    const manifest = aManifest().with('spec.nprocPerNod', 1);
    const { conventions } = manifest.job({ domain: 'cluster.local' });
    const gangWarnings = ['spec.runPolicy.schedulingPolicy.queue: ignored'];
    const settings = { namespace: 'vision', conventions, schedulerName: 'coscheduling', gangWarnings };
    const policy = { failures: { classes: { startUp: { budget: 1 } } } };
    const { job: after } = amended(manifest, { policy }, { settings });
    expect(after).toMatchObject({
      namespace: 'vision',
      conventions: { domain: 'cluster.local' },
      gang: { schedulerName: 'coscheduling' },
    });
    expect(after!.warnings.map((warning) => warning.split(':')[0])).toEqual([
      'spec.nprocPerNod',
      'metadata.annotations[signalbox.dev/policy].failures.classes.startUp',
      'spec.runPolicy.schedulingPolicy.queue',
    ]);
  });
});
