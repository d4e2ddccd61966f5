import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CASES_FOLDER, readCase } from '../../../comparison/case.ts';
import { keyOf } from '../../../comparison/objects.ts';
import { asPaddleOperator, running } from '../../../comparison/paddle-statuses.ts';
import { aRole, dataOf, type Fields, faultsOf, jobWith, podsOf } from '../../paddle-jobs.ts';

describe('the mode of a PaddleJob', () => {
  const modes: readonly [roles: Fields, mode: string][] = [
    [{ ps: aRole(1), worker: aRole(1) }, 'PS'],
    [{ ps: aRole(1) }, 'PS'],
    [{ worker: aRole(2) }, 'Collective'],
    [{ worker: aRole(1) }, 'Single'],
    [{ heter: aRole(3) }, 'Single'],
  ];
  it.each(modes)('with %j is %s', (roles, mode) => {
    expect(jobWith({ worker: undefined, ...roles }).plan.mode).toBe(mode);
  });
});

describe('the restart policy of a role', () => {
  const policies: readonly [spec: Fields, ofPod: string | undefined, ps: string, worker: string][] = [
    [{}, undefined, 'Never', 'Never'],
    [{ intranet: 'Service' }, undefined, 'Never', 'OnFailure'],
    [{ intranet: 'Host' }, undefined, 'Never', 'Never'],
    [{ intranet: 'Service' }, 'Never', 'Never', 'Never'],
    [{}, 'Always', 'Always', 'Always'],
    [{ elastic: 0 }, 'Never', 'OnFailure', 'OnFailure'],
  ];
  it.each(policies)('with %j and a template that says %s: ps %s, worker %s', (spec, ofPod, ps, worker) => {
    const role = aRole(1, { restartPolicy: ofPod });
    const { plan } = jobWith({ ps: role, worker: role, ...spec });
    expect(plan.roles.map(({ restartPolicy }) => restartPolicy)).toEqual([ps, worker]);
  });

  it('still fails the job with the first failed pod', () => {
    const { plan } = jobWith({ intranet: 'Service', ps: aRole(1) });
    expect(plan.roles.map(({ onFailure }) => onFailure?.do)).toEqual(['fail', 'fail']);
    expect(plan.successRoles).toEqual(['ps', 'worker']);
  });
});

describe('an omitted or empty field', () => {
  it('means OnCompletion and PodIP, and a gang of all pods', () => {
    for (const spec of [{}, { cleanPodPolicy: '', intranet: '' }]) {
      const { plan, options, gang } = jobWith({ ps: aRole(2), ...spec });
      expect(plan.runPolicy).toEqual({ cleanPodPolicy: 'OnCompletion' });
      expect(options).toEqual({ intranet: 'PodIP' });
      expect(gang.minMember).toBe(4);
    }
  });

  it('of schedulingPolicy means the default of the gang', () => {
    const schedulingPolicy = {
      minAvailable: 1,
      queue: 'q',
      priorityClass: 'high',
      minResources: { cpu: 2 },
    };
    expect(jobWith({ schedulingPolicy }).gang).toMatchObject({
      minMember: 1,
      queue: 'q',
      priorityClass: 'high',
      minResources: { cpu: '2' },
    });
  });
});

describe('a PaddleJob is refused', () => {
  const wrong: readonly [spec: Fields, fault: string][] = [
    [{ worker: undefined }, 'spec: expected at least one of ps, worker, heter, got none'],
    [{ worker: aRole(0) }, 'spec: expected at least one replica, got 0'],
    [{ worker: aRole(undefined) }, 'spec.worker.replicas: expected an integer, got nothing'],
    [{ worker: aRole(-1) }, 'spec.worker.replicas: expected an integer >= 0, got -1'],
    [{ worker: { replicas: 1 } }, 'spec.worker.template: expected an object, got nothing'],
    [
      { worker: aRole(1, { restartPolicy: 'Sometimes' }) },
      'spec.worker.template.spec.restartPolicy: expected one of Always, OnFailure, Never, got "Sometimes"',
    ],
    [{ withGloo: 3 }, 'spec.withGloo: expected one of 0, 1, 2, got 3'],
    [{ intranet: 'Pod' }, 'spec.intranet: expected one of PodIP, Service, Host, got "Pod"'],
    [
      { cleanPodPolicy: 'None' },
      'spec.cleanPodPolicy: expected one of Always, Never, OnFailure, OnCompletion, got "None"',
    ],
    [
      { worker: undefined, ps: aRole(1), elastic: 1 },
      'spec.worker: expected a value when elastic is set, got nothing',
    ],
  ];
  it.each(wrong)('with %j', (spec, fault) => {
    expect(faultsOf(spec)).toEqual([fault]);
  });

  it('with a misspelt role, and faults in it', () => {
    expect(faultsOf({ workr: aRole(-1) })).toEqual([
      'spec.workr: expected one of ps, worker, heter (did you mean worker?), got "workr"',
      'spec.workr.replicas: expected an integer >= 0, got -1',
    ]);
  });

  it.each(['', '0', 'a', '35020.5', '65517'])('with the host port %j', (port) => {
    const fault = `metadata.annotations.host-port: expected a port from 1 to 65516: the first of 20, got ${JSON.stringify(port)}`;
    expect(faultsOf({ intranet: 'Host' }, { 'host-port': port })).toEqual([fault]);
    expect(faultsOf({ intranet: 'PodIP' }, { 'host-port': port })).toEqual([]);
  });
});

