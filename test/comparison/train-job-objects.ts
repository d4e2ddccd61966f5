import type { KubeObject } from '../../contracts/kubernetes.ts';
import type { Observed } from './observed.ts';

/** Whether a case is of Kubeflow Trainer. */
export const isOfTrainer = (name: string): boolean => name.startsWith('trainjob-');

/**
 * What Trainer, JobSet and the Job controller were seen to make, with the names that pods have here (pod-names), without the
 * snapshot of the runtime (snapshot), and with the pods that were made later.
 */
export function asTrainPods(observed: Observed): Observed {
  const { createdAtLast, createdAfterResume, created } = observed as Observed & Later;
  const made = createdAtLast ?? createdAfterResume ?? created;
  const entries = Object.entries(observed).map(([name, value]) =>
    name.startsWith('objects') ? [name, (value as string[]).flatMap(keysOf)] : [name, value],
  );
  return { ...(Object.fromEntries(entries) as Observed), created: made.filter(isKept).map(renamed) };
}

interface Later {
  readonly createdAtLast?: readonly KubeObject[];
  readonly createdAfterResume?: readonly KubeObject[];
}

const SNAPSHOT = /-runtime-snapshot$/;
/** `<job>-<replicated job>-0-<index>-<random>`. */
const OF_POD = /-\d+-(\d+)-<rand>$/;
/** What only the controllers in between are for. */
const BETWEEN = ['Job', 'JobSet'];

const isKept = ({ kind, metadata: { name } }: KubeObject): boolean =>
  !BETWEEN.includes(kind) && !SNAPSHOT.test(name);

const renamed = (object: KubeObject): KubeObject => {
  const { finalizers: _, ...metadata } = object.metadata;
  const named = { ...object, metadata: { ...metadata, name: metadata.name.replace(OF_POD, '-$1') } };
  return JSON.parse(JSON.stringify(named, (key, value) => (FILLED_IN.has(key) ? undefined : value)));
};

/** What the API server fills in of claims and probes. */
const FILLED_IN: ReadonlySet<string> = new Set([
  ...['volumeMode', 'failureThreshold', 'periodSeconds', 'successThreshold', 'timeoutSeconds'],
]);

function keysOf(key: string): string[] {
  const [kind = '', name = ''] = key.split('/');
  return BETWEEN.includes(kind) || SNAPSHOT.test(name) ? [] : [`${kind}/${name.replace(OF_POD, '-$1')}`];
}
