import { expect, it } from '@jest/globals';
import { someOf } from '../../../cli/input/parse.ts';
import { PHASES } from '../../../contracts/status.ts';

it('a list of words is taken in any case', () => {
  expect(someOf(PHASES)('running,FAILED')).toEqual(['Running', 'Failed']);
  expect(someOf(PHASES)('Pending')).toEqual(['Pending']);
  for (const wrong of ['', 'running,', 'running, failed', 'lost'])
    expect(() => someOf(PHASES)(wrong)).toThrow('Expected one of Pending');
});
