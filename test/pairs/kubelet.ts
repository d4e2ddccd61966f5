import type { Node, Pod } from '../../contracts/kubernetes.ts';
import { conditionOf } from '../../contracts/objects.ts';
import { addAmounts, podUsage, readAmounts } from '../../contracts/pod-requests.ts';
import type { NodeSelectorTerm, Toleration } from '../../explain/node-selector.ts';
import { matchesTerms } from '../../explain/node-selector.ts';
import { asFields, valueAt } from '../../language/fields.ts';

/** Says what a kubelet would refuse of pods that no scheduler was asked about, because they name their node. */
export function refusedByKubelet(node: Node, named: readonly Pod[], others: readonly Pod[]): string[] {
  const { name } = node.metadata;
  if (named.length === 0) return [];
  if (conditionOf(node, 'Ready')?.status !== 'True') return [`kubelet on ${name}`];
  const there = others.filter(({ spec }) => spec.nodeName === name);
  const refused: string[] = [];
  const admitted = [...there];
  for (const pod of named) {
    const why = refusal(node, pod, admitted);
    if (why) refused.push(`${why} on ${name}`);
    else admitted.push(pod);
  }
  return refused;
}

function refusal(node: Node, pod: Pod, admitted: readonly Pod[]): string | undefined {
  const { name, labels = {} } = node.metadata;
  const { nodeSelector = {}, affinity, tolerations = [] } = pod.spec;
  if (Object.entries(asFields(nodeSelector)).some(([key, value]) => labels[key] !== value)) return 'label';
  const terms = valueAt(
    affinity,
    'nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms',
  );
  if (Array.isArray(terms) && !matchesTerms(terms as NodeSelectorTerm[], { name, labels })) return 'label';
  const evicting = (node.spec?.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
  const isTolerated = (key: string) =>
    (tolerations as readonly Toleration[]).some(
      (one) => (one.key ?? key) === key && (one.effect ?? 'NoExecute') === 'NoExecute',
    );
  if (evicting.some(({ key }) => !isTolerated(key))) return 'toleration';
  const has = readAmounts(node.status?.allocatable);
  const used = [...admitted, pod].map(({ spec }) => podUsage(spec)).reduce(addAmounts);
  const wanted = podUsage(pod.spec);
  const short = [...wanted].find(
    ([resource, { nanos }]) => nanos > 0n && used.get(resource)!.nanos > (has.get(resource)?.nanos ?? 0n),
  );
  if (short) return short[0];
  const taken = new Set(admitted.flatMap(portsOf));
  return portsOf(pod).some((port) => taken.has(port)) ? 'port' : undefined;
}

const portsOf = ({ spec }: Pod): number[] =>
  spec.containers.flatMap(({ ports = [] }) =>
    ports.flatMap((port) => {
      const { hostPort, containerPort } = asFields(port);
      const taken = hostPort ?? (spec.hostNetwork ? containerPort : undefined);
      return typeof taken === 'number' ? [taken] : [];
    }),
  );
