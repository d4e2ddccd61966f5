import type { Reading } from '../../../cluster/reading.ts';
import { type KubeObject, LIMIT_RANGES, type Pod } from '../../../contracts/kubernetes.ts';
import { podRequests } from '../../../contracts/pod-requests.ts';
import { asFields, isFields } from '../../../language/fields.ts';

/**
 * Returns where amounts come from that pods request and their manifest does not, by resource: e.g. `LimitRange defaults`. `pods`: as
 * they are, or as admission would change them; `written`: as the job's templates have them.
 */
export async function readOrigins(
  reading: Reading,
  namespace: string,
  { pods, written }: { readonly pods: readonly Pod[]; readonly written: readonly Pod[] },
): Promise<Readonly<Record<string, string>>> {
  const byName = new Map(written.map((pod) => [pod.metadata.name, pod]));
  const added = pods.flatMap((pod) => {
    const template = byName.get(pod.metadata.name);
    return template ? addedTo(pod, template).map((resource) => ({ resource, pod })) : [];
  });
  const once = new Map(added.map((one) => [one.resource, one]));
  if (once.size === 0) return {};
  const ranges = await limitRanges(reading, namespace, [...once.values()]);
  return Object.fromEntries(
    [...once].map(([resource, { pod }]) => [resource, originOf(resource, pod, ranges)]),
  );
}

function addedTo(pod: Pod, template: Pod): readonly string[] {
  const before = podRequests(template.spec);
  return [...podRequests(pod.spec)].flatMap(([resource, { nanos }]) =>
    before.get(resource)?.nanos === nanos ? [] : [resource],
  );
}

interface Added {
  readonly resource: string;
  readonly pod: Pod;
}

const limitRanges = async (
  reading: Reading,
  namespace: string,
  added: readonly Added[],
): Promise<readonly KubeObject[]> =>
  added.some(isOfLimitRange)
    ? reading.list(
        { resource: LIMIT_RANGES, selection: { namespace } },
        'which LimitRange adds to the pods is not known: LimitRanges may not be listed',
      )
    : [];

/** The API server notes in a pod what a LimitRange has set. */
const isOfLimitRange = ({ resource, pod: { metadata } }: Added): boolean =>
  wordsIn(metadata.annotations?.['kubernetes.io/limit-ranger']).has(resource);

const wordsIn = (text = ''): ReadonlySet<string> => new Set(text.split(/[\s,;:]+/));

function originOf(resource: string, pod: Pod, ranges: readonly KubeObject[]): string {
  const { overhead = {}, runtimeClassName } = pod.spec;
  if (Object.hasOwn(overhead, resource)) return `overhead of RuntimeClass ${String(runtimeClassName)}`;
  if (!isOfLimitRange({ resource, pod })) return 'an admission webhook';
  const names = ranges.filter((range) => hasDefault(range, resource)).map(({ metadata }) => metadata.name);
  return `LimitRange ${names.join(' or ') || 'of the namespace'}`;
}

function hasDefault({ spec }: KubeObject, resource: string): boolean {
  const { limits } = asFields(spec);
  return (Array.isArray(limits) ? limits.filter(isFields) : []).some(
    (limit) => resource in asFields(limit.default) || resource in asFields(limit.defaultRequest),
  );
}
