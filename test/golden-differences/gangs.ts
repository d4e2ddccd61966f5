import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Difference } from './difference.ts';

/** What all operators do with gangs, and signalbox otherwise; docs/gang-scheduling.md says how it does. */
export const GANGS: readonly Difference[] = [
  {
    id: 'gang',
    area: 'objects',
    original: 'Uses the one gang scheduler that the operator was started for, or none.',
    signalbox: `Uses what the cluster serves: Kubernetes itself, Volcano or Coscheduling. The annotation \`${ANNOTATIONS.gang}\`, a template’s \`schedulerName\` or the configuration chooses.`,
    why: 'A job should not depend on how its operator was started.',
  },
  {
    id: 'min-resources',
    area: 'objects',
    original: '`minResources` is the sum over containers, without init containers, sidecars and overhead.',
    signalbox:
      '`minResources` is the request that Kubernetes itself computes for a pod, summed over the first `minAvailable` pods.',
    why: 'An admitted gang must also fit.',
  },
];
