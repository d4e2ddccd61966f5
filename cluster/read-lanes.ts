import { parse } from 'yaml';
import { formatFault } from '../contracts/faults.ts';
import { CONFIG_MAPS, type ConfigMap } from '../contracts/kubernetes.ts';
import type { LanesReference } from '../contracts/lane-request.ts';
import type { LanesConfig } from '../contracts/lanes.ts';
import { parseUsableLanes } from '../contracts/schemas/usable-lanes.ts';
import { errorMessage } from '../language/error-message.ts';
import type { ClusterClient } from './client.ts';

/** The key of the ConfigMap that has the lanes, as YAML or JSON. */
export const LANES_KEY = 'lanes.yaml';

/** The lanes are not there, or have faults. An administrator has to mend that. */
export class LanesConfigError extends Error {
  override readonly name = 'LanesConfigError';
}

/**
 * Reads the lanes of an installation. One with a fault says so. Throws a LanesConfigError if none can be used.
 */
export async function readLanes(
  cluster: Pick<ClusterClient, 'find'>,
  { namespace, name }: LanesReference,
): Promise<LanesConfig> {
  const where = `ConfigMap ${namespace}/${name}`;
  const found: ConfigMap | undefined = await cluster.find(CONFIG_MAPS, namespace, name);
  if (!found) throw new LanesConfigError(`${where}, which SIGNALBOX_LANES names, does not exist`);
  const text = found.data?.[LANES_KEY];
  if (text === undefined) throw new LanesConfigError(`${where} has no key ${LANES_KEY}`);
  return lanesIn(text, `${where}, ${LANES_KEY}`);
}

/** What was read last: a watcher reads the same text at each decision. */
let last: { readonly text: string; readonly lanes: LanesConfig } | undefined;

/** Reads lanes from a text. Throws a LanesConfigError that begins with `where`. */
export function lanesIn(text: string, where: string): LanesConfig {
  if (last?.text === text) return last.lanes;
  const read = parseUsableLanes(documentIn(text, where));
  if ('lanes' in read) {
    last = { text, lanes: read.lanes };
    return read.lanes;
  }
  throw new LanesConfigError(`${where}: ${read.faults.map(formatFault).join('; ')}`);
}

function documentIn(text: string, where: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new LanesConfigError(`${where}: ${errorMessage(error)}`);
  }
}
