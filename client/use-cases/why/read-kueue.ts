import type { Condition } from '../../../contracts/kubernetes.ts';
import { KUEUE_WORKLOADS, type KubeObject, type Pod } from '../../../contracts/kubernetes.ts';
import { conditionOf } from '../../../contracts/objects.ts';
import type { QueueView } from '../../../explain/situation.ts';
import type { Reading } from './reading.ts';

/** The gate by which Kueue holds back pods that it manages. */
export const KUEUE_GATE = 'kueue.x-k8s.io/admission';

/** Returns what Kueue says of pods that it holds back; undefined if it says nothing. */
export async function readKueue(reading: Reading, pods: readonly Pod[]): Promise<QueueView | undefined> {
  const namespace = pods[0]?.metadata.namespace;
  if (namespace === undefined) return undefined;
  const uids = new Set(pods.map(({ metadata }) => metadata.uid));
  const workload = (await workloadsIn(reading, namespace)).find(({ metadata }) =>
    metadata.ownerReferences?.some(({ uid }) => uids.has(uid)),
  );
  return workload && viewOf(workload);
}

async function workloadsIn(reading: Reading, namespace: string): Promise<readonly KubeObject[]> {
  for (const resource of KUEUE_WORKLOADS) {
    if (!(await reading.cluster.serves(resource))) continue;
    return reading.list(
      { resource, selection: { namespace } },
      'what Kueue says is not known: its Workloads may not be listed',
    );
  }
  return [];
}

type Judged = Parameters<typeof conditionOf<Condition>>[0];

/** Kueue's reasons since 0.19, and before that its words, mean one of three things. */
function viewOf(workload: KubeObject): QueueView | undefined {
  const evicted = conditionOf(workload as Judged, 'Evicted');
  const reserved = conditionOf(workload as Judged, 'QuotaReserved');
  const said = evicted?.status === 'True' && reserved?.status !== 'True' ? (reserved ?? evicted) : reserved;
  if (!said || said.status === 'True') return undefined;
  const { reason = '', message = '', lastTransitionTime: since } = said;
  const words = [reason, message].filter(Boolean).join(': ');
  const code = CODES.find(({ pattern }) => pattern.test(words))?.code ?? 'WaitingForQueue';
  return { of: 'Kueue', code, message: words, since, gate: KUEUE_GATE };
}

const CODES: readonly { readonly pattern: RegExp; readonly code: QueueView['code'] }[] = [
  { pattern: /ExceedsMaxQuota|> maximum capacity/, code: 'NeverFits' },
  {
    pattern: /Deactivated|OnHold|Misconfigured|NoMatchingFlavor|doesn't exist|is inactive|is stopped/,
    code: 'QueueClosed',
  },
];
