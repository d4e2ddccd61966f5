/** The namespaces whose jobs an installation serves; undefined: all of the cluster. */
export type ServedNamespaces = readonly string[] | undefined;

export const isServed = (served: ServedNamespaces, namespace: string): boolean =>
  served === undefined || served.includes(namespace);

/** What lists and watches select: each of the namespaces, or, with undefined, the whole cluster at once. */
export const eachServed = (served: ServedNamespaces): readonly (string | undefined)[] =>
  served ?? [undefined];

/** Returns the namespace of jobs that name none: the one that was set; else the only one that is served. */
export const namespaceOfNameless = (given: string | undefined, served: ServedNamespaces): string =>
  given ?? (served?.length === 1 ? served[0]! : 'default');

/** E.g. `namespace ml`, `namespaces team-a, team-b`, `all namespaces`. */
export const namespacesText = (served: ServedNamespaces): string =>
  served ? `namespace${served.length === 1 ? '' : 's'} ${served.join(', ')}` : 'all namespaces';
