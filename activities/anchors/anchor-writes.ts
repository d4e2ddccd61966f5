import { unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import type { Dependencies } from '../support/dependencies.ts';

type Cluster = Pick<Dependencies, 'cluster'>;

/** One anchor, and no later one of the same name. */
export interface AnchorIdentity {
  readonly namespace: string;
  /** Of the ConfigMap. */
  readonly name: string;
  readonly uid: string;
}

/** Merged into what is there; null removes. */
export interface AnchorChanges {
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly data?: Readonly<Record<string, string | null>>;
}

/** Changes an anchor. One that is gone, or another job's by now, is left alone: undefined. */
export const patchAnchor = (
  { cluster }: Cluster,
  { namespace, name, uid }: AnchorIdentity,
  { annotations, data }: AnchorChanges,
): Promise<ConfigMap | undefined> =>
  cluster
    .patch(CONFIG_MAPS, { namespace, name }, { metadata: { uid, annotations }, data })
    .catch(unlessGoneOrReplaced);

/**
 * Deletes an anchor, and with it all that it owns: afterwards, or before it goes itself (`Foreground`). Undefined where
 * it was gone, or another job's, already.
 */
export const deleteAnchor = (
  { cluster }: Cluster,
  { namespace, name, uid }: Partial<AnchorIdentity> & { readonly name: string },
  propagationPolicy: 'Background' | 'Foreground' = 'Background',
) => cluster.delete(CONFIG_MAPS, namespace, name, { uid, propagationPolicy }).catch(unlessGoneOrReplaced);
