import type { CleanUpScope } from '../../contracts/clean-up.ts';
import type { KubeObject } from '../../contracts/kubernetes.ts';
import { LABELS } from '../../contracts/labels.ts';
import type { Plan } from '../../contracts/training-job.ts';
import { keyOf } from './objects.ts';

/** What a clean-up leaves of a job that succeeded while the pods of roles that do not decide still ran. */
export function leftAfter(
  scope: CleanUpScope | undefined,
  { successRoles }: Plan,
  rendered: readonly KubeObject[],
): string[] {
  const finished = new Set(successRoles.map((name) => name.toLowerCase()));
  const kept = new Set(
    rendered
      .filter(({ kind }) => kind === 'Pod')
      .filter(staysAfter(scope, finished))
      .map(nameOf),
  );
  return rendered
    .filter((object) => !GROUPS.has(object.kind))
    .filter((object) => isShared(object) || kept.has(nameOf(object)))
    .map(keyOf)
    .sort();
}

const GROUPS = new Set(['PodGroup']);

const staysAfter =
  (scope: CleanUpScope | undefined, finished: ReadonlySet<string>) =>
  ({ metadata }: KubeObject) =>
    scope === 'None' || (scope === 'Running' && finished.has(metadata.labels?.[LABELS.role] ?? ''));

const isShared = ({ metadata }: KubeObject) => metadata.labels?.[LABELS.shared] === 'true';

const nameOf = ({ metadata }: KubeObject) => metadata.name;
