import { describe, expect, it } from '@jest/globals';
import { Course } from '../../comparison/course.ts';
import { aContainer, aManifestOf, aRole, environmentOf } from '../manifests.ts';

const aJAXJob = (replicas?: number) => aManifestOf('JAXJob', { Worker: { replicas } });
const SPECS = 'spec.jaxReplicaSpecs';

describe('a process of a JAXJob', () => {
  it.each([0, 1, 2])('%i gets the address of its coordinator, under both sets of names', (index) => {
    expect(environmentOf(aJAXJob(3).job(), `Worker-${index}`)).toEqual({
      PYTHONUNBUFFERED: '1',
      COORDINATOR_PORT: '6666',
      COORDINATOR_ADDRESS: 'resnet-worker-0',
      NUM_PROCESSES: '3',
      PROCESS_ID: String(index),
      JAX_COORDINATOR_PORT: '6666',
      JAX_COORDINATOR_ADDRESS: 'resnet-worker-0:6666',
      JAX_NUM_PROCESSES: '3',
      JAX_PROCESS_ID: String(index),
    });
  });

  it('gets the configured port', () => {
    const container = aContainer({ name: 'jax', ports: [{ name: 'jaxjob-port', containerPort: 7777 }] });
    const job = aJAXJob(2).role('Worker', 'template.spec.containers', [container]).job();
    expect(environmentOf(job, 'Worker-1')).toMatchObject({
      COORDINATOR_PORT: '7777',
      JAX_COORDINATOR_ADDRESS: 'resnet-worker-0:7777',
    });
  });
});

describe('a JAXJob', () => {
  it('has one worker, and no restarts, by default', () => {
    expect(aJAXJob().job().roles).toMatchObject([{ name: 'Worker', replicas: 1, restartPolicy: 'Never' }]);
  });

  it('has succeeded with all of its workers', () => {
    const course = new Course(aJAXJob(2).job()).sees({ Worker: 'ready' });
    expect(course.status.conditions.at(-1)!.message).toBe('JAXJob ml/resnet is running.');
    const { plan } = aJAXJob(2).job();
    expect([plan.successRoles, plan.successOf]).toEqual([['Worker'], undefined]);
    expect(course.sees({ Worker: 'succeeded' }).status.conditions.at(-1)).toMatchObject({
      type: 'Succeeded',
      message: 'JAXJob ml/resnet successfully completed.',
    });
  });

  it('says how many workers failed', () => {
    const { status } = new Course(aJAXJob(2).job()).seesFailure({ role: 'Worker', index: 1 }, {});
    expect(status.conditions.at(-1)!.message).toBe(
      'JAXJob resnet is failed because 1 Worker replica(s) failed.',
    );
  });

  it.each([
    ['Worker', 'replicas', 0, `${SPECS}.Worker.replicas: expected an integer >= 1, got 0`],
    ['Worker', '', undefined, `${SPECS}.Worker: expected a role, got nothing`],
    ['Master', '', aRole(), `${SPECS}.Master: expected one of Worker, got "Master"`],
  ])('whose role %s has in `%s` %j is refused: %s', (role, field, value, fault) => {
    expect(aJAXJob(2).role(role, field, value).faults()).toEqual([fault]);
  });
});
