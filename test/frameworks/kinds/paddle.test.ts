import { describe, expect, it } from '@jest/globals';
import { renderAttempt } from '../../../resources/attempt.ts';
import { Course } from '../../comparison/course.ts';
import { aContainer, aManifestOf, environmentOf, type ManifestBuilder } from '../manifests.ts';

const aCollectiveJob = (replicas = 2) => aManifestOf('PaddleJob', { Worker: { replicas } });
const aJobWithServers = () => aManifestOf('PaddleJob', { Master: { replicas: 2 }, Worker: { replicas: 2 } });

describe('a replica of a PaddleJob', () => {
  const itself = (port: number) => ({
    POD_IP_DUMMY: '<status.podIP>',
    PADDLE_MASTER: `$(POD_IP_DUMMY):${port}`,
  });
  const table: readonly [pod: string, of: string, job: ManifestBuilder, variables: object][] = [
    ['Worker-0', 'a collective job', aCollectiveJob(), itself(36_543)],
    ['Worker-1', 'a collective job', aCollectiveJob(), { PADDLE_MASTER: 'resnet-worker-0:36543' }],
    ['Master-0', 'a job with servers', aJobWithServers(), { ...itself(36_543), PADDLE_SERVER_NUM: '1' }],
    [
      'Master-1',
      'a job with servers',
      aJobWithServers(),
      { PADDLE_MASTER: 'resnet-master-0:36543', PADDLE_SERVER_NUM: '1' },
    ],
    [
      'Worker-0',
      'a job with servers',
      aJobWithServers(),
      { PADDLE_MASTER: 'resnet-master-0:36543', PADDLE_TRAINER_NUM: '1' },
    ],
    [
      'Worker-0',
      'a job with no replicas of its Master',
      aJobWithServers().role('Master', 'replicas', 0),
      itself(36_543),
    ],
  ];
  it.each(table)('%s of %s gets the address where all connect', (pod, _, manifest, variables) => {
    const job = manifest.job();
    const total = job.roles.reduce((sum, { replicas }) => sum + replicas, 0);
    const common = { PYTHONUNBUFFERED: '1', PADDLE_JOB_ID: 'resnet', PADDLE_NNODES: String(total) };
    expect(environmentOf(job, pod)).toEqual({ ...common, ...variables });
  });

  it('gets the configured port', () => {
    const container = aContainer({ name: 'paddle', ports: [{ name: 'master', containerPort: 37_777 }] });
    const job = aCollectiveJob().role('Worker', 'template.spec.containers', [container]).job();
    expect(environmentOf(job, 'Worker-0')).toMatchObject(itself(37_777));
    expect(environmentOf(job, 'Worker-1')).toMatchObject({ PADDLE_MASTER: 'resnet-worker-0:37777' });
  });
});

describe('a PaddleJob', () => {
  it.each([
    ['collective', aCollectiveJob(), ['resnet-worker-0']],
    ['with servers', aJobWithServers(), ['resnet-master-0', 'resnet-master-1']],
  ])('that is %s labels its masters', (_, manifest, masters) => {
    const options = { gang: 'none', asGang: true } as const;
    const { pods } = renderAttempt(manifest.job(), { number: 1, anchorUid: 'anchor' }, options);
    const labelled = pods.filter(({ metadata }) => metadata.labels?.['training.kubeflow.org/job-role']);
    expect(labelled.map(({ metadata }) => metadata.name)).toEqual(masters);
  });

  it('restarts failed pods by default', () => {
    const { roles } = aManifestOf('PaddleJob', { Master: {}, Worker: {} }).job();
    expect(roles.map(({ name, replicas, restartPolicy }) => [name, replicas, restartPolicy])).toEqual([
      ['Master', 1, 'OnFailure'],
      ['Worker', 1, 'OnFailure'],
    ]);
  });

  it.each([
    [
      'collective',
      aCollectiveJob(),
      ['Worker'],
      'PaddleJob ml/resnet is running.',
      'PaddleJob ml/resnet successfully completed.',
    ],
    [
      'with servers',
      aJobWithServers(),
      ['Master'],
      'PaddleJob resnet is running.',
      'PaddleJob resnet is successfully completed.',
    ],
  ])('that is %s says so in its own words', (_, manifest, successRoles, running, succeeded) => {
    const job = manifest.job();
    const course = new Course(job).sees({ Master: 'ready', Worker: 'ready' });
    expect(course.status.conditions.at(-1)!.message).toBe(running);
    const ended = Object.fromEntries(successRoles.map((role) => [role, 'succeeded'] as const));
    const { status } = course.sees({ Master: 'ready', Worker: 'ready', ...ended });
    expect(status.conditions.at(-1)).toMatchObject({ type: 'Succeeded', message: succeeded });
  });
});

describe('the elastic policy of a PaddleJob', () => {
  const elastic = (policy: object) => aCollectiveJob(3).with('spec.elasticPolicy', policy);

  it.each([
    [{ minReplicas: 2, maxReplicas: 4 }, 2],
    [{ maxReplicas: 3 }, 3],
    [{}, 3],
  ])('%j makes a gang of %i', (policy, members) => {
    expect(elastic(policy).job().gang.minMember).toBe(members);
  });

  it.each([
    [
      { maxRestarts: 3 },
      'maxRestarts: ignored; restartPolicy and runPolicy.backoffLimit decide what is restarted',
    ],
    [
      { metrics: [] },
      'metrics: without effect unless the job is a custom resource, which an autoscaler can scale',
    ],
  ])('%j is accepted with the warning: %s', (policy, warning) => {
    expect(elastic(policy).job().warnings).toEqual([`spec.elasticPolicy.${warning}`]);
  });

  it('needs workers', () => {
    const manifest = aManifestOf('PaddleJob', { Master: {} }).with('spec.elasticPolicy', { minReplicas: 1 });
    expect(manifest.faults()).toEqual([
      'spec.paddleReplicaSpecs.Worker: expected a value when elasticPolicy is set, got nothing',
    ]);
  });

  it('must have room for its workers', () => {
    expect(elastic({ minReplicas: 4, maxReplicas: 8 }).faults()).toEqual([
      'spec.elasticPolicy: expected minReplicas <= Worker.replicas <= maxReplicas (an unset bound equals the other one), got 4, 3, 8',
    ]);
  });
});
