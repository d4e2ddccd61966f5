import { ANNOTATIONS } from '../../contracts/labels.ts';
import type { Difference } from './difference.ts';

/** What all operators do with gangs, and signalbox otherwise; docs/gang-scheduling.md says how it does. */
export const GANGS: readonly Difference[] = [
  {
    id: 'gang',
    area: 'objects',
    original: 'Gangs by the one scheduler that the operator was started for, or none.',
    signalbox: `By what the cluster serves: Kubernetes itself, Volcano or Coscheduling; the annotation \`${ANNOTATIONS.gang}\`, a template’s \`schedulerName\` or the configuration chooses.`,
    why: 'A job is not run differently because of how its operator was started.',
  },
  {
    id: 'min-resources',
    area: 'objects',
    original:
      '`minResources` is the sum over containers; init containers, sidecars and overhead are left out, and, but for mpi-operator, limits count only where a container has no requests at all.',
    signalbox: 'What Kubernetes itself computes as the request of a pod, for the first `minAvailable` pods.',
    why: 'A gang that is let in must also fit.',
  },
];
