import { describe, expect, it } from '@jest/globals';
import { withStopSignal } from '../../resources/checkpoint-signal.ts';

const TRAIN = { name: 'train', lifecycle: { postStart: { exec: { command: ['true'] } } } };

describe('the signal by which a checkpoint is asked for', () => {
  it('is sent by a hook to the first process, which is left alone until it ends', () => {
    const script = 'kill -s USR1 1 && while kill -s 0 1; do sleep 1; done';
    expect(withStopSignal(TRAIN, 'SIGUSR1')).toEqual({
      name: 'train',
      lifecycle: {
        postStart: { exec: { command: ['true'] } },
        preStop: { exec: { command: ['sh', '-c', script] } },
      },
    });
  });

  it.each([undefined, 'SIGTERM'] as const)('%s needs no hook', (signal) => {
    expect(withStopSignal(TRAIN, signal)).toBe(TRAIN);
  });
});
