import { expect, it } from '@jest/globals';
import type { LaneAnswer, LaneJob, LanesAnswer } from '../../contracts/types.ts';
import { pageOfLanes } from '../../rpc/lanes.ts';
import { allOf } from '../record/archive/all-of.ts';

const jobs = (count: number, prefix: string): LaneJob[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ namespace: 'a-namespace-of-a-team', name: `${prefix}-${index}`, priority: 0 },
    ...{
      since: '2026-11-28T09:00:00Z',
      needs: { 'nvidia.com/gpu': '8', cpu: '96', memory: '512Gi', pods: '4' },
    },
    ...{ reason: 'WaitingInLane', message: 'position 1 of 1 in lane research; ahead: job/a/b, job/c/d' },
  }));

const lane = (name: string, running: number, waiting: number): LaneAnswer => ({
  ...{ lane: name, pool: 'gpus', state: 'open', weight: 1, priority: 0, used: {}, share: {}, borrowed: {} },
  ...{ running: jobs(running, 'runs'), waiting: jobs(waiting, 'waits') },
});

const answerOf = (...lanes: LaneAnswer[]): LanesAnswer => ({
  ...{ asOf: '2026-11-28T09:00:00Z', lanes, unknown: ['nodes'] },
});

async function* lanesOf(answer: LanesAnswer) {
  for (let cursor: string | undefined; ; ) {
    const page = await pageOfLanes(answer, cursor);
    for (const item of page.result as LanesAnswer[]) {
      expect(item).toMatchObject({ asOf: answer.asOf, unknown: answer.unknown });
      yield* item.lanes;
    }
    ({ cursor } = page);
    if (cursor === undefined) return;
  }
}

it('all jobs of a lane come in their order, however many there are', async () => {
  const all = [lane('idle', 0, 0), lane('long', 3, 10_000), lane('wide', 1_200, 7)];
  const found = new Map<string, Pick<LaneAnswer, 'running' | 'waiting'>>();
  for (const { lane: name, running, waiting } of await allOf(lanesOf(answerOf(...all)))) {
    const before = found.get(name) ?? { running: [], waiting: [] };
    found.set(name, {
      running: [...before.running, ...running],
      waiting: [...before.waiting, ...waiting],
    });
  }
  expect([...found]).toEqual(all.map(({ lane: name, running, waiting }) => [name, { running, waiting }]));
});

it('an installation without lanes has an item that says what could not be read', async () => {
  expect(await pageOfLanes(answerOf(), undefined)).toEqual({ result: [answerOf()] });
});
