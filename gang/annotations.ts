import type { TrainingJob } from '../contracts/training-job.ts';

/** The job's annotations, for its group: schedulers have settings of their own there. Those for signalbox are left out. */
export function annotationsOf({ annotations }: TrainingJob): Readonly<Record<string, string>> | undefined {
  const others = Object.entries(annotations).filter(([name]) => !name.startsWith('signalbox.dev/'));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
