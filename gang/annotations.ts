import type { TrainingJob } from '../contracts/training-job.ts';

/** Returns the job's annotations for its group, because schedulers read settings there. Leaves out signalbox's own. */
export function annotationsOf({ annotations }: TrainingJob): Readonly<Record<string, string>> | undefined {
  const others = Object.entries(annotations).filter(([name]) => !name.startsWith('signalbox.dev/'));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}
