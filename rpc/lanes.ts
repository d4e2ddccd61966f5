import { planLaneChange } from '../client/use-cases/lanes/close-lane.ts';
import type { LanesAnswer } from '../client/use-cases/lanes/lanes-answer.ts';
import { readLanesAnswer } from '../client/use-cases/lanes/read-lanes-answer.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { RpcCall } from './rpc-call.ts';

/** Answers about lanes. */

/** All jobs of many lanes may be more than fits into a page. */
export async function answerLanes({ ports, cursor }: RpcCall): Promise<RpcAnswer> {
  const answer = await readLanesAnswer(ports);
  const items: LanesAnswer[] = answer.lanes.map((lane) => ({ ...answer, lanes: [lane] }));
  const keyOf = ({ lanes: [first] }: LanesAnswer) => first?.lane ?? '';
  return pagedAnswer(items.length > 0 ? items : [answer], {
    cursor,
    keyOf,
    command: 'signalbox queue -o json',
  });
}

export async function answerLanePlan(
  { ports }: RpcCall,
  change: RpcArguments<'planLane'>,
): Promise<RpcAnswer> {
  return wholeAnswer(await planLaneChange(ports, change), 'signalbox queue pause');
}
