import type { InjectedSinks } from '@temporalio/worker';
import type { Sinks, WorkflowInfo } from '@temporalio/workflow';
import type { LedgerEntry } from '../../contracts/types.ts';
import type { MachineStep } from '../../machines/model/machine-step.ts';
import { IGNORED_SINKS } from './ignored-sinks.ts';

/** A step of the machine, and the run of the workflow that made it. */
export type ReplayedStep = MachineStep & { readonly runId: string };

/** Receives what workflows hand over in a replay. */
interface StepCollector {
  readonly sinks: InjectedSinks<Sinks>;
  /** Returns what came since it was asked last. */
  take(): { readonly entries: readonly LedgerEntry[]; readonly steps: readonly ReplayedStep[] };
}

export function collectSteps({ entriesOnly }: { readonly entriesOnly: boolean }): StepCollector {
  // A repeated workflow task hands over the same again.
  const entries = new Map<number, LedgerEntry>();
  const steps = new Map<string, ReplayedStep>();
  return {
    // The SDK logs an error for each sink of a workflow that is not there.
    sinks: {
      ...IGNORED_SINKS,
      ledger: {
        entry: received((_, entry: LedgerEntry) => entries.set(entry.seq, entry)),
        step: entriesOnly
          ? IGNORED_SINKS.ledger!.step!
          : received(({ runId }, step: MachineStep) =>
              steps.set(`${runId}/${step.number}`, { ...step, runId }),
            ),
      },
    },
    take: () => {
      const taken = { entries: [...entries.values()], steps: [...steps.values()] };
      entries.clear();
      steps.clear();
      return taken;
    },
  };
}

/** Takes a copy: the objects belong to the workflow, which may change them, and to its sandbox. */
const received = <T>(take: (info: WorkflowInfo, given: T) => void) => ({
  fn: (info: WorkflowInfo, given: T) => take(info, JSON.parse(JSON.stringify(given)) as T),
  callDuringReplay: true,
});
