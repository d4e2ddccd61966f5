import { describe, expect, it } from '@jest/globals';
import { formatFault } from '../../contracts/faults.ts';
import { type LaneSettings, mayUseLane } from '../../contracts/lanes.ts';
import { formatAmounts } from '../../contracts/pod-requests.ts';
import { parseLanes } from '../../contracts/schemas/lanes.ts';

const faultsOf = (document: unknown) => {
  const read = parseLanes(document);
  return 'faults' in read ? read.faults.map(formatFault) : [];
};

const lanesOf = (document: unknown) => {
  const read = parseLanes(document);
  if ('faults' in read) throw new Error(read.faults.map(formatFault).join('\n'));
  return read.lanes;
};

describe('the document of lanes', () => {
  it('is read with its defaults', () => {
    const { pools, lanes, ...settings } = lanesOf({
      pools: { gpus: { nodes: { pool: 'a100' } } },
      lanes: {
        research: {
          pool: 'gpus',
          weight: 2,
          limit: { 'nvidia.com/gpu': 48 },
          caps: { perUser: { cpu: '4' } },
        },
        own: { capacity: { cpu: 512 } },
      },
      defaultLane: 'research',
    });
    expect(settings).toEqual({ starveAfterMs: 21_600_000, backfill: 'safe', defaultLane: 'research' });
    expect(pools.gpus).toEqual({ nodes: { pool: 'a100' } });
    expect(lanes.research).toMatchObject({
      ...{ pool: 'gpus', weight: 2, priority: 0, reclaim: 'never', preempt: 'never' },
    });
    expect(formatAmounts(lanes.research!.limit!)).toEqual({ 'nvidia.com/gpu': '48' });
    expect(formatAmounts(lanes.research!.caps.perUser!)).toEqual({ cpu: '4' });
    expect(lanes.own).toEqual({
      ...{ pool: 'own', weight: 1, priority: 0, reclaim: 'never', preempt: 'never', caps: { perLabel: {} } },
    });
    expect(Object.keys(pools)).toEqual(['gpus', 'own']);
  });

  it.each<[string, unknown, readonly string[]]>([
    ['no document', undefined, ['lanes.yaml: expected an object, got nothing']],
    ['no lanes', {}, ['lanes: expected an object, got nothing']],
    [
      'unknown fields',
      { lane: {}, lanes: { a: { capacity: {}, wieght: 2 } } },
      ['lanes.a.wieght: expected a known field, got 2', 'lane: expected a known field, got an object'],
    ],
    [
      'no source, and two',
      { pools: { p: {} }, lanes: { a: {}, b: { pool: 'p', nodes: { x: 'y' } } } },
      [
        'pools.p: expected one of nodes, capacity, got none of them',
        'lanes.a: expected one of pool, nodes, capacity, got none of them',
        'lanes.b: expected one of pool, nodes, capacity, got pool and nodes',
      ],
    ],
    [
      'names that are not there',
      { pools: { p: { nodes: {} } }, lanes: { a: { pool: 'q' } }, defaultLane: 'b' },
      ['lanes.a.pool: expected one of p, got "q"', 'defaultLane: expected one of a, got "b"'],
    ],
    [
      'a lane that hides a pool',
      { pools: { p: { nodes: {} } }, lanes: { p: { capacity: { cpu: 1 } } } },
      ['lanes.p: expected pool: p, or another name than that of a pool, got "p"'],
    ],
    [
      'values',
      {
        lanes: {
          a: {
            ...{
              capacity: { cpu: -1 },
              weight: 0,
              priority: 1.5,
              reclaim: 'all',
              paused: '',
              namespaces: [],
            },
            caps: { perLabel: { team: { cpu: 'many' } } },
          },
          Big: { nodes: {} },
        },
        starveAfter: 'soon',
      },
      [
        'lanes.Big: expected a name: lower-case letters, digits and -, at most 63, got an object',
        'lanes.a.capacity.cpu: expected a quantity >= 0, e.g. 4, 500m or 8Gi, got -1',
        'lanes.a.weight: expected a number > 0 and <= 1000000, with at most three decimals, got 0',
        'lanes.a.priority: expected an integer, got 1.5',
        'lanes.a.reclaim: expected one of never, borrowed, got "all"',
        'lanes.a.caps.perLabel.team.cpu: expected a quantity >= 0, e.g. 4, 500m or 8Gi, got "many"',
        'lanes.a.namespaces: expected a list of at least 1, got an empty list',
        'lanes.a.paused: expected a text that says why, of at most 500 characters, got ""',
        'starveAfter: expected a duration > 0, e.g. 10s, 5m, 1h or a number of seconds, got "soon"',
      ],
    ],
  ])('is refused by path: %s', (_, document, faults) => {
    expect(faultsOf(document).toSorted()).toEqual(faults.toSorted());
  });
});

describe('the namespaces of a lane', () => {
  it.each([
    [undefined, 'any', true],
    [['ml'], 'ml', true],
    [['ml'], 'ml-a', false],
    [['ml-*', 'x'], 'ml-a', true],
    [['ml-*'], 'ml', false],
    [['*-prod-*'], 'a-prod-b', true],
    [['*-prod-*'], 'a-prod', false],
    [['a*a'], 'a', false],
    [['*'], '', true],
  ])('%j have %s: %s', (namespaces, namespace, expected) => {
    expect(mayUseLane({ namespaces } as LaneSettings, namespace)).toBe(expected);
  });
});
