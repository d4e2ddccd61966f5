import { describe, expect, it } from '@jest/globals';
import { withStopSignal } from '../../resources/checkpoint-signal.ts';

const TRAIN = { name: 'train', lifecycle: { postStart: { exec: { command: ['true'] } } } };

describe('the signal that requests a checkpoint', () => {
  it('is sent by a preStop hook to the first process, which may then run until it ends', () => {
    const script = 'kill -s USR1 1 && while kill -s 0 1; do sleep 1; done';
    expect(withStopSignal(TRAIN, 'SIGUSR1')).toEqual({
      name: 'train',
      lifecycle: {
        postStart: { exec: { command: ['true'] } },
        preStop: { exec: { command: ['sh', '-c', script] } },
      },
    });
  });

  it.each([undefined, 'SIGTERM'] as const)('needs no hook if it is %s', (signal) => {
    expect(withStopSignal(TRAIN, signal)).toBe(TRAIN);
  });
});
