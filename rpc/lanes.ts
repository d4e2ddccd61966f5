import { planLaneChange } from '../client/use-cases/lanes/close-lane.ts';
import { readLanesAnswer } from '../client/use-cases/lanes/read-lanes-answer.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { LaneAnswer, LaneJob, LanesAnswer } from '../contracts/types.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { Answers } from './rpc-call.ts';

/** Answers about lanes. */
export const laneAnswers = {
  async lanes({ ports, cursor }) {
    return pageOfLanes(await readLanesAnswer(ports), cursor);
  },
  async planLane({ ports }, change) {
    return wholeAnswer(await planLaneChange(ports, change), 'signalbox queue pause');
  },
} satisfies Partial<Answers>;

/** Some 300 KB. All jobs of a lane may be more than fits into an answer. */
const JOBS_IN_PART = 500;

/** Each item of a page has one lane, or a part of its jobs. */
export function pageOfLanes(answer: LanesAnswer, cursor: string | undefined): Promise<RpcAnswer> {
  const parts = answer.lanes.flatMap((lane) => partsOf(lane).map((part) => ({ ...answer, lanes: [part] })));
  const items = parts.length > 0 ? parts : [answer];
  const places = new Map(items.map((item, place) => [item, String(place)]));
  const keyOf = (item: LanesAnswer) => places.get(item)!;
  return pagedAnswer(items, { cursor, keyOf, command: 'signalbox queue -o json' });
}

function partsOf({ running, waiting, ...lane }: LaneAnswer): readonly LaneAnswer[] {
  const parts = Math.max(1, Math.ceil(Math.max(running.length, waiting.length) / JOBS_IN_PART));
  const part = (jobs: readonly LaneJob[], number: number) =>
    jobs.slice(number * JOBS_IN_PART, (number + 1) * JOBS_IN_PART);
  return Array.from({ length: parts }, (_, number) => ({
    ...{ ...lane, running: part(running, number), waiting: part(waiting, number) },
  }));
}
