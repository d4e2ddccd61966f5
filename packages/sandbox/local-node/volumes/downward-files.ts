import { type Allocatable, type PodAddresses, podField, resourceField } from '../downward.ts';
import type { RunnableContainer, RunnablePod } from '../fields.ts';
import type { FileContent } from './atomic-files.ts';
import type { DownwardItem, DownwardSource } from './fields.ts';

export interface DownwardFacts {
  readonly pod: RunnablePod;
  readonly addresses: PodAddresses;
  readonly allocatable: Allocatable;
}

/** The files of a downwardAPI volume. */
export function downwardFiles(
  { items = [] }: DownwardSource,
  facts: DownwardFacts,
  defaultMode: number,
): [string, FileContent][] {
  return items.map((item) => [
    item.path,
    { content: Buffer.from(textOfField(item, facts)), mode: item.mode ?? defaultMode },
  ]);
}

function textOfField({ fieldRef, resourceFieldRef }: DownwardItem, facts: DownwardFacts): string {
  const { pod, addresses, allocatable } = facts;
  if (resourceFieldRef) {
    const all = [...pod.spec.containers, ...(pod.spec.initContainers ?? [])];
    const own = all[0] as RunnableContainer; // fallback only: the API server requires containerName here
    return resourceField(resourceFieldRef, { own, all }, allocatable);
  }
  const path = fieldRef?.fieldPath ?? '';
  if (path === 'metadata.labels') return linesOfMap(pod.metadata.labels);
  if (path === 'metadata.annotations') return linesOfMap(pod.metadata.annotations);
  return podField(path, pod, addresses) ?? '';
}

/** Writes a map like a kubelet: one `key="value"` per line, sorted. */
function linesOfMap(map: Readonly<Record<string, string>> = {}): string {
  return Object.keys(map)
    .sort()
    .map((key) => `${key}=${JSON.stringify(map[key])}`)
    .join('\n');
}
