import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FailureError } from '../../../contracts/types.ts';
import { adviceOf } from '../../../machines/failures/failure-advice.ts';
import type { PastFailure } from '../../../machines/failures/past-failures.ts';
import { TIMES } from '../../times.ts';

interface Made extends Partial<FailureError> {
  readonly key?: string;
  readonly reached?: number;
}

/** Failures of attempts in a row; each at step 500 of rank 3 unless it says otherwise. */
const failures = (...made: readonly Made[]): PastFailure[] =>
  made.map(({ key = 'k', reached = 500, ...error }, index) => ({
    ...{ attempt: index + 1, restarts: index, key, reached },
    error: { line: 'RuntimeError: x', pod: 'fit-worker-3', node: `gpu-${index}`, pods: 1, ...error },
  }));

const OOM = { class: 'memory', signature: 'GpuOutOfMemory', line: 'CUDA out of memory' } as const;

describe('advice', () => {
  it.each<[string, readonly Made[], string | undefined]>([
    [
      'on several nodes: the program',
      [OOM, OOM, OOM],
      'The last 3 attempts ended alike, with `CUDA out of memory` in fit-worker-3, without progress between them, on 3 nodes: it is the program or its settings, not a node.',
    ],
    [
      'on one node: that node',
      [
        { class: 'GPU', node: 'gpu-7' },
        { class: 'GPU', node: 'gpu-7' },
      ],
      'The last 2 attempts ended alike, with `RuntimeError: x` in fit-worker-3, without progress between them, on node gpu-7: look at node gpu-7, and keep pods away from it: `kubectl cordon gpu-7`.',
    ],
    [
      'an error of the code: the program, whatever the node',
      [
        { class: 'code', node: 'gpu-7' },
        { class: 'code', node: 'gpu-7' },
      ],
      'The last 2 attempts ended alike, with `RuntimeError: x` in fit-worker-3, without progress between them, on node gpu-7: it is the program or its settings, not a node; another restart will end alike.',
    ],
    ['once', [OOM], undefined],
    ['with progress between', [OOM, { ...OOM, reached: 501 }], undefined],
    ['at another rank', [OOM, { ...OOM, pod: 'fit-worker-1' }], undefined],
    ['otherwise', [OOM, { ...OOM, key: 'other' }], undefined],
    ['only because of another', [{ class: 'cascade' }, { class: 'cascade' }], undefined],
  ])('%s', (_, made, sentence) => {
    expect(adviceOf(failures(...made))?.sentence).toBe(sentence);
  });

  it('takes one failure more if progress is not known', () => {
    const unknown = failures(OOM, OOM, OOM).map(({ reached: _, ...one }) => one);
    expect(adviceOf(unknown.slice(1))).toBeUndefined();
    expect(adviceOf(unknown)?.sentence).toContain('and no progress between them is known');
  });

  it('is the same of all ranks at once, whichever is named', () => {
    expect(adviceOf(failures({ ...OOM, pods: 8 }, { ...OOM, pods: 8, pod: 'fit-worker-1' }))?.failures).toBe(
      2,
    );
  });

  const aFailure = fc.record({
    key: fc.constantFrom('k', 'k', 'k', 'other'),
    reached: fc.constantFrom(500, 500, 500, 501),
    pod: fc.constantFrom('fit-worker-3', 'fit-worker-3', 'fit-worker-1'),
    node: fc.constantFrom('gpu-1', 'gpu-1', 'gpu-2'),
    pods: fc.constantFrom(1, 1, 8),
    class: fc.constantFrom(
      ...(['code', 'data', 'memory', 'network', 'GPU', 'host', 'storage', 'unknown', 'cascade'] as const),
    ),
  });
  const some = fc.array(aFailure, { maxLength: 5 }).map((made) => failures(...made));

  it('rests on what it says, and names a node only if all failures were on it', () => {
    fc.assert(
      fc.property(some, (past) => {
        const advice = adviceOf(past);
        if (!advice) return;
        const last = past.slice(-advice.failures);
        const nodes = new Set(last.map(({ error }) => error.node));
        expect(advice.failures).toBeGreaterThanOrEqual(2);
        expect(new Set(last.map(({ key }) => key)).size).toBe(1);
        expect(last.map(({ reached }) => reached)).toEqual(
          last.map(({ reached }) => reached!).toSorted((a, b) => b - a),
        );
        expect([...nodes].sort()).toEqual([...advice.nodes].sort());
        if (advice.blames === 'node') expect(nodes.size).toBe(1);
        if (nodes.size > 1) expect(advice.sentence).not.toContain('kubectl');
      }),
      { numRuns: 1000 * TIMES },
    );
  });

  it('ends with progress, and does not depend on what was otherwise before', () => {
    fc.assert(
      fc.property(some, some, (before, past) => {
        const last = past.at(-1);
        if (last) expect(adviceOf([...past, { ...last, reached: 1000 }])).toBeUndefined();
        const others = before.map((one) => ({ ...one, key: 'before' }));
        if (past.length > 0) expect(adviceOf([...others, ...past])).toEqual(adviceOf(past));
      }),
      { numRuns: 500 * TIMES },
    );
  });
});
