import { listTrials } from '../client/use-cases/parameter-sweep/list-trials.ts';
import { sweepSummary } from '../client/use-cases/parameter-sweep/observe-sweep.ts';
import { plannedSweep, startOf } from '../client/use-cases/parameter-sweep/start-sweep.ts';
import { parameterSweepIdOf } from '../contracts/parameter-sweep.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { RpcArguments } from '../contracts/schemas/rpc.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { RpcCall } from './rpc-call.ts';

/** Answers about parameter sweeps. */

export async function answerSweepPlan(
  _call: RpcCall,
  { manifest, submittedBy, ...options }: RpcArguments<'planSweep'>,
): Promise<RpcAnswer> {
  const planned = await plannedSweep(manifest, options);
  return wholeAnswer(startOf(planned, submittedBy), 'signalbox sweep --dry-run');
}

export async function answerSweepSummary(
  { ports, signal }: RpcCall,
  named: RpcArguments<'sweepSummary'>,
): Promise<RpcAnswer> {
  const workflowId = parameterSweepIdOf(named);
  return wholeAnswer(await sweepSummary(ports, { workflowId }, { signal }), 'signalbox sweep status');
}

export async function answerSweepTrials(
  { ports, signal, cursor }: RpcCall,
  named: RpcArguments<'sweepTrials'>,
): Promise<RpcAnswer> {
  const trials = await listTrials(ports, { workflowId: parameterSweepIdOf(named) }, { signal });
  const command = 'signalbox sweep status --trials';
  return pagedAnswer(trials, { cursor, keyOf: ({ name }) => name, command });
}
