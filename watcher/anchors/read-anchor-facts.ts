import type { ClusterClient } from '../../cluster/client.ts';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../contracts/kubernetes.ts';
import { type AnchorFacts, anchorFacts } from './anchor-facts.ts';

type Cluster = Pick<ClusterClient, 'find'>;

/** Reads an anchor by its name. Returns undefined if it is gone, or another one has the name. */
export const readAnchorFacts = (cluster: Cluster, known: AnchorFacts): Promise<AnchorFacts | undefined> =>
  readIfMeant(cluster, known, ({ metadata }) => metadata.uid === known.uid);

/** Reads the anchor that a run has made, by its name. Returns undefined if there is none, or it names another run. */
export const readAnchorOfRun = (cluster: Cluster, known: AnchorFacts): Promise<AnchorFacts | undefined> =>
  readIfMeant(
    cluster,
    known,
    ({ metadata }) => parseAnchorRecord(metadata.annotations).firstRunId === known.firstRunId,
  );

async function readIfMeant(
  cluster: Cluster,
  known: AnchorFacts,
  isMeant: (anchor: ConfigMap) => boolean,
): Promise<AnchorFacts | undefined> {
  const anchor = await cluster.find(CONFIG_MAPS, known.namespace, known.name);
  return anchor && isMeant(anchor) ? anchorFacts(anchor, known) : undefined;
}
