import type { SurvivorGrace } from '../../contracts/survivors.ts';
import type { JobContext } from '../model/job-context.ts';
import { jobPolicy } from '../model/policy.ts';
import type { Restart } from '../model/restart.ts';

/**
 * Returns how long the pods that have not failed may take to end; undefined if as long as they want. Those of a collective
 * wait for the failed pod, so nothing that they could save is newer than the last checkpoint. A pod that was interrupted
 * still answers: its peers may agree with it on a checkpoint. Where pods only leave a node, all of them do.
 */
export function survivorGrace(context: JobContext, restart: Restart): SurvivorGrace | undefined {
  const { restart: rules, checkpoint } = jobPolicy(context);
  if (restart.leaves) return undefined;
  if (rules.survivorGraceMs !== undefined) return { seconds: Math.ceil(rules.survivorGraceMs / 1000) };
  return restart.strands && !checkpoint ? { seconds: BRIEFLY_S, unlessAsked: true } : undefined;
}

/** Enough for a program that handles SIGTERM, and little for one that is process 1 of its container and does not. */
const BRIEFLY_S = 2;
