import { FRAMEWORKS } from '../../frameworks/kinds/registry.ts';

/** Every kind of job, without duplicates: a kind may exist in several API groups. */
export const JOB_KINDS: readonly string[] = [...new Set(FRAMEWORKS.map(({ kind }) => kind))];
