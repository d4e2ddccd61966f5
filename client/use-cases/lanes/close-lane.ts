import { parseDocument } from 'yaml';
import type { ClusterClient } from '../../../cluster/client.ts';
import { LANES_KEY, LanesError, lanesIn } from '../../../cluster/read-lanes.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../../contracts/kubernetes.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';

/** `paused`: nothing starts until further notice; `drain`: nothing until what runs has ended, for works on its nodes. */
export type LaneClosing = { readonly as: 'paused' | 'drain'; readonly why: string } | undefined;

/**
 * Closes a lane, or opens it again, in the ConfigMap that has the lanes. Keeps everything else as it is written there, with
 * its comments. Throws a LanesError if there is no such lane, and what the API server says if somebody else has written
 * meanwhile.
 */
export async function closeLane(
  cluster: ClusterClient,
  { namespace, name }: LanesReference,
  { lane, closing }: { readonly lane: string; readonly closing: LaneClosing },
): Promise<void> {
  const where = `ConfigMap ${namespace}/${name}`;
  const found: ConfigMap | undefined = await cluster.find(CONFIG_MAPS, namespace, name);
  const text = found?.data?.[LANES_KEY];
  if (text === undefined) throw new LanesError(`${where}, key ${LANES_KEY}, does not exist`);
  const { lanes } = lanesIn(text, `${where}, ${LANES_KEY}`);
  if (!Object.hasOwn(lanes, lane))
    throw new LanesError(`expected a lane (${Object.keys(lanes).join(', ')}), got ${lane}`);
  const document = parseDocument(text);
  for (const field of ['paused', 'drain']) document.deleteIn(['lanes', lane, field]);
  if (closing) document.setIn(['lanes', lane, closing.as], closing.why);
  const { resourceVersion } = found!.metadata;
  await cluster.patch(
    CONFIG_MAPS,
    { namespace, name },
    { metadata: { resourceVersion }, data: { [LANES_KEY]: document.toString() } },
  );
}
