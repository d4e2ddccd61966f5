import type { Framework } from './framework.ts';
import { pytorch } from './pytorch.ts';

/** Every kind of job that signalbox runs. A new kind is a file and a line here. */
export const FRAMEWORKS: readonly Framework[] = [pytorch];

export const findFramework = (apiVersion: unknown, kind: unknown) =>
  FRAMEWORKS.find((framework) => framework.apiVersion === apiVersion && framework.kind === kind);

/** The framework of an admitted job. */
export function frameworkOf(job: { readonly apiVersion: string; readonly kind: string }): Framework {
  const framework = findFramework(job.apiVersion, job.kind);
  if (!framework) throw new Error(`no framework for ${job.apiVersion} ${job.kind}`);
  return framework;
}
