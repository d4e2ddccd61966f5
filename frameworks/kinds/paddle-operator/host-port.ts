import type { Fault } from '../../../contracts/faults.ts';
import { describe } from '../../manifest/faults.ts';

/** Of the job: the first of its ports on the nodes; what paddle-operator writes there, people may set themselves. */
const HOST_PORT_ANNOTATION = 'host-port';

/** Ports that each pod may use, from the first one on. */
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
 * The first port of a job on the nodes' own network: the one that it asks for, or one that follows from its name, so
 * that nobody has to remember who has which. Two jobs can come by the same one, and then the annotation parts them.
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
      got: describe(given),
    },
  ];
}

/** FNV-1a: names that differ little come out far from each other. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193);
  return value >>> 0;
}
