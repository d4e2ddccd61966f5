import { describe, expect, it } from '@jest/globals';
import { faultsIn, LLAMA_3, llama3Mix, secondsBetweenFaults } from '../../../scripts/worth/failure-mixes.ts';

describe('the mix of Llama 3', () => {
  it('has the 419 unexpected interruptions of the paper', () => {
    expect(LLAMA_3.causes.reduce((sum, { count }) => sum + count, 0)).toBe(419);
  });

  it('leaves out what no engine notices, and moves GPU faults between crashes and hangs', () => {
    expect(llama3Mix(0).counts).toEqual({ crash: 318, hang: 49, 'node-silent': 14, drain: 32 });
    expect(llama3Mix(0.5).counts).toEqual({ crash: 187, hang: 180, 'node-silent': 14, drain: 32 });
    expect(faultsIn(llama3Mix(0.2))).toBe(413);
  });

  it('is a fault per 3.1 hours at its own scale, and at half of it one per 6.3', () => {
    const hours = (gpus: number) => secondsBetweenFaults(llama3Mix(0.2), gpus) / 3_600;
    expect(hours(16_384)).toBeCloseTo(3.14, 2);
    expect(hours(8_192)).toBeCloseTo(6.28, 2);
  });
});
