import type { JobChoice, Schedule } from './schedules.ts';

/** Schedules in which something went wrong once, as the simulation found and shrank them, or that chance finds too seldom. */

const PLAIN: JobChoice = {
  hasMaster: false,
  workers: 1,
  restartPolicy: 'Never',
  cleanPodPolicy: undefined,
  policy: 'none',
  poison: 'none',
};

const of = (
  seed: number,
  job: Partial<JobChoice>,
  ...moves: readonly Schedule['moves'][number][]
): Schedule => ({
  seed,
  job: { ...PLAIN, ...job },
  hasBystander: false,
  moves,
});

const A_MINUTE = { does: 'a while goes by, in which all goes on', which: 2, steps: 0 } as const;
const NODE_A_IS_LOST = { does: 'a node is lost', which: 0, steps: 0 } as const;

export const FINDINGS: Readonly<Record<string, Schedule>> = {
  'an orphan clean-up of a running job on whose anchor somebody wrote another workflow': of(
    294157916,
    {},
    { does: 'time goes by', which: 0, steps: 30 },
    { does: 'a user edits the anchor', which: 1, steps: 0 },
    { does: 'a pod cannot start', which: 0, steps: 0 },
  ),
  'a job that waits for ever for a pod whose role somebody changed': of(
    1147495367,
    { restartPolicy: 'ExitCode', cleanPodPolicy: 'None', policy: 'stallByLog' },
    { does: 'ana suspends it', which: 18, steps: 60 },
    { does: 'a user changes a label of a pod', which: 14, steps: 60 },
    { does: 'time goes by', which: 3, steps: 3 },
  ),
  'a job that is not told that its pods were gone before the watcher saw any': of(
    612320700,
    {},
    { does: 'a stream of the watcher goes blind', which: 51, steps: 30 },
    { does: 'a user deletes a pod', which: 18, steps: 60 },
  ),
  'a job that is not told of a pod that is none any more before the first word': of(
    1769671694,
    { restartPolicy: 'OnFailure', cleanPodPolicy: 'All', policy: 'stallByLog' },
    { does: 'Temporal is back', which: 52, steps: 10 },
    { does: 'a node is back', which: 35, steps: 60 },
    { does: 'a user changes a label of a pod', which: 15, steps: 60 },
  ),
  'a job whose anchor is read after its pods are gone': {
    ...of(
      901077696,
      { restartPolicy: 'OnFailure', cleanPodPolicy: 'All', policy: 'stall' },
      { does: 'a worker is killed', which: 61, steps: 10 },
      { does: 'all goes on', which: 51, steps: 10 },
      { does: 'a user deletes a pod', which: 16, steps: 30 },
    ),
    hasBystander: true,
  },
  'a job that had no pods at one list of the watcher, and lost some before the next': of(
    2069973950,
    {},
    { does: 'the watcher sees again', which: 0, steps: 10 },
    { does: 'watches have to list anew', which: 0, steps: 0 },
    { does: 'a user deletes a pod', which: 0, steps: 0 },
    { does: 'the watcher sees again', which: 0, steps: 0 },
  ),
  'a record in a lane of an ended job whose pods were kept until they ended, too': {
    ...of(965408348, { hasMaster: true, policy: 'spares' }, { does: 'all goes on', which: 0, steps: 0 }),
    queue: {
      ...{ waitsIn: 'both', lane: 'a', reclaim: 'borrowed' },
      rivals: [
        { lane: 'a', pods: 4, priority: 0, after: 0 },
        { lane: 'a', pods: 4, priority: 0, after: 0 },
      ],
    },
  },
  'a node that falls silent for good under two of three pods': {
    ...of(
      5,
      { hasMaster: true, workers: 2, restartPolicy: 'OnFailure', policy: 'nodeLost' },
      ...[A_MINUTE, NODE_A_IS_LOST, A_MINUTE, A_MINUTE, A_MINUTE],
    ),
    leavesPods: true,
  },
  'a node that falls silent, and of which Kubernetes deletes pods, without a policy': {
    ...of(
      5,
      { hasMaster: true, workers: 2, restartPolicy: 'OnFailure' },
      ...[A_MINUTE, NODE_A_IS_LOST, A_MINUTE, { does: 'a user deletes a pod', which: 2, steps: 60 } as const],
      ...[A_MINUTE, A_MINUTE],
    ),
    leavesPods: true,
  },
  'pods that are created and deleted as fast as possible, once their anchor is gone unnoticed': of(
    1387104772,
    { workers: 2, cleanPodPolicy: 'Running' },
    { does: 'the watcher sees again', which: 45, steps: 30 },
    { does: 'a user removes the anchor’s label', which: 36, steps: 3 },
    { does: 'a user deletes the anchor', which: 54, steps: 60 },
  ),
};
