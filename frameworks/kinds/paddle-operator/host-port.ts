import type { Fault } from '../../../contracts/types.ts';
import { describeValue } from '../../fields/faults.ts';

/** An annotation of the job with its first port on the nodes. paddle-operator writes it; users may set it too. */
const HOST_PORT_ANNOTATION = 'host-port';

/** Number of ports that each pod may use, counted from the first one. */
export const PORTS = 20;

const FIRST_PORT = 35_000;
const LAST_PORT = 65_000;
const HIGHEST = 65_535 - PORTS + 1;

interface Named {
  readonly name: string;
  readonly namespace: string;
  readonly annotations: Readonly<Record<string, string>>;
}

/**
 * Returns the first port of a job on the host network: the one it requests, or one derived from its name, so that no
 * allocations need to be stored. Two jobs can get the same port; the annotation resolves that.
 */
export function hostPortOf({ name, namespace, annotations }: Named): number {
  const given = annotations[HOST_PORT_ANNOTATION];
  if (given !== undefined) return Number(given);
  const places = (LAST_PORT - FIRST_PORT) / PORTS;
  return FIRST_PORT + PORTS * (hash(`${namespace}/${name}`) % places);
}

export function checkHostPort({ annotations }: Pick<Named, 'annotations'>): Fault[] {
  const given = annotations[HOST_PORT_ANNOTATION];
  if (given === undefined || (/^[1-9]\d*$/.test(given) && Number(given) <= HIGHEST)) return [];
  return [
    {
      path: `metadata.annotations.${HOST_PORT_ANNOTATION}`,
      expected: `a port from 1 to ${HIGHEST}: the first of ${PORTS}`,
      got: describeValue(given),
    },
  ];
}

/** FNV-1a: similar names get very different values. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
