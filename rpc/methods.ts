import type { RpcAnswer } from '../contracts/rpc.ts';
import { RPC_METHODS } from '../contracts/schemas/rpc.ts';
import { keysOf } from '../language/fields.ts';
import { archiveAnswers } from './archived-jobs.ts';
import { checkedArguments } from './checked-arguments.ts';
import { costAnswers } from './costs.ts';
import { laneAnswers } from './lanes.ts';
import { jobAnswers } from './live-jobs.ts';
import { planAnswers } from './plans.ts';
import type { Answers, RpcCall } from './rpc-call.ts';
import { scheduleAnswers } from './schedules.ts';
import { sweepAnswers } from './sweeps.ts';
import { waitAnswers } from './waits.ts';

type Method = (call: RpcCall, given: unknown) => Promise<RpcAnswer>;

const ANSWERS: Answers = {
  ...jobAnswers,
  ...waitAnswers,
  ...laneAnswers,
  ...planAnswers,
  ...sweepAnswers,
  ...scheduleAnswers,
  ...archiveAnswers,
  ...costAnswers,
  /** What time it is for the worker that answers. */
  clock: async () => ({ result: { at: new Date().toISOString() } }),
};

/** By the name that a client asks for. */
export const METHODS: ReadonlyMap<unknown, Method> = new Map(
  keysOf(RPC_METHODS).map((name) => [name, checked(name)]),
);

function checked<Name extends keyof Answers>(name: Name): Method {
  const schema: (typeof RPC_METHODS)[Name]['arguments'] = RPC_METHODS[name].arguments;
  return async (call, given) => ANSWERS[name](call, checkedArguments(schema, given));
}
