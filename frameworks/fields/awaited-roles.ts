import type { Fault } from '../../contracts/types.ts';
import { nearest } from '../../language/did-you-mean.ts';
import { didYouMean } from '../../language/meant.ts';
import { describeValue } from './faults.ts';

/** A role of a manifest that waits for others, and where it says so. */
export interface WaitingRole {
  readonly name: string;
  readonly awaited: readonly string[];
  /** Where it names them. */
  readonly path: string;
  /** Where it names one of them. */
  pathOf(index: number): string;
}

/** Returns the roles that wait for no other role of the job, or for each other. */
export function checkAwaited(roles: readonly WaitingRole[], what: string): Fault[] {
  const names = roles.map(({ name }) => name);
  const unknown = roles.flatMap((role) =>
    role.awaited.flatMap((name, at) => {
      const others = names.filter((one) => one !== role.name);
      if (others.includes(name)) return [];
      const meant = didYouMean(nearest(name, others));
      const expected = `another ${what}: ${others.join(', ') || 'there is none'}${meant && ` (${meant})`}`;
      return [{ path: role.pathOf(at), expected, got: describeValue(name) }];
    }),
  );
  return unknown.length > 0 ? unknown : findCircle(roles, what);
}

/** A circle is told once, at its first role. */
function findCircle(roles: readonly WaitingRole[], what: string): Fault[] {
  for (const { name, path } of roles) {
    const way = wayBack(roles, [name]);
    if (way)
      return [{ path, expected: `${what}s that do not wait for this one`, got: way.join(' waits for ') }];
  }
  return [];
}

function wayBack(roles: readonly WaitingRole[], way: readonly string[]): readonly string[] | undefined {
  for (const name of roles.find((role) => role.name === way.at(-1))?.awaited ?? []) {
    if (name === way[0]) return [...way, name];
    const found = way.includes(name) ? undefined : wayBack(roles, [...way, name]);
    if (found) return found;
  }
  return undefined;
}
