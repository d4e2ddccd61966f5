import { describe, expect, it } from '@jest/globals';
import type { GangChoice, GangProvider, TrainingJob } from '../../contracts/training-job.ts';
import { chooseGang } from '../../gang/choose.ts';
import { aManifest } from '../frameworks/manifests.ts';
import { aJob, aPaddleJob } from './jobs.ts';

const ALL: readonly GangProvider[] = ['native', 'volcano', 'coscheduling', 'kube-batch'];

/** A cluster that serves these; it keeps what it was asked for. */
function aCluster(...served: readonly GangProvider[]) {
  const asked: GangProvider[] = [];
  const serves = async (provider: GangProvider) => {
    asked.push(provider);
    return served.includes(provider);
  };
  return { asked, serves };
}

const choose = (job: TrainingJob, configured: GangChoice, ...served: readonly GangProvider[]) =>
  chooseGang(job, { configured, serves: aCluster(...served).serves });

const annotated = (choice: GangChoice) =>
  aManifest().with('metadata.annotations', { 'signalbox.dev/gang': choice });
const naming = (scheduler: string) => aManifest().role('Worker', 'template.spec.schedulerName', scheduler);

describe('the gang scheduler of a job', () => {
  const cases: readonly [from: string, job: TrainingJob, configured: GangChoice, chosen: GangProvider][] = [
    ['the annotation', annotated('coscheduling').job(), 'volcano', 'coscheduling'],
    ['an annotation that wants none', annotated('none').job(), 'volcano', 'none'],
    [
      'an annotation before a template',
      annotated('native').role('Worker', 'template.spec.schedulerName', 'volcano').job(),
      'auto',
      'native',
    ],
    ['a template that names Volcano', naming('volcano').job(), 'native', 'volcano'],
    ['a template that names kube-batch', naming('kube-batch').job(), 'auto', 'kube-batch'],
    [
      'a template that names Coscheduling',
      naming('scheduler-plugins-scheduler').job(),
      'auto',
      'coscheduling',
    ],
    ['the configuration', aJob(), 'volcano', 'volcano'],
    [
      'the configuration, beside a template that names some other',
      naming('mine').job(),
      'volcano',
      'volcano',
    ],
    ['the configuration, also for one pod', aJob({ minAvailable: 1 }), 'volcano', 'volcano'],
    ['what is served', aJob(), 'auto', 'native'],
    ['what is served, where the annotation asks for it', annotated('auto').job(), 'volcano', 'native'],
  ];

  it.each(cases)('is taken from %s', async (_, job, configured, chosen) => {
    expect(await choose(job, configured, ...ALL)).toMatchObject({ provider: chosen });
  });

  it('is Coscheduling for a template that names it as it is configured', async () => {
    const job = naming('gangs').job();
    const configured = { ...job, gang: { ...job.gang, schedulerName: 'gangs' } };
    expect(await choose(job, 'auto', ...ALL)).toMatchObject({ provider: 'native' });
    expect(await choose(configured, 'auto', ...ALL)).toMatchObject({ provider: 'coscheduling' });
  });

  it('is none for a job of paddle-operator with another scheduler in a template', async () => {
    const template = { spec: { schedulerName: 'mine', containers: [{ name: 'a', image: 'b' }] } };
    const job = aPaddleJob({ worker: { replicas: 3, template } });
    expect(await choose(job, 'volcano', ...ALL)).toMatchObject({ provider: 'none' });
    expect(await choose(job, 'auto', ...ALL)).toMatchObject({ provider: 'none' });
    expect(await choose(aPaddleJob(), 'volcano', ...ALL)).toMatchObject({ provider: 'volcano' });
  });
});

describe('a requested gang scheduler', () => {
  const expected = 'a gang scheduler whose API this cluster serves';
  const got =
    'volcano, whose scheduling.volcano.sh/v1beta1 PodGroup it does not have: install it, or name another';
  const cases: readonly [path: string, job: TrainingJob, configured: GangChoice][] = [
    ['metadata.annotations[signalbox.dev/gang]', annotated('volcano').job(), 'auto'],
    ['spec.pytorchReplicaSpecs.Worker.template.spec.schedulerName', naming('volcano').job(), 'auto'],
    ['the worker’s gang-scheduling settings', aJob(), 'volcano'],
  ];

  it.each(cases)('that is not served is a fault of %s', async (path, job, configured) => {
    const fault = { path, expected, got };
    expect(await choose(job, configured, 'native')).toEqual({ faults: [fault] });
  });
});

