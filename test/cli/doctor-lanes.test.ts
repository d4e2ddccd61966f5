import { expect, it } from '@jest/globals';
import { laneFindings } from '../../cli/doctor/lane-checks.ts';
import { ApiError } from '../../cluster/errors.ts';

const LANES = { namespace: 'sys', name: 'lanes' };

interface Has {
  /** What the ConfigMap says; null: there is none. */
  readonly lanes: object | string | null;
  /** Of the cluster; null: they may not be listed. */
  readonly namespaces?: readonly string[] | null;
  readonly served?: readonly string[];
}

const forbidden = new ApiError('GET', { status: 403, reason: 'Forbidden', message: 'may not' });

/** What `signalbox doctor` says of lanes. */
async function saidOf({ lanes, namespaces = ['ml-a'], served }: Has) {
  const text = typeof lanes === 'string' ? lanes : JSON.stringify(lanes);
  const client = {
    find: async () => (lanes === null ? undefined : { data: { 'lanes.yaml': text } }),
    list: async () => {
      if (!namespaces) throw forbidden;
      return { metadata: {}, items: namespaces.map((name) => ({ metadata: { name } })) };
    },
  };
  const settings = { lanes: LANES, cluster: { namespaces: served } };
  const findings = await laneFindings(client as never, settings as never);
  return findings.map(({ state, message, remedy }) => `${state}: ${message}${remedy ? ` > ${remedy}` : ''}`);
}

const POOL = { capacity: { pods: 4 } };

it('signalbox doctor says nothing of lanes where there are none, and which there are', async () => {
  expect(await laneFindings({} as never, { cluster: {} } as never)).toEqual([]);
  const lanes = { pools: { p: POOL }, lanes: { a: { pool: 'p' }, b: { pool: 'p', namespaces: ['ml-*'] } } };
  expect(await saidOf({ lanes })).toEqual(['ok: ConfigMap sys/lanes has lanes that jobs can use: a, b']);
});

it('signalbox doctor names what is wrong with lanes by its path, for each, and who mends it', async () => {
  const lanes = {
    pools: { p: POOL },
    lanes: { a: { pool: 'p' }, b: { pool: 'p', weight: 0 }, c: { pool: 'q' } },
  };
  expect(await saidOf({ lanes })).toEqual([
    'ok: ConfigMap sys/lanes has lanes that jobs can use: a',
    expect.stringMatching(
      /^fault: lane b has a fault, and its jobs wait: lanes\.b\.weight: expected a number > 0.*> A user who may edit ConfigMap sys\/lanes has to mend that/,
    ),
    expect.stringMatching(/^fault: lane c has a fault, and its jobs wait: lanes\.c\.pool: expected one of p/),
  ]);
});

it.each<[string, Has['lanes'], RegExp]>([
  [
    'is missing',
    null,
    /^fault: no job of a lane starts.*: ConfigMap sys\/lanes, which SIGNALBOX_LANES names, does not exist >/,
  ],
  ['is no YAML', 'lanes: [', /^fault: no job of a lane starts.*: ConfigMap sys\/lanes, lanes.yaml: Flow/],
  ['has a fault of no lane', { lanes: {}, backfill: 'x' }, /^fault: .*lanes.yaml: backfill: expected/],
])('signalbox doctor says that no job starts if the ConfigMap %s', async (_, lanes, said) => {
  expect(await saidOf({ lanes })).toEqual([expect.stringMatching(said)]);
});

it('signalbox doctor names lanes that nobody may use, as far as it knows the namespaces', async () => {
  const lanes = { lanes: { a: { ...POOL, namespaces: ['ml-*'] } } };
  const nobody = expect.stringMatching(
    /^warning: nobody may use lane a: no namespace .* is one of ml-\* > Correct lanes\.a\.namespaces/,
  );
  const [usable] = await saidOf({ lanes });
  expect(await saidOf({ lanes, namespaces: ['web'] })).toEqual([usable, nobody]);
  expect(await saidOf({ lanes, served: ['web'] })).toEqual([usable, nobody]);
  expect(await saidOf({ lanes, namespaces: null })).toEqual([usable]);
});
