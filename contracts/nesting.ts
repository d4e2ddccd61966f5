import { isFields } from '../language/fields.ts';
import { formatFault } from './faults.ts';
import type { Fault } from './types.ts';

/** Kubernetes' own types nest some 30 levels. What reads, compares and writes manifests is recursive. */
const MOST_LEVELS = 200;

/** Returns the fault of a manifest that is nested too deep to be read. */
export function checkNesting(manifest: unknown): Fault[] {
  let level: readonly unknown[] = [manifest];
  for (let depth = 0; depth <= MOST_LEVELS; depth++) {
    level = level.flatMap((value) =>
      Array.isArray(value) ? value : isFields(value) ? Object.values(value) : [],
    );
    if (level.length === 0) return [];
  }
  return [{ path: '(manifest)', expected: `at most ${MOST_LEVELS} levels of nesting`, got: 'more' }];
}

/** Throws for such a manifest: any client of Temporal can start a workflow with one. */
export function refuseNesting(manifest: unknown): void {
  const [fault] = checkNesting(manifest);
  if (fault) throw new RangeError(formatFault(fault));
}
