import { describe, expect, it } from '@jest/globals';
import { lanesText } from '../../../cli/print/lanes-text.ts';
import type { LaneAnswer } from '../../../contracts/types.ts';

const lane = (share: LaneAnswer['share']): LaneAnswer => ({
  ...{ lane: 'a', pool: 'p', state: 'open', weight: 1, priority: 0, used: {}, share, borrowed: {} },
  ...{ running: [], waiting: [] },
});

describe('the amounts of a lane', () => {
  it.each([
    [{ cpu: '64', memory: '682.67Gi', 'nvidia.com/gpu': '10.67', pods: '110' }, '10.67 nvidia.com/gpu'],
    [{ cpu: '64', memory: '1Ti', 'ephemeral-storage': '2Ti', pods: '110' }, '64 cpu, 1Ti memory'],
    [{ pods: '110' }, '110 pods'],
    [{}, '0'],
  ])('%j are those that jobs wait for: %s', async (share, text) => {
    const shown = await lanesText({ asOf: '', lanes: [lane(share)], unknown: [] }, false);
    expect(shown.split(/ {2,}/)).toContain(text);
  });
});
