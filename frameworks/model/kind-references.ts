import type { z } from 'zod';
import type { KubeObject, Resource } from '../../contracts/kubernetes.ts';
import type { NamedObject } from '../../contracts/references.ts';
import type { Fields } from '../../language/fields.ts';

/** Objects of the cluster that manifests of a kind name, and are incomplete without: `contracts/references.ts`. */
export interface KindReferences {
  /** The fields of spec that `joined` adds: no user writes them. */
  readonly fields: readonly string[];
  /** Their kinds. */
  readonly resources: readonly Resource[];
  /** Schema of their spec; all have the same. */
  readonly spec: z.ZodType;
  /** Returns the objects that a manifest names; none if it has a fault there. */
  named(manifest: unknown): readonly NamedObject[];
  /** Returns one that comes with signalbox, for clusters that do not have it. */
  shipped(named: Pick<NamedObject, 'kind' | 'name'>): KubeObject | undefined;
  shippedNames(named: Pick<NamedObject, 'kind'>): readonly string[];
  /** Returns the manifest as all else of its Framework reads it: with what it needs of these objects in its spec. */
  joined(manifest: Fields, objects: readonly KubeObject[]): Fields;
  /** Returns where a user finds the field of a joined manifest. */
  pathOf(path: string): string;
}
