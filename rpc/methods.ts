import type { z } from 'zod';
import type { RpcAnswer } from '../contracts/rpc.ts';
import { RPC_METHODS } from '../contracts/schemas/rpc.ts';
import {
  answerArchivedEvidence,
  answerArchivedHistory,
  answerArchivedJob,
  answerArchivedJobs,
  answerArchivedPods,
  answerArchivedWhy,
} from './archived-jobs.ts';
import { checkedArguments } from './checked-arguments.ts';
import { answerLanePlan, answerLanes } from './lanes.ts';
import { answerEvidence, answerFind, answerHistory, answerOutcome } from './live-jobs.ts';
import { answerApplyPlan, answerRerunPlan, answerValidation } from './plans.ts';
import type { RpcCall } from './rpc-call.ts';
import { answerSweepPlan, answerSweepSummary, answerSweepTrials } from './sweeps.ts';
import { answerWhy, answerWhyManifest } from './waits.ts';

type Method = (call: RpcCall, given: unknown) => Promise<RpcAnswer>;

const method =
  <Schema extends z.ZodObject>(
    { arguments: schema }: { readonly arguments: Schema },
    run: (call: RpcCall, given: z.infer<Schema>) => Promise<RpcAnswer>,
  ): Method =>
  async (call, given) =>
    run(call, checkedArguments(schema, given));

/** What answers each method. */
const TABLE: Readonly<Record<keyof typeof RPC_METHODS, Method>> = {
  history: method(RPC_METHODS.history, answerHistory),
  outcome: method(RPC_METHODS.outcome, answerOutcome),
  evidence: method(RPC_METHODS.evidence, answerEvidence),
  find: method(RPC_METHODS.find, answerFind),
  why: method(RPC_METHODS.why, answerWhy),
  whyManifest: method(RPC_METHODS.whyManifest, answerWhyManifest),
  lanes: method(RPC_METHODS.lanes, answerLanes),
  planLane: method(RPC_METHODS.planLane, answerLanePlan),
  planRerun: method(RPC_METHODS.planRerun, answerRerunPlan),
  planApply: method(RPC_METHODS.planApply, answerApplyPlan),
  planSweep: method(RPC_METHODS.planSweep, answerSweepPlan),
  sweepSummary: method(RPC_METHODS.sweepSummary, answerSweepSummary),
  sweepTrials: method(RPC_METHODS.sweepTrials, answerSweepTrials),
  validate: method(RPC_METHODS.validate, answerValidation),
  /** What time it is for the worker that answers. */
  clock: method(RPC_METHODS.clock, async () => ({ result: { at: new Date().toISOString() } })),
  'archive.list': method(RPC_METHODS['archive.list'], answerArchivedJobs),
  'archive.find': method(RPC_METHODS['archive.find'], answerArchivedJob),
  'archive.history': method(RPC_METHODS['archive.history'], answerArchivedHistory),
  'archive.evidence': method(RPC_METHODS['archive.evidence'], answerArchivedEvidence),
  'archive.why': method(RPC_METHODS['archive.why'], answerArchivedWhy),
  'archive.pods': method(RPC_METHODS['archive.pods'], answerArchivedPods),
};

/** By the name that a client asks for. */
export const METHODS: ReadonlyMap<unknown, Method> = new Map(Object.entries(TABLE));
