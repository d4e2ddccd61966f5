import type { JobContext } from '../model/job-context.ts';
import { explainOutlived, hasOutlivedAvoidance } from '../nodes/node-avoidance.ts';

/** Explains why pods are recreated although nothing failed. */
export const explainReplacement = (context: JobContext): string =>
  hasOutlivedAvoidance(context) ? explainOutlived(context) : STRANDED;

const STRANDED =
  'the gang lacks members that will not come back, and cannot be complete again; what waits in it is placed by itself';
