/** Where the values of an argument or option come from, for shell completion. */
type ValueSource = 'jobs' | 'sweeps' | 'namespaces' | 'contexts' | 'kinds' | 'reasons';

const SOURCES = new WeakMap<object, ValueSource>();

/** Says what completes an argument or option of commander, and returns it. */
export function completedBy<T extends object>(source: ValueSource, of: T): T {
  SOURCES.set(of, source);
  return of;
}

export const sourceOf = (of: object): ValueSource | undefined => SOURCES.get(of);
