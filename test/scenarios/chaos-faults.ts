import { setTimeout as delay } from 'node:timers/promises';
import { SignalboxError } from '../../client/errors/signalbox-error.ts';
import type { Chance } from './chance.ts';
import { workersIn } from './chaos-births.ts';
import type { ChaosJob } from './chaos-jobs.ts';
import type { CrashableNodes } from './chaos-nodes.ts';
import { type PodControl, unlessMissed } from './chaos-pod-control.ts';

export interface ChaosRun {
  readonly jobs: readonly ChaosJob[];
  readonly control: PodControl;
  readonly nodes: CrashableNodes;
  readonly chance: Chance;
  /** What it does, for whoever has to find out what went wrong. */
  note(fault: string): void;
}

/** Does something, and tells what it did, for whoever counts; nothing where nothing came of it. */
export type Fault = (chance: Chance) => Promise<string | undefined>;

/** Does one thing after the other, with pauses between them that are part of the play, until it is to rest. */
export async function repeatedly(
  rests: AbortSignal,
  [least, most]: readonly [number, number],
  act: Fault,
  chance: Chance,
): Promise<void> {
  while (!rests.aborted) {
    await act(chance);
    await delay(chance.between(least, most), undefined, { signal: rests }).catch(() => undefined);
  }
}

const WEIGHTS = { exit: 5, delete: 3, force: 2, evict: 3, succeed: 1, fell: 1, speak: 4 } as const;

/** None of those that a job takes as final. */
const EXIT_CODES = [1, 2, 127, 137, 139, 143, 255] as const;

/** Something befalls a pod of some job, or a number of them at once. */
export async function troublePods(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const job = chance.pick(jobs);
  if (!job) return undefined;
  const fault = chance.weighed(WEIGHTS);
  const pods = control.ledger.live(job.name);
  const pod = chance.pick(pods);
  const code = chance.pick(EXIT_CODES);
  const count = chance.between(2, 8);
  if (!pod) return undefined;
  const { name } = pod.metadata;
  switch (fault) {
    case 'exit':
      note(`${name} exits with ${code}`);
      return faultIf(await control.end(pod, code), 'pod: exits with an error');
    case 'delete':
      note(`${name} is deleted`);
      return faultIf(await control.delete(pod), 'pod: deleted');
    case 'force':
      note(`${name} is deleted by force`);
      return faultIf(await control.delete(pod, 0), 'pod: deleted by force');
    case 'evict':
      note(`${name} is evicted`);
      return faultIf(await control.evict(pod), 'pod: evicted by its node');
    case 'succeed':
      // A leader that has succeeded ends the job, which others are to do.
      if (job.plannedEnd !== 'completes' || !job.workersMaySucceed || !name.includes('-worker-'))
        return undefined;
      note(`${name} succeeds early`);
      return faultIf(await control.end(pod, 0), 'pod: succeeds early');
    case 'fell':
      note(`${count} pods of ${job.name} exit with ${code}`);
      await Promise.all(pods.slice(0, count).map((one) => control.end(one, code)));
      return 'pod: many at once exit with an error';
    case 'speak':
      await Promise.all(jobs.map((one) => reportProgressOf(one, control, chance)));
      return undefined;
  }
}

/** Nothing came of what was to be done to something that is gone. */
const faultIf = (answer: unknown, fault: string) => (answer ? fault : undefined);

async function reportProgressOf({ name }: ChaosJob, control: PodControl, chance: Chance): Promise<void> {
  if (!name.startsWith('progress-')) return;
  const first = control.ledger.live(name).filter(({ metadata }) => metadata.name.endsWith('-0'));
  for (const pod of first) await control.reportProgress(pod, chance.between(1, 1_000_000));
}

const MOST_LOST = 2;

/** A node is lost, or one comes back. */
export async function troubleNodes(
  { nodes, note }: Pick<ChaosRun, 'nodes' | 'note'>,
  chance: Chance,
): Promise<string> {
  const back = chance.pick(nodes.lost);
  if (back && (nodes.lost.length >= MOST_LOST || chance.between(0, 1) === 0)) {
    note(`node ${back} comes back`);
    await nodes.bringBack(back);
    return 'node: comes back';
  }
  const node = chance.pick(nodes.healthy)!;
  const isRemoved = chance.between(0, 2) === 0;
  note(`node ${node} is ${isRemoved ? 'removed' : 'lost'}`);
  await (isRemoved ? nodes.remove(node) : nodes.lose(node));
  return isRemoved ? 'node: removed' : 'node: lost';
}

/** People suspend, resume and scale jobs, and have no patience; jobs refuse what makes no sense where they are. */
export async function intervene(
  { jobs, control, note }: ChaosRun,
  chance: Chance,
): Promise<string | undefined> {
  const open = jobs.filter((job) => job.isSuspended || job.isScaled || job.plannedEnd === 'completes');
  const chosen = chance.pick(open);
  if (!chosen) return undefined;
  const { name, isSuspended, isScaled } = chosen;
  const job = control.jobs.get(name)!;
  const by = { by: 'chaos' };
  const wishes: Readonly<Record<string, () => Promise<unknown>>> = {
    retryNow: () => job.retryNow(by),
    release: () => job.release(by),
    hold: () => job.hold({ ...by, seconds: 1 }),
    ...(isSuspended ? { suspend: () => job.suspend(by), resume: () => job.resume(by) } : {}),
    ...(isScaled
      ? { scale: () => job.scale({ ...by, role: 'Worker', replicas: chance.between(4, 9) }) }
      : {}),
    ...editsOf(chosen, control, chance),
  };
  const wish = chance.pick(Object.keys(wishes))!;
  const answer = await wishes[wish]!().then((done) => (done === 'gone' ? done : 'yes'), refusal);
  note(`${name}: ${wish}? ${answer}`);
  return answer === 'yes' ? `person: ${wish}` : undefined;
}

/** What people edit of a job's custom resource, who know nothing of signalbox. */
function editsOf(
  { name, manifest, resource, isSuspended, isScaled }: ChaosJob,
  { stage: { cluster, namespace } }: PodControl,
  chance: Chance,
): Readonly<Record<string, () => Promise<unknown>>> {
  if (!resource) return {};
  const edit = (spec: object) => async () => {
    const edited = await cluster.patch(resource, { namespace, name }, { spec }).catch(unlessMissed);
    return edited ? 'edited' : 'gone';
  };
  const workers = workersIn(manifest);
  return {
    ...(isSuspended && manifest.spec.runPolicy
      ? {
          'edit, to suspend': edit({ runPolicy: { suspend: true } }),
          'edit, to resume': edit({ runPolicy: { suspend: false } }),
        }
      : {}),
    ...(isScaled && workers
      ? { 'edit, to scale': edit({ [workers]: { Worker: { replicas: chance.between(4, 9) } } }) }
      : {}),
  };
}

export function refusal(error: unknown): string {
  if (error instanceof SignalboxError) return error.message;
  throw error;
}
