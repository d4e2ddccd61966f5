import { listTrials } from '../client/use-cases/parameter-sweep/list-trials.ts';
import { sweepSummary } from '../client/use-cases/parameter-sweep/observe-sweep.ts';
import { plannedSweep, startOf } from '../client/use-cases/parameter-sweep/start-sweep.ts';
import { parameterSweepIdOf } from '../contracts/parameter-sweep.ts';
import { pagedAnswer, wholeAnswer } from './paging.ts';
import type { Answers } from './rpc-call.ts';

/** Answers about parameter sweeps. */
export const sweepAnswers = {
  async planSweep(_call, { manifest, submittedBy, ...options }) {
    const planned = await plannedSweep(manifest, options);
    return wholeAnswer(startOf(planned, submittedBy), 'signalbox sweep --dry-run');
  },
  async sweepSummary({ ports, signal }, named) {
    const workflowId = parameterSweepIdOf(named);
    return wholeAnswer(await sweepSummary(ports, { workflowId }, { signal }), 'signalbox sweep status');
  },
  async sweepTrials({ ports, signal, cursor }, named) {
    const trials = await listTrials(ports, { workflowId: parameterSweepIdOf(named) }, { signal });
    const command = 'signalbox sweep status --trials';
    return pagedAnswer(trials, { cursor, keyOf: ({ name }) => name, command });
  },
} satisfies Partial<Answers>;
