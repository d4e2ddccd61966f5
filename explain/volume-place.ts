import type { KubeObject } from '../contracts/kubernetes.ts';
import { valueAt } from '../language/fields.ts';
import type { NodeSelectorTerm } from './node-selector.ts';

/** Returns which nodes a volume can be used on; one that names none can be used on all. */
export function volumePlace(volume: KubeObject | undefined): readonly NodeSelectorTerm[] | undefined {
  const terms = valueAt(volume?.spec, 'nodeAffinity.required.nodeSelectorTerms');
  return Array.isArray(terms) ? terms : undefined;
}
