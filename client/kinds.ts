import { FRAMEWORKS } from '../frameworks/registry.ts';

/** Every kind of job, once each: some are of several groups. */
export const JOB_KINDS: readonly string[] = [...new Set(FRAMEWORKS.map(({ kind }) => kind))];
