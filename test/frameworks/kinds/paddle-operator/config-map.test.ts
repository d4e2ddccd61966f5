import { describe, expect, it } from '@jest/globals';
import type { TrainingJob } from '../../../../contracts/training-job.ts';
import { renderHostList } from '../../../../resources/shared.ts';
import { readCase } from '../../../comparison/case.ts';
import { keyOf } from '../../../comparison/objects.ts';
import {
  aRole,
  dataOf,
  type Fields,
  hostListOf,
  jobWith,
  membersOf,
  objectsOf,
  podsOf,
} from '../../paddle-jobs.ts';

describe('the ConfigMap of global variables', () => {
  it('exists before the pods where these have names', () => {
    const job = jobWith({ intranet: 'Service', heter: aRole(1) });
    expect(dataOf(objectsOf(job))).toEqual({
      TRAINER_PORTS_NUM: '20',
      PADDLE_PORT: '2379',
      PADDLE_TRAINER_ENDPOINTS: 'wide-worker-0:2379,wide-worker-1:2379',
      PADDLE_TRAINERS: 'wide-worker-0,wide-worker-1',
      PADDLE_TRAINERS_NUM: '2',
      PADDLE_HETER_ENDPOINTS: 'wide-heter-0:2379',
    });
    expect(job.plan.hostList).toBeUndefined();
  });

  it.each(['PodIP', 'Host'])('waits for the address of every pod with intranet %s', (intranet) => {
    const job = jobWith({ intranet, ps: aRole(1) });
    expect(job.plan.hostList).toEqual({ when: 'addressed', roles: ['ps', 'worker'] });
    expect(dataOf(objectsOf(job))).toBeUndefined();
    expect(hostListOf(job, ['10.0.0.1', '10.0.0.2', ''])).toEqual([]);
    expect(hostListOf(job, ['10.0.0.1', '10.0.0.2'])).toEqual([]);
    expect(hostListOf(job, ['10.0.0.1', '10.0.0.2', '10.0.0.3'])).toHaveLength(1);
  });

  it('has a known name before that, so that it can be deleted', () => {
    expect(hostListOf(jobWith({}), []).map(keyOf)).toEqual(['ConfigMap/wide']);
  });

  it('lists addresses in the order of the pods, whichever has one first', () => {
    const job = jobWith({ ps: aRole(1) });
    const members = membersOf(job, ['10.0.0.1', '10.0.0.2', '10.0.0.3']).reverse();
    expect(dataOf(renderHostList(job, 'anchor', members))).toMatchObject({
      PADDLE_PSERVERS_IP_PORT_LIST: '10.0.0.1:2379',
      PADDLE_TRAINER_ENDPOINTS: '10.0.0.2:2379,10.0.0.3:2379',
      PADDLE_TRAINERS: '10.0.0.2,10.0.0.3',
    });
  });

  it('has IPv6 addresses in brackets before a port', () => {
    expect(dataOf(hostListOf(jobWith({}), ['fd00::1', 'fd00::2']))).toMatchObject({
      PADDLE_TRAINER_ENDPOINTS: '[fd00::1]:2379,[fd00::2]:2379',
      PADDLE_TRAINERS: 'fd00::1,fd00::2',
    });
  });

  it.each(['PodIP', 'Service', 'Host'])('does not exist for an elastic job with intranet %s', (intranet) => {
    const job = jobWith({ intranet, elastic: 1 });
    expect(job.plan.hostList).toBeUndefined();
    expect(dataOf(objectsOf(job))).toBeUndefined();
    expect(hostListOf(job, ['10.0.0.1', '10.0.0.2'])).toEqual([]);
    expect(podsOf(job).map(({ spec }) => spec.containers[0]?.envFrom)).toEqual([undefined, undefined]);
  });

  const gloo: readonly [withGloo: number | undefined, wanted: Fields | undefined][] = [
    [undefined, undefined],
    [0, undefined],
    [1, { PADDLE_WITH_GLOO: '1', PADDLE_GLOO_RENDEZVOUS: '3', PADDLE_GLOO_HTTP_ENDPOINT: '10.0.0.1:2397' }],
    [2, { PADDLE_WITH_GLOO: '2', PADDLE_GLOO_RENDEZVOUS: '3', PADDLE_GLOO_HTTP_ENDPOINT: '10.0.0.1:2397' }],
  ];
  it.each(gloo)('with withGloo %j has the gloo setting %j', (withGloo, wanted) => {
    const data = dataOf(
      hostListOf(jobWith({ ps: aRole(1), withGloo }), ['10.0.0.1', '10.0.0.2', '10.0.0.3']),
    );
    const settings = Object.entries(data!).filter(([name]) => name.includes('GLOO'));
    expect(Object.fromEntries(settings)).toEqual(wanted ?? {});
  });
});

describe('a job on the nodes’ network', () => {
  const hostPort = (job: TrainingJob) =>
    Number(dataOf(hostListOf(job, ['10.0.0.1', '10.0.0.2']))!.PADDLE_PORT);

  it('has the ports of its annotation, in every list', () => {
    const job = jobWith({ intranet: 'Host', ps: aRole(1), withGloo: 1 }, {}, { 'host-port': '40000' });
    expect(dataOf(hostListOf(job, ['10.0.0.1', '10.0.0.2', '10.0.0.2']))).toMatchObject({
      PADDLE_PORT: '40000',
      PADDLE_PSERVERS_IP_PORT_LIST: '10.0.0.1:40000',
      PADDLE_TRAINER_ENDPOINTS: '10.0.0.2:40000,10.0.0.2:40000',
      PADDLE_GLOO_HTTP_ENDPOINT: '10.0.0.1:40018',
    });
  });

  it('has its own constant ports without that annotation', () => {
    const named = (name: string) => hostPort({ ...jobWith({ intranet: 'Host' }), name });
    const ports = Array.from({ length: 100 }, (_, index) => named(`job-${index}`));
    expect(ports.every((port) => port >= 35_000 && port < 65_000 && (port - 35_000) % 20 === 0)).toBe(true);
    // By chance some are equal: of 100 jobs in 1,500 places about three pairs.
    expect(new Set(ports).size).toBeGreaterThan(85);
    expect(named('job-7')).toBe(ports[7]);
  });

  it('runs without annotations, with which paddle-operator crashes', () => {
    const { job, rendered, observed } = readCase('paddlejob-host-noannotations-v0.3.0');
    expect(observed.operatorPanic).toBeDefined();
    expect(rendered.map(keyOf)).toEqual([
      'ConfigMap/hostnet',
      'Pod/hostnet-worker-0',
      'Pod/hostnet-worker-1',
    ]);
    expect(podsOf(job).map(({ spec }) => spec.hostNetwork)).toEqual([true, true]);
  });
});
