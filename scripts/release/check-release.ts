import { valuesIn } from './places.ts';
import { REPOSITORY_PLACES } from './repository.ts';
import { VERSION_PLACES } from './versions.ts';

/** What a release is published from. */
interface Source {
  /** As in v1.2.3. */
  readonly tag?: string | undefined;
  /** OWNER/NAME. */
  readonly repository?: string | undefined;
}

/** Throws if a file of the checkout names another version than the tag, or another repository: registries would refuse it. */
export function checkRelease(root: string, { tag, repository }: Source): void {
  const places = [
    ['version', VERSION_PLACES, tag?.replace(/^v/, '')],
    ['repository', REPOSITORY_PLACES, repository],
  ] as const;
  const others = places.flatMap(([what, table, wanted]) =>
    valuesIn(root, table)
      .filter(({ value }) => wanted !== undefined && value !== wanted)
      .map(({ place, value }) => `${place}: expected the ${what} ${wanted}, got ${value}`),
  );
  if (others.length > 0)
    throw new Error(
      `the checkout is no release of this tag and repository:\n${[...new Set(others)].map((line) => `  ${line}`).join('\n')}\n` +
        '`npm run release -- VERSION --repository OWNER/NAME` sets both.',
    );
}
