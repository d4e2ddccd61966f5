import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { JOB_FAILED } from '../../../contracts/messages.ts';
import { faultsBySchema } from './validators.ts';

/** What real jobs recorded: test/replay/record.ts exported their histories. */
const FOLDER = join(import.meta.dirname, '..', '..', 'replay', 'histories');

interface Payload {
  readonly data?: string;
}
interface Failure {
  readonly applicationFailureInfo?: { readonly type?: string; readonly details?: { payloads: Payload[] } };
}
type HistoryEvent = Readonly<Record<string, unknown>> & { readonly eventType: string };

const events = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .flatMap(
    (name) => (JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as { events: HistoryEvent[] }).events,
  );

const attributesOf = (name: string) =>
  events.flatMap((event) => {
    const found = event[`${name}EventAttributes`];
    return found ? [found as Readonly<Record<string, unknown>>] : [];
  });

const decoded = (payloads: unknown): unknown[] =>
  ((payloads as { payloads?: Payload[] } | undefined)?.payloads ?? []).map(({ data = 'bnVsbA==' }) =>
    JSON.parse(Buffer.from(data, 'base64').toString('utf8')),
  );

const faultsOfAll = (name: string, values: readonly unknown[]) =>
  values.flatMap((value) => faultsBySchema(name, value));

describe('recorded data of real jobs is valid by its schema:', () => {
  test('statuses, and the transitions in them', () => {
    const statuses = attributesOf('activityTaskScheduled')
      .flatMap(({ input }) => decoded(input))
      .flatMap((argument) => (argument as { status?: { timeline: unknown[] } } | null)?.status ?? []);
    expect(statuses.length).toBeGreaterThan(20);
    expect(faultsOfAll('status', statuses)).toEqual([]);
    expect(
      faultsOfAll(
        'timeline-entry',
        statuses.flatMap(({ timeline }) => timeline),
      ),
    ).toEqual([]);
  });

  test('outcomes', () => {
    const results = attributesOf('workflowExecutionCompleted').flatMap(({ result }) => decoded(result));
    const failures = attributesOf('workflowExecutionFailed').flatMap(({ failure }) => {
      const { type, details } = (failure as Failure).applicationFailureInfo ?? {};
      return type === JOB_FAILED ? decoded(details).slice(0, 1) : [];
    });
    const outcomes = [...results, ...failures].filter(
      (value) => (value as { phase?: unknown } | null)?.phase,
    );
    expect(outcomes.length).toBeGreaterThan(10);
    expect(faultsOfAll('outcome', outcomes)).toEqual([]);
  });

  test('digests', () => {
    const digests = attributesOf('workflowExecutionSignaled')
      .filter(({ signalName }) => signalName === 'digest')
      .flatMap(({ input }) => decoded(input));
    expect(digests.length).toBeGreaterThan(50);
    expect(faultsOfAll('digest', digests)).toEqual([]);
  });

  test('requests', () => {
    const requests = attributesOf('workflowExecutionUpdateAccepted').map(({ acceptedRequest }) => {
      const { input } = acceptedRequest as { input: { name: string; args?: unknown } };
      const name = input.name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      return { name: `${name}-request`, asked: decoded(input.args)[0] };
    });
    expect(requests.length).toBeGreaterThan(5);
    for (const { name, asked } of requests) expect(faultsBySchema(name, asked ?? {})).toEqual([]);
  });
});

describe('a schema of received data refuses other types, and accepts new fields:', () => {
  test.each([
    ['status', { phase: 'Done' }, '/phase must be equal to one of the allowed values'],
    ['scale-request', { role: 'Worker', replicas: -1 }, '/replicas must be >= 0'],
    ['hold-request', { seconds: '60' }, '/seconds must be integer'],
    ['extend-deadline-request', { seconds: 0 }, '/seconds must be >= 1'],
    ['amend-policy-request', { policy: 'x' }, '/policy must be object'],
  ])('%s', (name, value, fault) => {
    expect(faultsBySchema(name, value)).toContain(fault);
    expect(faultsBySchema('stop-request', { why: 'tests', since: 'tomorrow' })).toEqual([]);
  });
});
