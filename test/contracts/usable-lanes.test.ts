import { describe, expect, it } from '@jest/globals';
import { formatAmounts } from '../../contracts/pod-requests.ts';
import { parseUsableLanes } from '../../contracts/schemas/usable-lanes.ts';

/** A fault of a lane stops that lane alone. */

const POOLS = { gpus: { capacity: { cpu: 8 } } };
const read = (document: object) => {
  const found = parseUsableLanes({ pools: POOLS, ...document });
  if ('faults' in found) throw new Error(JSON.stringify(found.faults));
  return found.lanes;
};

describe('lanes of which one has a fault', () => {
  it.each<[string, object, string, object]>([
    [
      'a value',
      { pool: 'gpus', weight: 3, paused: true },
      'lanes.bad.paused: expected a text that says why, of at most 500 characters, got true',
      { pool: 'gpus', weight: 3 },
    ],
    ['an unknown field', { pool: 'gpus', wieght: 3 }, 'lanes.bad.wieght: expected a known field, got 3', {}],
    [
      'a pool that is not there',
      { pool: 'gpu', weight: 3 },
      'lanes.bad.pool: expected one of gpus, got "gpu"',
      { pool: 'bad', weight: 3 },
    ],
    [
      'two sources',
      { pool: 'gpus', nodes: { a: 'b' } },
      'lanes.bad: expected one of pool, nodes, capacity, got pool and nodes',
      { pool: 'gpus' },
    ],
    ['nothing', {}, 'lanes.bad: expected one of pool, nodes, capacity, got none of them', { pool: 'bad' }],
  ])('%s: the others are as they are written', (_, bad, fault, kept) => {
    const { lanes } = read({ lanes: { bad, good: { pool: 'gpus', weight: 2 } }, defaultLane: 'good' });
    expect(lanes.bad).toMatchObject({ fault, ...kept });
    expect(lanes.good).toMatchObject({ pool: 'gpus', weight: 2 });
    expect(lanes.good).not.toHaveProperty('fault');
  });

  it('no object: it has no pool', () => {
    expect(read({ lanes: { bad: 7 } }).lanes.bad).toMatchObject({
      ...{ pool: 'bad', fault: 'lanes.bad: expected an object, got 7' },
    });
  });

  it('a pool: its lanes stop', () => {
    const pools = { ...POOLS, bad: { capacity: { cpu: 'many' } } };
    const { lanes, pools: usable } = read({ pools, lanes: { a: { pool: 'bad' }, b: { pool: 'gpus' } } });
    expect(lanes.a!.fault).toMatch(/^pools\.bad\.capacity\.cpu: expected a quantity/);
    expect(lanes.b).not.toHaveProperty('fault');
    expect(usable.gpus).toEqual({ capacity: expect.anything() });
    expect(formatAmounts((usable.gpus as { capacity: never }).capacity)).toEqual({ cpu: '8' });
  });

  it('what is of all lanes stops all, and every fault is named', () => {
    const document = { starveAfter: 'soon', lanes: { a: { nodes: {}, weight: 0 }, b: { nodes: {} } } };
    const found = parseUsableLanes(document);
    expect('faults' in found && found.faults.map(({ path }) => path).toSorted()).toEqual([
      'lanes.a.weight',
      'starveAfter',
    ]);
  });
});
