import { withReferences } from '../../../contracts/references.ts';
import { isReference } from '../../../frameworks/manifest/references.ts';

/** Adds to a manifest those of the objects that it names: to a TrainJob its runtime. */
export const withThoseBeside = (manifest: unknown, objects: readonly unknown[]): unknown =>
  withReferences(
    manifest,
    objects.filter((object) => isReference(object, manifest)),
  );
