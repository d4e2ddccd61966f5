import type { Resource } from '../../../contracts/kubernetes.ts';
import { FRAMEWORKS } from '../../../frameworks/kinds/registry.ts';

/** The kinds of objects that manifests name, each with the kind of job that does so. */
export const NAMED_OBJECTS: readonly { readonly by: string; readonly object: Resource }[] =
  FRAMEWORKS.flatMap(({ kind, references }) =>
    (references?.resources ?? []).map((object) => ({ by: kind, object })),
  );
