import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../package/entries.ts';
import { readNpm } from '../run-npm.mjs';

/** The used part of CycloneDX 1.5. */
export interface BomComponent {
  readonly 'bom-ref': string;
  readonly type: 'application' | 'container' | 'library' | 'operating-system' | 'platform';
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly cpe?: string;
  readonly licenses?: readonly License[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
}

/** By its SPDX identifier, or as an SPDX expression. */
type License =
  | { readonly license: { readonly id?: string; readonly name?: string } }
  | { readonly expression: string };

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

/** What a lock file has of what is installed, as `npm sbom` says it. */
export interface LockedPackages {
  readonly own: BomComponent;
  readonly components: readonly BomComponent[];
  readonly dependencies: readonly Dependency[];
}

/** Returns what package-lock.json names of what programs need when they run, for all platforms. */
export function lockedPackages(): LockedPackages {
  // With --omit=dev it leaves out all that development needs as well (npm 11.19).
  const text = readNpm('listing the packages', [
    ...['sbom', '--package-lock-only', '--workspaces=false'],
    ...['--sbom-format=cyclonedx', '--sbom-type=application'],
  ]);
  const { metadata, components, dependencies } = JSON.parse(text) as Omit<LockedPackages, 'own'> & {
    readonly metadata: { readonly component: BomComponent };
  };
  const atRunTime = new Set(purlsAtRunTime());
  // npm names it by the folder of the checkout.
  const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly name: string };
  return {
    own: { ...metadata.component, name },
    components: components.filter(({ purl }) => atRunTime.has(purl)),
    dependencies,
  };
}

function purlsAtRunTime(): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { version?: string; dev?: boolean; link?: boolean }>>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link)
    .map(([path, { version }]) => purlOf(path.split('node_modules/').at(-1)!, version!));
}

const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/**
 * Returns an SBOM as the text of a file: that `subject` is made of these components. It has neither a time nor a number of
 * its own, so that the same release has the same one.
 */
export function sbomOf(
  subject: BomComponent,
  components: readonly BomComponent[],
  dependencies: readonly Dependency[],
): string {
  const refs = new Set([subject, ...components].map((component) => component['bom-ref']));
  const known = dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  const bom = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: subject },
    components,
    dependencies: known,
  };
  return `${JSON.stringify(bom, undefined, 2)}\n`;
}

/** Returns the components of packages in folders, e.g. `app/node_modules/zod`. Throws if the lock file has none of them. */
export function componentsAt(
  root: string,
  folders: readonly string[],
  { components }: LockedPackages,
): readonly BomComponent[] {
  const byPurl = new Map(components.map((component) => [component.purl, component]));
  const found = folders.map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly version: string;
    };
    const component = byPurl.get(purlOf(name, version));
    if (!component)
      throw new Error(`${folder}: expected a package of package-lock.json, got ${name} ${version}`);
    return component;
  });
  return [...new Set(found)];
}
