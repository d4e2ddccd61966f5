import { unlessGoneOrReplaced } from '../../cluster/errors.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import { jobNameOf, LABELS } from '../../contracts/labels.ts';
import type { Dependencies } from '../support/dependencies.ts';

type Cluster = Pick<Dependencies, 'cluster'> & Partial<Pick<Dependencies, 'installation'>>;

/** One anchor, as opposed to a later one of the same name. */
export interface AnchorIdentity {
  readonly namespace: string;
  /** Name of the ConfigMap. */
  readonly name: string;
  readonly uid: string;
}

/** Merged into the anchor; null removes a key. */
interface AnchorChanges {
  readonly annotations?: Readonly<Record<string, string | null>>;
  readonly data?: Readonly<Record<string, string | null>>;
}

/**
 * Patches an anchor. Returns undefined if it is gone or now belongs to another job. Writes the labels, too: the watcher finds
 * the anchor by them, and any user can remove them.
 */
export const patchAnchor = (
  { cluster, installation }: Cluster,
  { namespace, name, uid }: AnchorIdentity,
  { annotations, data }: AnchorChanges,
): Promise<ConfigMap | undefined> =>
  cluster
    .patch(
      CONFIG_MAPS,
      { namespace, name },
      { metadata: { uid, labels: labelsOfAnchor(name, installation), annotations }, data },
    )
    .catch(unlessGoneOrReplaced);

const labelsOfAnchor = (name: string, installation: string | undefined) => ({
  [LABELS.anchor]: 'true',
  [LABELS.job]: jobNameOf(name),
  ...(installation === undefined ? {} : { [LABELS.installation]: installation }),
});

/**
 * Deletes an anchor and all that it owns. With `Foreground` the owned objects are deleted before the anchor. Returns
 * undefined if the anchor is gone or belongs to another job.
 */
export const deleteAnchor = (
  { cluster }: Cluster,
  { namespace, name, uid }: Partial<AnchorIdentity> & { readonly name: string },
  propagationPolicy: 'Background' | 'Foreground' = 'Background',
) => cluster.delete(CONFIG_MAPS, namespace, name, { uid, propagationPolicy }).catch(unlessGoneOrReplaced);
