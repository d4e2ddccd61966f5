import { describe, expect, it } from '@jest/globals';
import { HEALTH_SOURCES, type HealthRow } from '../../contracts/health-sources.ts';
import { isNoticeText } from '../../contracts/node-notice.ts';

const ROWS = HEALTH_SOURCES.flatMap(({ name, rows }) => rows.map((row) => ({ source: name, ...row })));

describe('the table of sources of health', () => {
  it('says of each condition which status is bad', () => {
    const open = ROWS.filter(({ kind, is }) => kind === 'condition' && is?.length !== 1);
    expect(open).toEqual([]);
  });

  it('has each fact once', () => {
    const keys = ROWS.flatMap(({ kind, key, is = ['any'], reason }) =>
      is.map((value) => [kind, key, value, reason].join(' ')),
    );
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  it('takes a time from a label, and a lead only where there is none', () => {
    const both = ROWS.filter((row: HealthRow) => row.time !== undefined && row.leadMs !== undefined);
    expect(both).toEqual([]);
  });
});

describe('a warning of a status', () => {
  it.each([
    ['node gpu-7 is sick: GpuMemWatch says NVSentinel', true],
    ['node gpu-7 goes away at 2026-01-01T00:00:00Z: a says b', true],
    ['node gpu-7 is not ready since then', false],
    ['progress cannot be read: node gpu-7 is sick', false],
  ])('%s is what a source says of a node: %s', (text, is) => expect(isNoticeText(text)).toBe(is));
});
