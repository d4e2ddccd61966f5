import { describe, expect, it } from '@jest/globals';
import { exceedsBackoffLimit } from '../../../machines/restart/backoff-limit.ts';
import { aDigest, aPlan } from '../builders.ts';

describe('backoffLimit', () => {
  const table: readonly [limit: number, had: number, wanted: number, allowed: string][] = [
    [0, 0, 0, 'goes on'],
    [0, 0, 1, 'fails'],
    [0, 1, 0, 'fails'],
    [1, 0, 1, 'goes on'],
    [1, 1, 1, 'fails'],
    [3, 3, 0, 'goes on'],
    [3, 2, 1, 'goes on'],
    [3, 2, 2, 'fails'],
    [3, 4, 0, 'fails'],
  ];
  it.each(table)('of %i, with %i restarts and %i more wanted, the job %s', (limit, had, wanted, verdict) => {
    const context = contextWith(limit, { replaced: had });
    expect(exceedsBackoffLimit(context, wanted) ? 'fails' : 'goes on').toBe(verdict);
  });

  it('counts restarts of signalbox and of the kubelet alike', () => {
    expect(exceedsBackoffLimit(contextWith(3, { replaced: 1, earlier: 1, present: 1 }), 0)).toBeUndefined();
    expect(exceedsBackoffLimit(contextWith(2, { replaced: 1, earlier: 1, present: 1 }), 0)).toBeDefined();
  });

  it('is no limit when it is not set', () => {
    const context = aPlan().workers(1).context();
    expect(exceedsBackoffLimit({ ...context, restarts: { replaced: 1e6, earlier: 0, present: 0 } }, 1)).toBe(
      undefined,
    );
  });

  it('names the pod that needed the restart', () => {
    const digest = aDigest().failure({ index: 1, exitCode: 137, node: 'node-2' });
    const cause = exceedsBackoffLimit({ ...contextWith(0), digest: digest.build() }, 1);
    expect(cause).toMatchObject({
      reason: 'BackoffLimitExceeded',
      pod: 'resnet-worker-1',
      node: 'node-2',
      exitCode: 137,
      rule: 'spec.runPolicy.backoffLimit: 0',
      message:
        '1 restart needed, 0 allowed; resnet-worker-1 on node node-2: exited with code 137 (Error); spec.runPolicy.backoffLimit: 0',
    });
  });

  it('distinguishes missing pods from containers that were restarted in place', () => {
    expect(exceedsBackoffLimit(contextWith(0), 1)?.message).toContain(
      'pods disappeared before they finished',
    );
    expect(exceedsBackoffLimit(contextWith(1, { present: 2 }), 0)?.message).toBe(
      'more than 1 restart: the kubelet had made 2 before the job could be stopped; containers were restarted in place; spec.runPolicy.backoffLimit: 1',
    );
  });
});

const contextWith = (
  limit: number,
  restarts: { replaced?: number; earlier?: number; present?: number } = {},
) => ({
  ...aPlan().workers(2).backoffLimit(limit).context(),
  restarts: { replaced: 0, earlier: 0, present: 0, ...restarts },
});
