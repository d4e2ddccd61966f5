import { parseDocument } from 'yaml';
import type { ClusterClient } from '../../../cluster/client.ts';
import { isConflict } from '../../../cluster/errors.ts';
import { LANES_KEY, LanesConfigError, lanesIn } from '../../../cluster/read-lanes.ts';
import { CONFIG_MAPS, type ConfigMap } from '../../../contracts/kubernetes.ts';
import type { LanesReference } from '../../../contracts/lane-request.ts';
import { askLanes, type LanesPorts } from './ask-lanes.ts';

/** `paused`: nothing starts until further notice; `drain`: nothing until what runs has ended, for works on its nodes. */
export type LaneClosing = { readonly as: 'paused' | 'drain'; readonly why: string } | undefined;

/** What becomes of a lane; without `closing` it is opened. */
export interface LaneChange {
  readonly lane: string;
  readonly closing?: LaneClosing;
}

/** A merge patch of the ConfigMap that has the lanes. */
interface LanePatch extends LanesReference {
  readonly patch: {
    readonly metadata: { readonly resourceVersion?: string };
    readonly data: Readonly<Record<string, string>>;
  };
}

/** Another client may write the lanes between the look and the act. */
const TRIES = 5;

/**
 * Closes a lane, or opens it again, in the ConfigMap that has the lanes. Keeps everything else as it is written there, with
 * its comments. Throws `LanesError` if there is no such lane, or the lanes would have faults.
 */
export function closeLane(ports: LanesPorts, change: LaneChange): Promise<void> {
  return askLanes(ports, async (cluster, lanes) => {
    for (let left = TRIES - 1; ; left--) {
      const { namespace, name, patch } = await patchFor(cluster, lanes, change);
      try {
        await cluster.patch(CONFIG_MAPS, { namespace, name }, patch);
        return;
      } catch (error) {
        if (!isConflict(error) || left === 0) throw error;
      }
    }
  });
}

/** Returns what `closeLane` would write, for a client that writes it with rights of its own. */
export const planLaneChange = (ports: LanesPorts, change: LaneChange): Promise<LanePatch> =>
  askLanes(ports, (cluster, lanes) => patchFor(cluster, lanes, change));

async function patchFor(
  cluster: ClusterClient,
  { namespace, name }: LanesReference,
  { lane, closing }: LaneChange,
): Promise<LanePatch> {
  const where = `ConfigMap ${namespace}/${name}`;
  const found: ConfigMap | undefined = await cluster.find(CONFIG_MAPS, namespace, name);
  const text = found?.data?.[LANES_KEY];
  if (text === undefined) throw new LanesConfigError(`${where}, key ${LANES_KEY}, does not exist`);
  const { lanes } = lanesIn(text, `${where}, ${LANES_KEY}`);
  if (!Object.hasOwn(lanes, lane))
    throw new LanesConfigError(`expected a lane (${Object.keys(lanes).join(', ')}), got ${lane}`);
  const document = parseDocument(text);
  for (const field of ['paused', 'drain']) document.deleteIn(['lanes', lane, field]);
  if (closing) document.setIn(['lanes', lane, closing.as], closing.why);
  const written = document.toString();
  const { fault } = lanesIn(written, `${where} would have faults`).lanes[lane]!;
  if (fault !== undefined) throw new LanesConfigError(`${where} would have faults: ${fault}`);
  const { resourceVersion } = found!.metadata;
  return { namespace, name, patch: { metadata: { resourceVersion }, data: { [LANES_KEY]: written } } };
}
