import type { Reading } from '../../../cluster/reading.ts';
import { EVENTS, type KubeObject, LEASES } from '../../../contracts/kubernetes.ts';
import type { AutoscalerEvent, SchedulerView, WaitingPod } from '../../../explain/situation.ts';
import { asFields, ownValue } from '../../../language/fields.ts';

/** Looks for the leases of schedulers that have not looked at a pod, and of those that are `planned` for pods that do not exist. */
export async function readSchedulers(
  reading: Reading,
  waiting: readonly WaitingPod[],
  planned: readonly string[] = [],
): Promise<Readonly<Record<string, SchedulerView>>> {
  const silent = waiting.flatMap((pod) => (pod.scheduler ? [] : [pod.schedulerName]));
  const views: Record<string, SchedulerView> = {};
  for (const name of new Set([...silent, ...planned])) {
    const leaseName = ownValue(LEASE_NAMES, name) ?? name;
    const lease = await reading.orElse<KubeObject | undefined | 'unread'>(
      reading.cluster.find(LEASES, 'kube-system', leaseName),
      'unread',
      'whether schedulers are alive is not known: leases in kube-system may not be read',
    );
    if (lease === 'unread') continue;
    const { renewTime } = asFields(lease?.spec);
    const renewedAt = typeof renewTime === 'string' ? { renewedAt: renewTime } : {};
    views[name] = { name: `kube-system/${leaseName}`, ...renewedAt };
  }
  return views;
}

/** Where it is not the name of the scheduler. */
const LEASE_NAMES: Readonly<Record<string, string>> = { 'default-scheduler': 'kube-scheduler' };

const SAYINGS = ['TriggeredScaleUp', 'NotTriggerScaleUp', 'FailedScaleUp'];

/** Returns what autoscalers said of pods, the newest first. */
export async function readAutoscaler(
  reading: Reading,
  namespace: string,
  waiting: readonly WaitingPod[],
): Promise<readonly AutoscalerEvent[]> {
  if (waiting.length === 0) return [];
  const names = new Set(waiting.map(({ pod }) => pod));
  const lists = await Promise.all(
    SAYINGS.map((reason) =>
      reading.list(
        { resource: EVENTS, selection: { namespace, fieldSelector: `reason=${reason}` } },
        'what an autoscaler says is not known: events may not be listed',
      ),
    ),
  );
  return lists
    .flat()
    .filter(({ involvedObject }) => names.has(String(asFields(involvedObject).name)))
    .map(({ reason, message, lastTimestamp, eventTime }) => ({
      reason: String(reason),
      message: String(message),
      at: String(lastTimestamp ?? eventTime ?? ''),
    }))
    .sort((a, b) => b.at.localeCompare(a.at, 'en'));
}
