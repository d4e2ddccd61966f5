import type { ClusterClient } from '../../cluster/client.ts';
import { parseAnchorRecord } from '../../contracts/anchor.ts';
import { CONFIG_MAPS } from '../../contracts/kubernetes.ts';
import { type AnchorFacts, anchorFacts } from './anchor-facts.ts';

/**
 * Reads an anchor by its name. Returns undefined if it is gone, or another one has the name.
 */
export async function readAnchorFacts(
  cluster: Pick<ClusterClient, 'find'>,
  known: AnchorFacts,
): Promise<AnchorFacts | undefined> {
  const anchor = await cluster.find(CONFIG_MAPS, known.namespace, known.name);
  if (anchor?.metadata.uid !== known.uid) return undefined;
  return anchorFacts(anchor, known);
}

/** Reads the anchor that a run has made, by its name. Returns undefined if there is none, or it names another run. */
export async function readAnchorOfRun(
  cluster: Pick<ClusterClient, 'find'>,
  known: AnchorFacts,
): Promise<AnchorFacts | undefined> {
  const anchor = await cluster.find(CONFIG_MAPS, known.namespace, known.name);
  if (!anchor || parseAnchorRecord(anchor.metadata.annotations).firstRunId !== known.firstRunId)
    return undefined;
  return anchorFacts(anchor, known);
}
