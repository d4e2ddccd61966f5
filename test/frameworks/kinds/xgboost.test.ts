import { describe, expect, it } from '@jest/globals';
import { Course } from '../../comparison/course.ts';
import { aContainer, aManifestOf, environmentOf } from '../manifests.ts';

const anXGBoostJob = (workers: number) =>
  aManifestOf('XGBoostJob', { Master: {}, Worker: { replicas: workers } });
const SPECS = 'spec.xgbReplicaSpecs';

describe('a replica of an XGBoostJob', () => {
  const common = {
    MASTER_PORT: '9999',
    MASTER_ADDR: 'resnet-master-0',
    WORLD_SIZE: '3',
    PYTHONUNBUFFERED: '1',
    WORKER_PORT: '9999',
    WORKER_ADDRS: 'resnet-worker-0,resnet-worker-1',
  };
  it.each([
    ['Master-0', '0'],
    ['Worker-0', '1'],
    ['Worker-1', '2'],
  ])('%s gets its rank %s and the machines of all', (pod, rank) => {
    expect(environmentOf(anXGBoostJob(2).job(), pod)).toEqual({ ...common, RANK: rank });
  });

  it('without workers gets no list of workers', () => {
    const alone = { MASTER_PORT: '9999', MASTER_ADDR: 'resnet-master-0', WORLD_SIZE: '1', RANK: '0' };
    expect(environmentOf(anXGBoostJob(0).job(), 'Master-0')).toEqual({ ...alone, PYTHONUNBUFFERED: '1' });
  });

  it('gets the ports of the roles', () => {
    const chosen = (containerPort: number) => [
      aContainer({ name: 'xgboost', ports: [{ name: 'xgboostjob-port', containerPort }] }),
    ];
    const job = anXGBoostJob(1)
      .role('Master', 'template.spec.containers', chosen(9991))
      .role('Worker', 'template.spec.containers', chosen(9992))
      .job();
    expect(environmentOf(job, 'Worker-0')).toMatchObject({ MASTER_PORT: '9991', WORKER_PORT: '9992' });
  });
});

describe('an XGBoostJob', () => {
  it('has one Master, and no restarts, by default', () => {
    const { roles } = anXGBoostJob(2).job();
    expect(roles.map(({ name, replicas, restartPolicy }) => [name, replicas, restartPolicy])).toEqual([
      ['Master', 1, 'Never'],
      ['Worker', 2, 'Never'],
    ]);
  });

  it('has succeeded with its Master', () => {
    const course = new Course(anXGBoostJob(2).job()).sees({ Master: 'ready', Worker: 'ready' });
    expect(course.status.conditions.at(-1)!.message).toBe('XGBoostJob resnet is running.');
    const { status } = course.sees({ Master: 'succeeded', Worker: 'ready' });
    expect(status.conditions.at(-1)).toMatchObject({
      type: 'Succeeded',
      message: 'XGBoostJob resnet is successfully completed.',
    });
  });

  it.each([
    ['Never', 'Failed'],
    ['ExitCode', 'Failed'],
    ['OnFailure', 'Restarting'],
    ['Always', 'Restarting'],
  ])('whose worker fails with restartPolicy %s is then %s', (policy, condition) => {
    const job = anXGBoostJob(2).role('Worker', 'restartPolicy', policy).job();
    const { status } = new Course(job).seesFailure({ role: 'Worker', index: 0 }, {});
    expect(status.conditions.at(-1)).toMatchObject({ type: condition, status: 'True' });
  });

  it('says how many replicas of which role failed', () => {
    const { status } = new Course(anXGBoostJob(2).job()).seesFailure({ role: 'Worker', index: 0 }, {});
    expect(status.conditions.at(-1)!.message).toBe(
      'XGBoostJob resnet is failed because 1 Worker replica(s) failed.',
    );
  });

  it.each([
    ['replicas', 2, `${SPECS}.Master.replicas: expected exactly 1, got 2`],
    ['replicas', 0, `${SPECS}.Master.replicas: expected exactly 1, got 0`],
    ['', undefined, `${SPECS}.Master: expected a role, got nothing`],
  ])('whose Master’s field `%s` is %j is refused: %s', (field, value, fault) => {
    expect(anXGBoostJob(2).role('Master', field, value).faults()).toEqual([fault]);
  });
});
