/** Where the values of an argument or option come from, for shell completion. */
type ValueSource = AskedSource | 'kinds' | 'reasons';

/** What only a server, or a file, knows; pods are those of the job that is typed first. */
export type AskedSource = 'jobs' | 'pods' | 'sweeps' | 'schedules' | 'namespaces' | 'contexts' | 'groups';

const SOURCES = new WeakMap<object, ValueSource>();

/** Says what completes an argument or option of commander, and returns it. */
export function completedBy<T extends object>(source: ValueSource, of: T): T {
  SOURCES.set(of, source);
  return of;
}

export const sourceOf = (of: object): ValueSource | undefined => SOURCES.get(of);
