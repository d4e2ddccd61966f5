import { expect, test } from '@jest/globals';
import { policyChange } from '../../../cli/input/policy-change.ts';

test.each([
  [
    'a number',
    ['failures.classes.userCode.budget=5'],
    { failures: { classes: { userCode: { budget: 5 } } } },
  ],
  ['a time', ['nodes.lostAfter=10m'], { nodes: { lostAfter: '10m' } }],
  ['a pattern with = in it', ['progress.log=step=(\\d+)'], { progress: { log: 'step=(\\d+)' } }],
  [
    'a list',
    ['restart.ladder=[{scope: pod, times: 3}]'],
    { restart: { ladder: [{ scope: 'pod', times: 3 }] } },
  ],
  ['nothing, which takes it away', ['holdOnFailure='], { holdOnFailure: null }],
  ['null, which takes it away', ['holdOnFailure=null'], { holdOnFailure: null }],
  [
    'two of one part',
    ['nodes.lostAfter=1m', 'nodes.avoidAtMost=2'],
    { nodes: { lostAfter: '1m', avoidAtMost: 2 } },
  ],
  ['the same twice: the later', ['holdOnFailure=1m', 'holdOnFailure=2m'], { holdOnFailure: '2m' }],
])('--set can be %s', async (_what, settings, change) => {
  expect(await policyChange(settings)).toEqual(change);
});

test('--set changes only the sent fields', async () => {
  await policyChange(['__proto__.polluted=true']);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
