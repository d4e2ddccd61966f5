import { describe, expect, it } from '@jest/globals';
import { renderAttempt } from '../../../resources/attempt.ts';
import { Course } from '../../comparison/course.ts';
import { aContainer, aManifestOf, aRole, environmentOf, type ManifestBuilder } from '../manifests.ts';

type Roles = Parameters<typeof aManifestOf>[1];

const aTFJob = (roles: Roles) => aManifestOf('TFJob', roles);
const of = (replicas: number) => ({ replicas });
const SPECS = 'spec.tfReplicaSpecs';

describe('TF_CONFIG', () => {
  const address = (task: string) => `"resnet-${task}.ml.svc:2222"`;
  const workers = `[${address('worker-0')},${address('worker-1')}]`;
  const servers = `[${address('ps-0')},${address('ps-1')}]`;
  const chief = `[${address('chief-0')}]`;
  const withServers = { PS: of(2), Worker: of(2) };
  const everybody = { Chief: of(1), Evaluator: of(1), ...withServers };

  const table: readonly [pod: string, roles: Roles, cluster: string, task: string][] = [
    ['Worker-1', { Worker: of(2) }, `{"worker":${workers}}`, '{"type":"worker","index":1}'],
    ['PS-1', withServers, `{"ps":${servers},"worker":${workers}}`, '{"type":"ps","index":1}'],
    [
      'Chief-0',
      everybody,
      `{"chief":${chief},"ps":${servers},"worker":${workers}}`,
      '{"type":"chief","index":0}',
    ],
    [
      'Evaluator-0',
      everybody,
      `{"chief":${chief},"evaluator":[${address('evaluator-0')}],"ps":${servers},"worker":${workers}}`,
      '{"type":"evaluator","index":0}',
    ],
    [
      'Master-0',
      { Master: of(1), Worker: of(2) },
      `{"master":[${address('master-0')}],"worker":${workers}}`,
      '{"type":"master","index":0}',
    ],
    ['Worker-0', { PS: of(0), Worker: of(2) }, `{"worker":${workers}}`, '{"type":"worker","index":0}'],
  ];
  it.each(table)('of %s in %j lists %s', (pod, roles, cluster, task) => {
    const wanted = `{"cluster":${cluster},"task":${task},"environment":"cloud"}`;
    expect(environmentOf(aTFJob(roles).job(), pod)).toEqual({ TF_CONFIG: wanted });
  });

  const sparse: readonly [pod: string, roles: Roles, cluster: string, task: string][] = [
    [
      'Worker-1',
      withServers,
      `{"worker":{"1":${address('worker-1')}},"ps":${servers}}`,
      '{"type":"worker","index":1}',
    ],
    ['PS-1', withServers, `{"worker":{},"ps":${servers}}`, '{"type":"ps","index":1}'],
    [
      'Worker-0',
      { Worker: of(2) },
      `{"worker":{"0":${address('worker-0')}},"ps":[]}`,
      '{"type":"worker","index":0}',
    ],
    [
      'Worker-0',
      everybody,
      `{"worker":{"0":${address('worker-0')}},"ps":${servers},"chief":${chief}}`,
      '{"type":"worker","index":0}',
    ],
    [
      'Chief-0',
      everybody,
      `{"worker":{"0":${address('worker-0')},"1":${address('worker-1')}},"ps":${servers},"chief":${chief}}`,
      '{"type":"chief","index":0}',
    ],
    [
      'Evaluator-0',
      everybody,
      `{"worker":{},"ps":${servers},"chief":${chief},"evaluator":[${address('evaluator-0')}]}`,
      '{"type":"evaluator","index":0}',
    ],
  ];
  it.each(sparse)('with dynamic workers, of %s in %j lists %s', (pod, roles, cluster, task) => {
    const job = aTFJob(roles).with('spec.enableDynamicWorker', true).job();
    expect(environmentOf(job, pod)).toEqual({ TF_CONFIG: `{"cluster":${cluster},"task":${task}}` });
  });

  it.each([
    ['Worker', false],
    ['Worker', true],
    ['Chief', false],
    ['Evaluator', false],
  ])('is not set for a single %s, with dynamic workers (%s) or without', (role, dynamic) => {
    const job = aTFJob({ [role]: of(1) })
      .with('spec.enableDynamicWorker', dynamic)
      .job();
    expect(environmentOf(job, `${role}-0`)).toEqual({});
  });

  it('has the cluster’s domain if it is configured', () => {
    const job = aTFJob({ Worker: of(2) }).job({ domain: 'cluster.example' });
    expect(environmentOf(job, 'Worker-0').TF_CONFIG).toContain('resnet-worker-0.ml.svc.cluster.example:2222');
  });

  it('has the port of each role', () => {
    const ports = [{ name: 'tfjob-port', containerPort: 3333 }];
    const job = aTFJob({ PS: of(1), Worker: of(1) })
      .role('PS', 'template.spec.containers', [aContainer({ name: 'tensorflow', ports })])
      .job();
    expect(environmentOf(job, 'Worker-0').TF_CONFIG).toContain(
      '{"ps":["resnet-ps-0.ml.svc:3333"],"worker":["resnet-worker-0.ml.svc:2222"]}',
    );
  });

  it('is set in the main container', () => {
    const role = aRole({ replicas: 2 }, aContainer({ name: 'proxy' }), aContainer({ name: 'tensorflow' }));
    const job = aTFJob({}).role('Worker', '', role).job();
    const { pods } = renderAttempt(job, { number: 1, anchorUid: 'anchor' }, { gang: 'none', asGang: true });
    const variables = pods[0]!.spec.containers.map(({ name, env }) => [name, env?.map((one) => one.name)]);
    expect(variables).toEqual([
      ['proxy', undefined],
      ['tensorflow', ['TF_CONFIG', 'SIGNALBOX_ATTEMPT']],
    ]);
  });

  it('of a sidecar is not changed', () => {
    const env = [{ name: 'TF_CONFIG', value: '{}' }];
    const proxy = aContainer({ name: 'proxy', env });
    const role = aRole({ replicas: 2 }, aContainer({ name: 'tensorflow' }), proxy);
    expect(aTFJob({}).role('Worker', '', role).job().warnings).toEqual([]);
  });
});

