import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { RPC, type RpcAnswer, type RpcRequest } from '../../contracts/rpc.ts';
import { asFields } from '../../language/fields.ts';
import { msOf } from '../../temporal/event-time.ts';
import { clockFinding } from './clock-finding.ts';
import { type Finding, findingsOf } from './finding.ts';
import { reasonIn } from './temporal-checks.ts';

/** What one worker says of the time, and when Temporal knows that it said so. All in epoch milliseconds. */
interface Asked {
  readonly worker: string;
  /** By the clock of this machine. */
  readonly sent: Between;
  /** By that of Temporal. */
  readonly startedAt: number;
  readonly answered: Between;
  /** By that of the worker. */
  readonly saidAt: number;
}

interface Between {
  readonly from: number;
  readonly to: number;
}

/** Nobody can say which worker answers: so often for each of them. */
const QUESTIONS = { ofEach: 2, most: 12 } as const;
const ANSWER_MS = 15_000;

/**
 * Compares the clocks of Temporal and of the workers: each question is a short workflow, whose events have Temporal's times, and
 * whose answer has the worker's. What lies between question and answer is no difference.
 */
export async function clocksOfWorkers(
  client: Client,
  taskQueue: string,
  pollers: readonly string[],
): Promise<Finding[]> {
  const questions = Math.min(QUESTIONS.ofEach * pollers.length, QUESTIONS.most);
  try {
    const asked = await Promise.all(Array.from({ length: questions }, () => askClock(client, taskQueue)));
    return [ofTemporal(asked), ...ofWorkers(asked, pollers.length)];
  } catch (error) {
    const why = `the clocks of Temporal and of the workers are not known: ${reasonIn(error)}`;
    const remedy =
      'Workers of this version say what time it is for them: upgrade others, or see why none answers.';
    return [findingsOf('workers').warning('clock', why, remedy)];
  }
}

async function askClock(client: Client, taskQueue: string): Promise<Asked> {
  const from = Date.now();
  const request: RpcRequest = { method: 'clock' };
  const handle = await client.workflow.start(RPC, {
    ...{ workflowId: `${RPC}/clock/${randomUUID()}`, taskQueue, workflowExecutionTimeout: ANSWER_MS },
    args: [request],
  });
  const to = Date.now();
  const { result } = (await handle.result()) as RpcAnswer;
  const events = (await handle.fetchHistory()).events ?? [];
  const begun = events.find(({ activityTaskStartedEventAttributes: started }) => started);
  const ended = events.find(({ activityTaskCompletedEventAttributes: completed }) => completed);
  return {
    worker: begun?.activityTaskStartedEventAttributes?.identity ?? '',
    sent: { from, to },
    startedAt: timeIn(events[0]),
    answered: { from: timeIn(begun), to: timeIn(ended) },
    saidAt: Date.parse(String(asFields(result).at)),
  };
}

const timeIn = (event: { readonly eventTime?: Parameters<typeof msOf>[0] | null } | undefined): number =>
  msOf(event?.eventTime ?? {});

function ofTemporal(asked: readonly Asked[]): Finding {
  const ahead = asked.map(({ startedAt, sent }) => aheadOf(startedAt, sent));
  return clockFinding(mostOf(ahead), {
    ...{ part: 'Temporal', whose: 'the clock of Temporal', than: 'that of this machine' },
  });
}

function ofWorkers(asked: readonly Asked[], known: number): Finding[] {
  const than = 'that of Temporal';
  const byWorker = [...Map.groupBy(asked, ({ worker }) => worker)].map(([worker, answers]) => {
    const ahead = mostOf(answers.map(({ saidAt, answered }) => aheadOf(saidAt, answered)));
    return clockFinding(ahead, { part: 'workers', whose: `the clock of worker ${worker}`, than });
  });
  const differing = byWorker.filter(({ state }) => state !== 'ok');
  if (differing.length > 0) return differing;
  const heard = byWorker.length < known ? `${byWorker.length} of ${known} workers` : 'workers';
  return [findingsOf('workers').ok('clock', `the clocks of ${heard} agree with ${than}`)];
}

/** By how much a time is later than what lies between question and answer, at least; negative: earlier. */
const aheadOf = (time: number, { from, to }: Between): number =>
  time > to ? time - to : Math.min(0, time - from);

/** Each answer bounds the difference from below: the quickest says most. */
const mostOf = (ahead: readonly number[]): number =>
  ahead.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most));
