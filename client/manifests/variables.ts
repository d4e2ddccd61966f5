import { type Fields, isFields } from '../../language/fields.ts';

/** Environment variables of a manifest's containers, as Kubernetes and shells expand them. */

/** Returns the manifest with a variable in the environment of each container that uses it. */
export const withVariable = (manifest: unknown, name: string, value: string): unknown =>
  withContainers(manifest, (container) =>
    usesVariable(container, name) ? inEnvironment(container, { name, value }) : container,
  );

/** Returns the manifest with a variable in the environment of every container, whether or not it seems to use it. */
export const withVariableEverywhere = (manifest: unknown, name: string, value: string): unknown =>
  withContainers(manifest, (container) => inEnvironment(container, { name, value }));

/** Returns the names that containers use as variables, or define. */
export function usedVariables(manifest: unknown): readonly string[] {
  const names = new Set<string>();
  withContainers(manifest, (container) => {
    for (const name of namesIn(container)) names.add(name);
    return container;
  });
  return [...names].sort();
}

/** Returns the value with a change of each container in it. */
function withContainers(value: unknown, change: (container: Fields) => Fields): unknown {
  if (Array.isArray(value)) return value.map((item) => withContainers(item, change));
  if (!isFields(value)) return value;
  const changed = Object.entries(value).map(([key, inner]): [string, unknown] => {
    if (!LISTS.has(key) || !Array.isArray(inner)) return [key, withContainers(inner, change)];
    return [key, inner.map((container: unknown) => (isFields(container) ? change(container) : container))];
  });
  return Object.fromEntries(changed);
}

const LISTS: ReadonlySet<string> = new Set(['containers', 'initContainers']);

const usesVariable = (container: Fields, name: string) => namesIn(container).includes(name);

/** `$(LR)`, which Kubernetes expands, `${LR}` and `$LR`, which a shell does. `$$(LR)` is no use of it. */
const USE = /(?<!\$)\$(?:\(([A-Za-z_]\w*)\)|\{([A-Za-z_]\w*)[^}]*\}|([A-Za-z_]\w*))/g;

function namesIn(container: Fields): readonly string[] {
  const { command, args, volumeMounts } = container;
  const text = JSON.stringify([command, args, environmentOf(container), volumeMounts]);
  const used = [...text.matchAll(USE)].map(([, ofKubernetes, inBraces, ofShell]) =>
    String(ofKubernetes ?? inBraces ?? ofShell),
  );
  return [...used, ...environmentOf(container).flatMap(({ name }) => (typeof name === 'string' ? name : []))];
}

const environmentOf = ({ env }: Fields): readonly Fields[] =>
  Array.isArray(env) ? env.filter(isFields) : [];

/** A new variable comes first: Kubernetes expands only variables that were defined before. */
function inEnvironment(
  container: Fields,
  variable: { readonly name: string; readonly value: string },
): Fields {
  const env = environmentOf(container);
  const isDefined = env.some(({ name }) => name === variable.name);
  const set = isDefined
    ? env.map((one) => (one.name === variable.name ? variable : one))
    : [variable, ...env];
  return { ...container, env: set };
}
