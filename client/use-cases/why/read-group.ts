import type { Reading } from '../../../cluster/reading.ts';
import { type KubeObject, VOLCANO_QUEUES } from '../../../contracts/kubernetes.ts';
import { parseAmounts, readAmounts } from '../../../contracts/pod-requests.ts';
import { amountText } from '../../../contracts/quantity.ts';
import { type GangProvider, givesQuota, type TrainingJob } from '../../../contracts/training-job.ts';
import type { ClusterView, GroupView, QueueView } from '../../../explain/situation.ts';
import { groupNameOf } from '../../../gang/gang.ts';
import { minResourcesOf } from '../../../gang/min-resources.ts';
import { otherSchedulers } from '../../../gang/other-scheduler.ts';
import { GANG_ADAPTERS } from '../../../gang/registry.ts';
import { asFields } from '../../../language/fields.ts';

interface Ganged {
  readonly job: TrainingJob;
  readonly gang: GangProvider;
  /** Absent before the job is submitted: it has no group yet. */
  readonly attempt?: number;
}

/** Reads what a gang scheduler says of the group of a job, in its own words, and of its queue. */
export async function readGroup(
  reading: Reading,
  { job, gang, attempt }: Ganged,
): Promise<Pick<ClusterView, 'group' | 'queue'>> {
  const adapter = GANG_ADAPTERS[gang];
  // What Kueue says is read as that of a queue.
  if (!adapter.resource || givesQuota(gang)) return {};
  const name = groupNameOf(job.name, attempt ?? 1, gang);
  const of = { scheduler: gang, name, others: otherSchedulers(job, gang) };
  const queue = gang === 'volcano' ? await volcanoQueue(reading, job) : undefined;
  if (attempt === undefined) return { group: { ...of, exists: true }, queue };
  const group = await reading.orElse<KubeObject | undefined | 'unread'>(
    reading.cluster.find(adapter.resource, job.namespace, name),
    'unread',
    `what ${gang} says of the group is not known: its groups may not be read`,
  );
  if (group === 'unread') return { queue };
  const view: GroupView = group
    ? { ...of, exists: true, ...adapter.readGroup(group) }
    : { ...of, exists: false };
  return { group: view, queue };
}

/** Returns why a queue of Volcano takes no such job; undefined if it does. */
async function volcanoQueue(reading: Reading, job: TrainingJob): Promise<QueueView | undefined> {
  const name = job.gang.queue || 'default';
  const queue = await reading.orElse<KubeObject | undefined | 'unread'>(
    reading.cluster.find(VOLCANO_QUEUES, undefined, name),
    'unread',
    `whether the queue ${name} takes jobs is not known: queues of Volcano may not be read`,
  );
  if (queue === 'unread') return undefined;
  const of = 'Volcano';
  if (!queue) return { of, code: 'QueueClosed', message: `there is no queue ${name}` };
  const { state } = asFields(queue.status);
  if (typeof state === 'string' && state !== '' && state !== 'Open')
    return { of, code: 'QueueClosed', message: `the queue ${name} is ${state}` };
  const capability = readAmounts(asFields(queue.spec).capability);
  const over = [...parseAmounts(minResourcesOf(job))].find(([resource, { nanos }]) => {
    const most = capability.get(resource);
    return most !== undefined && nanos > most.nanos;
  });
  if (!over) return undefined;
  const [resource, needs] = over;
  const most = amountText(capability.get(resource)!);
  const message = `the queue ${name} has a capability of ${most} ${resource}; the gang needs ${amountText(needs)}`;
  return { of, code: 'NeverFits', message };
}
