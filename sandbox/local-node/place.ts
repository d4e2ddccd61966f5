import { join } from 'node:path';
import type { FindValues } from './environment.ts';
import type { RunnablePod } from './fields.ts';
import type { Ground } from './ground.ts';
import { createFindValues } from './references.ts';

/** Where a pod lives on this machine. */
export interface Place {
  readonly pod: RunnablePod;
  readonly address: string;
  readonly hostname: string;
  readonly hostsFile: string;
  /** Of its logs, a folder per container. */
  readonly dir: string;
  readonly findValues: FindValues;
}

/** Host names end at 63 characters. */
const LONGEST_HOSTNAME = 63;

export function placeOf(pod: RunnablePod, address: string, ground: Ground): Place {
  const { namespace = 'default', name, uid } = pod.metadata;
  const dir = join(ground.podsDir, `${namespace}_${name}_${uid}`);
  return {
    pod,
    address,
    hostname: (pod.spec.hostname ?? name).slice(0, LONGEST_HOSTNAME),
    hostsFile: join(dir, 'hosts'),
    dir,
    findValues: createFindValues(ground.client, namespace),
  };
}

/** Its own names, as they stand first in its hosts file. */
export function namesOf({ metadata, spec }: RunnablePod, hostname: string): string[] {
  const domain = `${spec.subdomain}.${metadata.namespace}.svc.cluster.local`;
  return spec.subdomain ? [`${hostname}.${domain}`, hostname] : [hostname];
}
