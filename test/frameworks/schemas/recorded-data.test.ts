import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { historiesIn } from '../../../scripts/release/replay-set.ts';
import { payloadsIn } from '../../replay/recorded-payloads.ts';
import { faultsBySchema } from './validators.ts';

/** What real jobs recorded: test/replay/record.ts exported their histories. */
const payloads = Object.values(historiesIn(join(import.meta.dirname, '../../replay/histories'))).flatMap(
  payloadsIn,
);

describe('recorded data of real jobs is valid by its schema:', () => {
  test.each([
    ['statuses', 'status', 20],
    ['transitions in them', 'timeline-entry', 20],
    ['outcomes', 'outcome', 10],
    ['digests', 'digest', 50],
    ['requests', /-request$/, 5],
  ])('%s', (_, wanted, least) => {
    const found = payloads.filter(({ schema }) =>
      wanted instanceof RegExp ? wanted.test(schema) : schema === wanted,
    );
    expect(found.length).toBeGreaterThan(least);
    expect(found.flatMap(({ schema, value }) => faultsBySchema(schema, value))).toEqual([]);
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
