import type { Crash, PodFailure } from '../../contracts/digest.ts';
import type { Cause } from '../../contracts/types.ts';
import type { JobTrouble } from '../model/job-context.ts';

type End = Pick<
  PodFailure | Crash,
  'pod' | 'node' | 'container' | 'exitCode' | 'signal' | 'reason' | 'memoryLimit'
>;

/** Returns where and how a container ended as fields of a cause. */
export const placeOfEnd = ({ reason, ...end }: End): Partial<Cause> => {
  const { pod, node, container, exitCode, signal, memoryLimit } = end;
  return { pod, node, container, exitCode, signal, podReason: reason, memoryLimit };
};

/** Returns where a trouble shows that no failed pod has. */
export const placeOfTrouble = (trouble: JobTrouble | undefined): Partial<Cause> => {
  const { pod, node, podReason } = trouble ?? {};
  return { pod, node, podReason };
};