describe('the warnings of a PaddleJob', () => {
  const warned: readonly [spec: Fields, warning: RegExp][] = [
    [{ worker: { ...aRole(2), requests: 1 } }, /^spec\.worker\.requests: ignored/],
    [{ worker: { ...aRole(2), limits: 4 } }, /^spec\.worker\.limits: ignored/],
    [{ withGloo: 1 }, /^spec\.withGloo: no effect without ps/],
    [{ withGloo: 1, ps: aRole(1), intranet: 'Service' }, /^spec\.withGloo: no effect with intranet Service/],
    [{ sampleSetRef: { name: 'imagenet' } }, /^spec\.sampleSetRef: unknown field/],
    [
      { schedulingPolicy: { scheduleTimeoutSeconds: 5 } },
      /^spec\.schedulingPolicy\.scheduleTimeoutSeconds: unknown/,
    ],
    [{ schedulingPolicy: { minAvailable: 3 } }, /^spec\.schedulingPolicy\.minAvailable: 3 of 2 pods/],
    [
      { worker: aRole(2, { restartPolicy: 'Always' }) },
      /^spec\.worker\.template\.spec\.restartPolicy: Always also/,
    ],
    [{ elastic: 1 }, /^spec\.elastic: no etcd is configured/],
  ];
  it.each(warned)('%j', (spec, warning) => {
    expect(jobWith(spec).warnings).toEqual([expect.stringMatching(warning)]);
  });

  it('include the restart policy, which an elastic job ignores', () => {
    const worker = aRole(2, { restartPolicy: 'Never' });
    const { warnings } = jobWith({ elastic: 1, worker }, { etcdServers: 'http://etcd:2379' });
    expect(warnings).toEqual(['spec.worker.template.spec.restartPolicy: Never is overridden by OnFailure']);
  });

  it('are empty if nothing is wrong', () => {
    expect(jobWith({ withGloo: 1, ps: aRole(1) }).warnings).toEqual([]);
    expect(jobWith({ elastic: 1 }, { etcdServers: 'http://etcd:2379' }).warnings).toEqual([]);
  });
});

describe('the first container', () => {
  const sidecar = { name: 'proxy', image: 'proxy:1', env: [{ name: 'A', value: '1' }] };

  it('is the only one with a part in the job', () => {
    const job = jobWith({ intranet: 'Service', worker: aRole(1, {}, sidecar) });
    expect(podsOf(job)[0]?.spec.containers[1]).toEqual(sidecar);
  });

  it('keeps its own variables and ports', () => {
    const own = { envFrom: [{ secretRef: { name: 'keys' } }], ports: [{ containerPort: 8080 }] };
    const worker = { replicas: 1, template: { spec: { containers: [{ name: 'p', image: 'i', ...own }] } } };
    const main = podsOf(jobWith({ intranet: 'Service', worker }))[0]?.spec.containers[0];
    expect(main?.envFrom).toEqual([{ secretRef: { name: 'keys' } }, { configMapRef: { name: 'wide' } }]);
    expect(main?.ports).toEqual([{ containerPort: 8080 }, { containerPort: 2379 }]);
  });

  it('gets the port of Paddle once', () => {
    const ports = [{ name: 'paddle', containerPort: 2379 }];
    const worker = { replicas: 1, template: { spec: { containers: [{ name: 'p', image: 'i', ports }] } } };
    expect(podsOf(jobWith({ intranet: 'Service', worker }))[0]?.spec.containers[0]?.ports).toEqual(ports);
  });

  it('gets its role', () => {
    const roles = { ps: aRole(1), worker: aRole(1), heter: aRole(1) };
    const parts = podsOf(jobWith(roles)).map(({ spec }) =>
      spec.containers[0]?.env?.find(({ name }) => name === 'PADDLE_TRAINING_ROLE'),
    );
    expect(parts.map((part) => part?.value)).toEqual(['PSERVER', 'TRAINER', 'HETER']);
  });
});

it('a job that paddle-operator had to scale starts in the same way', () => {
  const name = 'paddlejob-scale-v0.3.0';
  const { job, rendered } = readCase(name);
  const { start } = JSON.parse(readFileSync(join(CASES_FOLDER, name, 'observed.json'), 'utf8'));
  const { jobFinalizers: _, ...status } = start.status;
  expect(rendered.map(keyOf).sort()).toEqual(start.objects);
  expect([dataOf(rendered)]).toEqual(start.configMap);
  expect(asPaddleOperator(job, running(job))).toEqual(status);
});
