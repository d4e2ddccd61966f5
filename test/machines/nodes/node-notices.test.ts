import { describe, expect, it } from '@jest/globals';
import type { Noticed } from '../../../contracts/digest.ts';
import { START } from '../machine-run.ts';
import { allReady, running } from '../three-pods.ts';

const SENTENCE = 'node gpu-7 is sick: GpuMemWatch (two errors) says NVSentinel, since 2026-01-01T00:00:00Z';
const sick = (resourceVersion: number, fields: Partial<Noticed> = {}) =>
  allReady(resourceVersion).noticed({ since: START, reason: 'two errors', ...fields });

const causesOf = (run: ReturnType<typeof running>) => run.status.timeline.map(({ cause }) => cause);

describe('a job on a node of which a source says that it is not well', () => {
  it('goes on without a policy, and says it', () => {
    const run = running().receives(sick(11));
    expect([run.state, run.deadlines]).toEqual(['Running', {}]);
    expect(run.status.warnings[0]).toMatch(SENTENCE);
    expect(run.status.cause).toBeUndefined();
  });

  it('has it in its history once, and when it is over', () => {
    const run = running().receives(sick(11)).receives(sick(12)).receives(allReady(13));
    expect(causesOf(run).slice(-2)).toEqual([
      SENTENCE,
      'NVSentinel no longer says GpuMemWatch of node gpu-7',
    ]);
    expect(run.status.warnings).toEqual([]);
  });

  it('says when the node goes, if its source has said it', () => {
    const leaving = {
      verdict: 'Leaving',
      key: 'maintenance',
      reason: undefined,
      deadline: START + 3_600_000,
    } as const;
    const run = running().receives(sick(11, leaving));
    expect(run.status.warnings[0]).toMatch(
      /^node gpu-7 goes away at 2026-01-01T01:00:00Z: maintenance says NVSentinel, since/,
    );
    run.receives(sick(12, { ...leaving, isAssumed: true }));
    expect(run.status.warnings[0]).toMatch(/^node gpu-7 goes away: /);
  });

  it('hears that it is over although nothing else was read since', () => {
    const run = running().receives(sick(11)).receives(allReady(11));
    expect(run.status.warnings).toEqual([]);
  });

  it('says nothing more when it ends', () => {
    expect(running().receives(sick(11)).stop().status.warnings).toEqual([]);
  });
});
