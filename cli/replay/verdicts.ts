import type { DataConverter } from '@temporalio/common';
import { errorMessage } from '../../language/error-message.ts';
import { compareLedgers, type LedgerComparison } from '../../record/compare/ledger-differences.ts';
import { recordedSource } from '../../record/compare/recorded-source.ts';
import { decodePayloads, loadedConverter } from '../../temporal/payloads.ts';
import { switchPolicy } from '../../worker/replay/policy-switch.ts';
import { replayJobs } from '../../worker/replay/replay-jobs.ts';
import type { ReplayedJob } from '../../worker/replay/replayer.ts';
import { type WhatIf, whatIf } from '../../worker/replay/what-if.ts';
import { withEncodingExplained } from '../shell/errors.ts';
import type { RecordedHistories, ReplaySource } from './recorded-histories.ts';

/** What the replay of one job showed. */
export interface ReplayVerdict {
  readonly source: string;
  readonly workflowId?: string;
  /**
   * `differs`: it replays, but its recorded ledger decides otherwise, or with another policy it would. `broken`: the
   * present workflow wants other commands. `unreadable`: it is no history.
   */
  readonly result: 'same' | 'differs' | 'broken' | 'unreadable' | 'unknown';
  readonly events?: number;
  /** Why it is broken, unreadable, or has no answer. */
  readonly error?: string;
  /** Against the archived ledger, if there is one. */
  readonly ledger?: LedgerComparison;
  /** With another policy. */
  readonly whatIf?: WhatIf;
}

export interface VerdictOptions {
  readonly dataConverter?: DataConverter;
  /** Text of a policy document: what would have happened with it. */
  readonly policy?: string;
}

/** Replays jobs one after the other. What is wrong with one does not stop the others. */
export async function* verdictsOf(
  sources: Iterable<ReplaySource> | AsyncIterable<ReplaySource>,
  options: VerdictOptions = {},
): AsyncGenerator<ReplayVerdict, void, undefined> {
  const waiting: ReplayVerdict[] = [];
  let current: { readonly source: string; readonly recorded: RecordedHistories } | undefined;
  async function* readable() {
    for await (const { title, read } of sources) {
      try {
        const recorded = await read();
        await checkPayloads(recorded, options);
        current = { source: title, recorded };
      } catch (thrown) {
        const error = errorMessage(await withEncodingExplained(thrown));
        waiting.push({ source: title, result: 'unreadable', error });
        continue;
      }
      yield current.recorded;
    }
  }
  for await (const replayed of replayJobs(readable(), options)) {
    yield* waiting.splice(0);
    yield verdictOf(current!, replayed, options);
  }
  yield* waiting;
}

/** A worker without the key would say of an encrypted history that it does not replay. */
async function checkPayloads({ runs }: RecordedHistories, { dataConverter }: VerdictOptions): Promise<void> {
  const converter = loadedConverter(dataConverter);
  for (const { events } of runs) {
    await decodePayloads(converter, events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads);
  }
}

async function verdictOf(
  { source, recorded }: { readonly source: string; readonly recorded: RecordedHistories },
  replayed: ReplayedJob,
  { policy, dataConverter }: VerdictOptions,
): Promise<ReplayVerdict> {
  const events = recorded.runs.reduce((sum, run) => sum + (run.events?.length ?? 0), 0);
  const about = { source, workflowId: recorded.workflowId, events };
  if (replayed.error) return { ...about, result: 'broken', error: errorMessage(replayed.error) };
  if (policy !== undefined)
    return { ...about, ...(await imagined(recorded, replayed, { policy, dataConverter })) };
  if (!recorded.ledger) return { ...about, result: 'same' };
  const ledger = compareLedgers(recorded.ledger, replayed.entries);
  return { ...about, result: ledger.first ? 'differs' : 'same', ledger };
}

async function imagined(
  recorded: RecordedHistories,
  { steps }: ReplayedJob,
  { policy, dataConverter }: { readonly policy: string; readonly dataConverter?: DataConverter },
): Promise<Pick<ReplayVerdict, 'result' | 'error' | 'whatIf'>> {
  try {
    const converter = loadedConverter(dataConverter);
    const source = await recordedSource(recorded.runs, (payloads) => decodePayloads(converter, payloads));
    const found = whatIf(steps, switchPolicy(source, policy));
    const result =
      found.first || found.otherReason || found.later.length > 0
        ? 'differs'
        : found.unknown
          ? 'unknown'
          : 'same';
    return { result, whatIf: found };
  } catch (error) {
    return { result: 'unknown', error: errorMessage(error) };
  }
}
