import type { JobContext } from '../model/job-context.ts';
import { explainOutlived, hasOutlivedAvoidance } from '../nodes/node-avoidance.ts';

/** Explains why pods restart. */
export const explainRestart = (context: JobContext): string =>
  context.assessment.troubles?.message ?? explainReplacement(context);

/** Explains why pods are recreated although nothing failed. */
export const explainReplacement = (context: JobContext): string =>
  hasOutlivedAvoidance(context) ? explainOutlived(context) : STRANDED;

const STRANDED =
  'the gang has lost members for good and cannot be complete again; its waiting pods are placed individually';
