import type { Pod } from '../../../contracts/kubernetes.ts';
import { LABELS } from '../../../contracts/labels.ts';
import { unknownFieldIn } from '../../../frameworks/fields/server-warning.ts';
import { templatesOf, type UnknownField, unknownOfPods } from '../../../frameworks/fields/unknown-fields.ts';
import { frameworkFor } from '../../../frameworks/manifest/recognise.ts';
import { joinReferences, withShipped } from '../../../frameworks/manifest/references.ts';
import { asFields } from '../../../language/fields.ts';
import { withoutNulls } from '../../../language/without-nulls.ts';

/** What an API server said of a pod in a dry run. */
export interface PodAnswer {
  readonly pod: Pod;
  readonly isRefused: boolean;
  /** E.g. `unknown field "spec.nodeSelectr"`. */
  readonly warnings: readonly string[];
}

interface FieldsOnServer {
  readonly unknown: readonly UnknownField[];
  /** What else the API server warned of, with the path of the template. */
  readonly warnings: readonly string[];
}

/**
 * Returns which fields of a valid job's pods are unknown, by the manifest's paths. An API server that has read a pod decides
 * about its spec: it may know more fields than signalbox, or fewer.
 */
export function fieldsOnServer(manifest: unknown, answers: readonly PodAnswer[]): FieldsOnServer {
  const written = withShipped(withoutNulls(manifest));
  const framework = frameworkFor(written);
  if (Array.isArray(framework)) return NOTHING;
  const joined = joinReferences(framework, asFields(written));
  if ('faults' in joined) return NOTHING;
  const given = joined.manifest;
  const known = unknownOfPods(framework, given);
  const byRole = Map.groupBy(answers.filter(isRead), ({ pod }) => pod.metadata.labels?.[LABELS.role]);
  const read = templatesOf(framework, given).filter(({ role }) => byRole.has(role));
  const told = read.flatMap((template) => byRole.get(template.role)!.flatMap((one) => toldOf(one, template)));
  const named = told.filter(({ isUnknown }) => isUnknown).map(({ path }) => path);
  return {
    unknown: [
      ...known.filter(({ path }) => !read.some((template) => path.startsWith(`${template.path}.spec.`))),
      ...[...new Set(named)].map((path) => unknownTo(path, known)),
    ],
    warnings: [
      ...new Set(told.filter(({ isUnknown }) => !isUnknown).map(({ path, text }) => `${path}: ${text}`)),
    ],
  };
}

const NOTHING: FieldsOnServer = { unknown: [], warnings: [] };

/** A server that refuses a pod without a warning may not have read it: rights are asked for first. */
const isRead = ({ isRefused, warnings }: PodAnswer) => !isRefused || warnings.length > 0;

type Template = ReturnType<typeof templatesOf>[number];

/** Returns what a server told of a pod, by the paths of its template. */
const toldOf = ({ pod, warnings }: PodAnswer, template: Template) =>
  warnings.map((text) => {
    const field = unknownFieldIn(text, pod, template);
    return { path: field ?? template.path, text, isUnknown: field !== undefined };
  });

function unknownTo(path: string, known: readonly UnknownField[]): UnknownField {
  const found = known.find((one) => one.path === path);
  return { path, nearest: found?.nearest, got: found?.got ?? 'an unknown field', of: 'pod-of-cluster' };
}
