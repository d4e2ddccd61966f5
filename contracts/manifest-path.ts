/**
 * Paths in a manifest, as errors write them: `spec.pytorchReplicaSpecs.Worker.replicas`, `containers[0].image`,
 * `containers[pytorch].image`, `metadata.annotations[signalbox.dev/policy]`.
 */

/** Below these, the rest of a path is one key, whatever dots it has: `metadata.labels.app.kubernetes.io/name`. */
const MAPS_OF_VALUES: ReadonlySet<string> = new Set([
  ...['annotations', 'labels', 'matchLabels', 'nodeSelector', 'limits', 'requests'],
]);

/** Returns the steps of a path; undefined if it is none, e.g. because a bracket is open. */
export function pathSteps(path: string): string[] | undefined {
  const steps: string[] = [];
  let rest = path;
  while (rest !== '') {
    const { step = '', after = '' } = (nextStep(rest, steps) ?? {}) as { step?: string; after?: string };
    if (step === '') return undefined;
    steps.push(step);
    rest = after;
  }
  return steps.length > 0 ? steps : undefined;
}

function nextStep(rest: string, before: readonly string[]) {
  const isFirst = before.length === 0;
  const inBrackets = /^\[(?<step>[^\]]+)\](?<after>.*)$/s.exec(rest)?.groups;
  if (inBrackets) return isFirst ? undefined : inBrackets;
  const after = isFirst ? rest : /^\.(.*)$/s.exec(rest)?.[1];
  if (after !== undefined && MAPS_OF_VALUES.has(before.at(-1) ?? '')) return { step: after, after: '' };
  return /^(?<step>[^.[\]]+)(?<after>.*)$/s.exec(after ?? '')?.groups;
}

/** Writes steps as a path. Steps that are no plain names, e.g. an index or an annotation, are in brackets. */
export const formatSteps = (steps: readonly PropertyKey[], root = ''): string =>
  steps.reduce<string>(
    (text, step) =>
      IDENTIFIER.test(String(step)) ? `${text}${text && '.'}${String(step)}` : `${text}[${String(step)}]`,
    root,
  );

const IDENTIFIER = /^[A-Za-z][\w-]*$/;
