import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { closeLane, type LaneChange, planLaneChange } from '../../../../client/use-cases/lanes/close-lane.ts';
import { readLanesAnswer } from '../../../../client/use-cases/lanes/read-lanes-answer.ts';
import { type Answers, list, readingOf } from '../why/answering-cluster.ts';

/** Lanes are closed in their ConfigMap, and what is wrong is said before it is written. */

const PATH = '/api/v1/namespaces/sys/configmaps/lanes';
const TEXT = `# Two lanes.
pools: { gpus: { capacity: { nvidia.com/gpu: 8 } } }
lanes:
  research: { pool: gpus, drain: maintenance } # theirs
  production: { pool: gpus }
`;
const CONFIG_MAP = { metadata: { resourceVersion: '7' }, data: { 'lanes.yaml': TEXT } };

function installation(
  answers: Answers = { [PATH]: CONFIG_MAP },
  refuses?: { status: number; reason: string },
) {
  const { reading, sent, written } = readingOf(answers, refuses);
  const lanes = { namespace: 'sys', name: 'lanes' };
  return { ports: { cluster: async () => reading.cluster, lanes }, sent, written };
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    (value) => Promise.reject(new Error(`expected an error, got ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );

describe('a lane', () => {
  it('is closed and opened with all else as it was written', async () => {
    const { ports, written } = installation();
    await closeLane(ports, { lane: 'research', closing: { as: 'paused', why: 'new drivers' } });
    await closeLane(ports, { lane: 'research' });
    const texts = (written as { data: Record<string, string> }[]).map(({ data }) => data['lanes.yaml']!);
    expect(texts.map((text) => parse(text).lanes.research)).toEqual([
      { pool: 'gpus', paused: 'new drivers' },
      { pool: 'gpus' },
    ]);
    expect(texts[1]).toBe(TEXT.replace(', drain: maintenance', ''));
  });

  it('is closed by a patch of what was read, which others may send', async () => {
    const { ports, written } = installation();
    const change: LaneChange = { lane: 'production', closing: { as: 'drain', why: 'new nodes' } };
    const { namespace, name, patch } = await planLaneChange(ports, change);
    expect([namespace, name, patch.metadata.resourceVersion, written]).toEqual(['sys', 'lanes', '7', []]);
    await closeLane(ports, change);
    expect(written).toEqual([patch]);
  });

  it.each<[string, LaneChange, string]>([
    [
      'is known',
      { lane: 'vision', closing: { as: 'paused', why: 'x' } },
      'expected a lane (research, production), got vision.',
    ],
    [
      'is closed with a reason',
      { lane: 'research', closing: { as: 'paused', why: '' } },
      'ConfigMap sys/lanes would have faults: lanes.research.paused: expected a text that says why, of at most 500 characters, got "".',
    ],
  ])('%s', async (_, change, message) => {
    const { ports, written } = installation();
    expect(await errorOf(closeLane(ports, change))).toMatchObject({ code: 'Lanes', message });
    expect(written).toEqual([]);
  });

  it('is written again when somebody else has written meanwhile, and not for ever', async () => {
    const { ports, written } = installation(undefined, { status: 409, reason: 'Conflict' });
    expect(await errorOf(closeLane(ports, { lane: 'research' }))).toMatchObject({ code: 'Refused' });
    expect(written).toHaveLength(5);
  });

  it('stays as it is for whoever may not write it', async () => {
    const { ports } = installation(undefined, { status: 403, reason: 'Forbidden' });
    expect(await errorOf(closeLane(ports, { lane: 'research' }))).toMatchObject({
      ...{ code: 'Refused', message: 'The cluster refused the request: not now.' },
      remedy: expect.stringMatching(/to patch ConfigMap sys\/lanes/),
    });
  });
});

describe('lanes', () => {
  it('are refused where nobody says where they are', async () => {
    const { ports } = installation();
    expect(await errorOf(readLanesAnswer({ ...ports, lanes: undefined }))).toMatchObject({
      ...{ code: 'Lanes', name: 'LanesError', message: 'No lanes are known.' },
      remedy: expect.stringMatching(/^Expected SIGNALBOX_LANES/),
    });
  });

  it.each([
    [{}, 'ConfigMap sys/lanes, which SIGNALBOX_LANES names, does not exist.'],
    [{ [PATH]: { data: { lanes: '' } } }, 'ConfigMap sys/lanes has no key lanes.yaml.'],
    [
      { [PATH]: { data: { 'lanes.yaml': 'lanes: { a: { pool: b } }\nbackfill: 7' } } },
      'ConfigMap sys/lanes, lanes.yaml: backfill: expected one of none, safe, any, got 7.',
    ],
  ])('that are not there, or have faults, are named: %j', async (answers, message) => {
    expect(await errorOf(readLanesAnswer(installation(answers).ports))).toMatchObject({
      code: 'Lanes',
      message,
    });
  });

  it('go on beside one with a fault, which can be opened', async () => {
    const text = TEXT.replace('drain: maintenance', 'paused: true');
    const { ports, written } = installation({
      '/api/v1/namespaces/sys/configmaps': list(),
      [PATH]: { ...CONFIG_MAP, data: { 'lanes.yaml': text } },
    });
    const { lanes } = await readLanesAnswer(ports);
    expect(lanes).toMatchObject([
      {
        lane: 'research',
        state: 'faulty',
        why: expect.stringMatching(/^lanes\.research\.paused: .* got true/),
      },
      { lane: 'production', state: 'open', share: { 'nvidia.com/gpu': '4' } },
    ]);
    await closeLane(ports, { lane: 'production', closing: { as: 'drain', why: 'new nodes' } });
    await closeLane(ports, { lane: 'research' });
    expect(written).toHaveLength(2);
  });

  it('have amounts that people can read', async () => {
    const text = TEXT.replace('pool: gpus }\n', 'pool: gpus, weight: 2 }\n');
    const configMap = { ...CONFIG_MAP, data: { 'lanes.yaml': text } };
    const { ports } = installation({ '/api/v1/namespaces/sys/configmaps': list(), [PATH]: configMap });
    const { lanes } = await readLanesAnswer(ports);
    expect(lanes.map(({ share }) => share['nvidia.com/gpu'])).toEqual(['2.67', '5.33']);
  });

  it('are read as far as whoever asks may', async () => {
    const { ports } = installation({ [PATH]: CONFIG_MAP, '/api/v1/namespaces/sys/configmaps': 403 });
    const { lanes, unknown } = await readLanesAnswer(ports);
    expect(lanes).toMatchObject([
      { lane: 'research', state: 'drained', why: 'maintenance', running: [], waiting: [] },
      { lane: 'production', state: 'open', share: { 'nvidia.com/gpu': '4' } },
    ]);
    expect(unknown).toEqual([
      'the jobs of the lanes are not known: ConfigMaps of namespace sys may not be listed (403 no right)',
    ]);
  });
});