describe('a TFJob', () => {
  it('runs once and is not restarted by default', () => {
    const { roles } = aTFJob({ Chief: {}, Worker: {}, PS: {} }).job();
    expect(roles.map(({ name, replicas, restartPolicy }) => [name, replicas, restartPolicy])).toEqual([
      ['Chief', 1, 'Never'],
      ['PS', 1, 'Never'],
      ['Worker', 1, 'Never'],
    ]);
  });

  const deciding: readonly [
    roles: Roles,
    policy: string | undefined,
    role: string,
    of: string | undefined,
  ][] = [
    [{ Chief: of(1), Worker: of(2) }, undefined, 'Chief', undefined],
    [{ Master: of(1), Worker: of(2), PS: of(1) }, 'AllWorkers', 'Master', undefined],
    [{ Worker: of(2), PS: of(1) }, undefined, 'Worker', 'first'],
    [{ Worker: of(2), Evaluator: of(1) }, '', 'Worker', 'first'],
    [{ Worker: of(2) }, 'AllWorkers', 'Worker', undefined],
    [{ Chief: of(0), Worker: of(2) }, 'AllWorkers', 'Worker', undefined],
    [{ PS: of(1), Evaluator: of(1) }, undefined, 'Evaluator', undefined],
    [{ PS: of(2) }, undefined, 'PS', undefined],
  ];
  it.each(deciding)('of %j with successPolicy %j is decided by %s, %s', (roles, policy, role, first) => {
    const { plan } = aTFJob(roles).with('spec.successPolicy', policy).job();
    expect([plan.successRoles, plan.successOf]).toEqual([[role], first]);
  });

  it('has succeeded with its first worker', () => {
    const job = aTFJob({ Worker: of(3) }).job();
    const running = new Course(job).sees({ Worker: 'ready' });
    expect(running.status.conditions.at(-1)!.message).toBe('TFJob ml/resnet is running.');
    const { status } = running.sees({ Worker: 'succeeded' });
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Succeeded',
      message: 'TFJob ml/resnet successfully completed.',
    });
  });

  it('says how many replicas of which role failed', () => {
    const course = new Course(aTFJob({ Chief: of(1), Worker: of(3) }).job());
    const { status } = course.seesFailure({ role: 'Worker', index: 1 }, {});
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Failed',
      reason: 'TFJobFailed',
      message: 'TFJob ml/resnet has failed because 1 Worker replica(s) failed.',
    });
  });
});

describe('the failure of a dynamic worker', () => {
  const aDynamicJob = (roles: Roles) => aTFJob(roles).with('spec.enableDynamicWorker', true).job();

  it('is ignored while other workers are left', () => {
    const course = new Course(aDynamicJob({ Chief: of(1), Worker: of(3) }));
    expect(course.seesFailure({ role: 'Worker', index: 1 }, {}).status.phase).toBe('Running');
  });

  it('fails the job if it was the last one', () => {
    const course = new Course(aDynamicJob({ Chief: of(1), Worker: of(1) }));
    expect(course.seesFailure({ role: 'Worker', index: 0 }, {}).status.phase).toBe('Failed');
  });

  it('of a restartable role leads to a restart', () => {
    const roles = { Chief: of(1), Worker: { replicas: 3, restartPolicy: 'ExitCode' } };
    const course = new Course(aDynamicJob(roles));
    const { status } = course.seesFailure({ role: 'Worker', index: 1, exitCode: 137 }, {});
    expect(status.conditions.at(-1)).toMatchObject({ type: 'Restarting', status: 'True' });
  });

  it('does not change that of other roles', () => {
    const course = new Course(aDynamicJob({ PS: of(2), Worker: of(3) }));
    expect(course.seesFailure({ role: 'PS', index: 1 }, {}).status.phase).toBe('Failed');
  });
});

describe('a TFJob with one fault', () => {
  const table: readonly (readonly [change: (m: ManifestBuilder) => ManifestBuilder, fault: string])[] = [
    [
      (m) => m.role('Master', '', aRole()).role('Chief', '', aRole()),
      `${SPECS}.Master: expected no value when Chief is set, got both`,
    ],
    [
      (m) => m.role('Chief', '', aRole({ replicas: 2 })),
      `${SPECS}.Chief.replicas: expected an integer from 0 to 1, got 2`,
    ],
    [(m) => m.role('Worker', 'replicas', -1), `${SPECS}.Worker.replicas: expected an integer >= 0, got -1`],
    [(m) => m.role('Worker', 'replicas', 0), `${SPECS}: expected at least one replica, got 0`],
    [
      (m) => m.role('Server', '', aRole()),
      `${SPECS}.Server: expected one of Chief, Evaluator, Master, PS, Worker, got "Server"`,
    ],
    [
      (m) => m.with('spec.successPolicy', 'FirstWorker'),
      'spec.successPolicy: expected AllWorkers, or nothing, got "FirstWorker"',
    ],
    [
      (m) => m.with('spec.enableDynamicWorker', 'yes'),
      'spec.enableDynamicWorker: expected true or false, got "yes"',
    ],
  ];
  it.each(table.map(([change, fault]) => [fault, change] as const))('is refused: %s', (fault, change) => {
    expect(change(aTFJob({ Worker: of(2) })).faults()).toEqual([fault]);
  });
});
