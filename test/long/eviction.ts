import { unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { eviction } from '../scenarios/disruptions.ts';
import type { Stage } from '../scenarios/stage.ts';

/** By the API server, as `kubectl drain` asks for it; gives nothing where the pod is gone. */
export const evict = (stage: Pick<Stage, 'cluster' | 'namespace'>, name: string) =>
  eviction(stage, name).catch(unlessGoneOrReplaced);