describe('the automatic choice of a gang scheduler', () => {
  const cases: readonly [
    policy: object | undefined,
    served: GangProvider[],
    chosen: GangProvider,
    asked: GangProvider[],
  ][] = [
    [undefined, ['native', 'volcano'], 'native', ['native']],
    [undefined, ['coscheduling'], 'coscheduling', ['native', 'volcano', 'coscheduling']],
    [undefined, ['kube-batch'], 'none', ['native', 'volcano', 'coscheduling']],
    [{ minAvailable: 1 }, ['native'], 'none', []],
    [{ priorityClass: 'high' }, ['native', 'volcano'], 'native', ['native']],
    [{ queue: 'q' }, ['native', 'volcano'], 'volcano', ['volcano']],
    [{ queue: 'q' }, ['native', 'coscheduling'], 'native', ['volcano', 'native']],
    [{ scheduleTimeoutSeconds: 9 }, ['native', 'volcano', 'coscheduling'], 'coscheduling', ['coscheduling']],
    [{ minResources: { cpu: 1 } }, ['native', 'volcano'], 'volcano', ['volcano']],
    [{ queue: 'q', scheduleTimeoutSeconds: 9 }, ['native', 'volcano'], 'volcano', ['volcano']],
  ];

  it.each(cases)(
    'for %j where %j are served is %s, after a check of %j',
    async (policy, served, provider, asked) => {
      const cluster = aCluster(...served);
      const chosen = await chooseGang(aJob(policy), { configured: 'auto', serves: cluster.serves });
      expect(chosen).toMatchObject({ provider });
      expect(cluster.asked).toEqual(asked);
    },
  );
});

describe('a field that the gang scheduler ignores', () => {
  const everything = {
    queue: 'q',
    priorityClass: 'high',
    minResources: { cpu: 1 },
    scheduleTimeoutSeconds: 9,
  };
  const cases: readonly [provider: GangProvider, fields: string[]][] = [
    ['native', ['queue', 'minResources', 'scheduleTimeoutSeconds']],
    ['volcano', ['scheduleTimeoutSeconds']],
    ['coscheduling', ['queue', 'priorityClass']],
    ['kube-batch', ['minResources', 'scheduleTimeoutSeconds']],
    ['none', ['queue', 'priorityClass', 'minResources', 'scheduleTimeoutSeconds']],
  ];

  it.each(cases)('has a warning with %s: %j', async (provider, fields) => {
    const path = (field: string) => `spec.runPolicy.schedulingPolicy.${field}: ignored; `;
    const chosen = await choose(aJob(everything), provider, provider);
    const { warnings } = chosen as { readonly warnings: readonly string[] };
    expect(warnings).toEqual(fields.map((field) => expect.stringContaining(path(field))));
  });

  it('has a warning with the reason', async () => {
    const warnings = ['spec.runPolicy.schedulingPolicy.queue: ignored; native gang scheduling has no queues'];
    expect(await choose(aJob({ queue: 'q' }), 'native', 'native')).toEqual({ provider: 'native', warnings });
  });

  it('has a warning with the path of paddle-operator’s manifests', async () => {
    const job = aPaddleJob({ schedulingPolicy: { queue: 'q' } });
    const warnings = ['spec.schedulingPolicy.queue: ignored; native gang scheduling has no queues'];
    expect(await choose(job, 'native', 'native')).toEqual({ provider: 'native', warnings });
  });

  it('has a warning beside templates that name other schedulers', async () => {
    const job = naming('mine').job();
    expect(await choose(job, 'auto', 'native')).toEqual({
      provider: 'native',
      warnings: [expect.stringContaining('names mine; default-scheduler')],
    });
  });
});
