// What the rendezvous programs have in common: who a pod is, how many there should be, how a program ends.
import { parseArgs } from 'node:util';

/** Runs a program: whatever it throws is its last line, and exit code 1. */
export async function run(program) {
  process.on('SIGTERM', () => process.exit(143)); // the first process of a container would ignore it
  try {
    await program();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/**
 * Who this pod is, from its name, namespace and address alone. Manifests pass these on through the downward API, so
 * they do not depend on what is checked.
 */
export function readPod(
  { OWN_NAME: name = '', OWN_NAMESPACE: namespace, OWN_ADDRESS: address } = process.env,
) {
  const [, job, role, index] = /^(.+?)-([a-z]+)(?:-(\d+))?$/.exec(name) ?? []; // a launcher has no index
  if (!job || !namespace || !address)
    throw new Error('expected OWN_NAME, OWN_NAMESPACE and OWN_ADDRESS, see job.yaml');
  return { name, namespace, address, job, role, index: Number(index ?? 0) };
}

/** What the manifest's arguments say that it says itself: `--worker=2`; numbers where the defaults are numbers. */
export function readArguments(defaults) {
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' }]));
  const { values } = parseArgs({ options });
  return Object.fromEntries(
    Object.entries(defaults).map(([name, fallback]) => {
      const given = values[name] ?? fallback;
      return [name, typeof fallback === 'number' ? Number(given) : given];
    }),
  );
}

/** The names of a role's pods; their Services have the same. */
export const podNames = (job, role, replicas) =>
  Array.from({ length: replicas }, (_, index) => `${job}-${role}-${index}`);

export const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
