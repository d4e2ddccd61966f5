import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ROOT } from '../../runtime/node-runtime.mjs';

/** An entry of a lock file, as far as it is read here. */
interface Locked {
  readonly link?: boolean;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** What a failure says. */
const REMEDY = 'remove the entry, if there is one, and run `npm install --package-lock-only`';

async function lockedPackages(path: string): Promise<readonly (readonly [string, Locked])[]> {
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    await readFile(join(ROOT, path), 'utf8'),
  );
  return Object.entries(lock.packages).filter(
    ([place, { link }]) => place.includes('node_modules/') && !link,
  );
}

describe.each(['package-lock.json', 'scripts/typedoc/package-lock.json'])('%s', (path) => {
  test('has the integrity of every package of every platform', async () => {
    const without = (await lockedPackages(path)).filter(([, { integrity }]) => !integrity);
    expect(without.map(([place]) => `${place}: ${REMEDY}`)).toEqual([]);
  });

  test('has the dependencies of every package for some platform', async () => {
    const packages = await lockedPackages(path);
    const places = new Set(packages.map(([place]) => place));
    const absent = packages.flatMap(([place, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) => !places.has(`node_modules/${name}`) && !places.has(`${place}/node_modules/${name}`),
      ),
    );
    expect(absent.map((name) => `${name}: ${REMEDY}`)).toEqual([]);
  });

  test('names no registry', async () => {
    const hosts = (await lockedPackages(path)).filter(([, { resolved }]) => /^https?:/.test(resolved ?? ''));
    expect(hosts).toEqual([]);
  });
});
