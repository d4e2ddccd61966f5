import { ANNOTATIONS } from '../../../contracts/labels.ts';
import type { Policy } from '../../../contracts/types.ts';
import { aManifest } from '../manifests.ts';

const PATH = `metadata.annotations[${ANNOTATIONS.policy}]`;

/** A PyTorchJob with a Master and two Workers, and this policy. */
export const withPolicy = (text: string) =>
  aManifest().with('metadata.annotations', { [ANNOTATIONS.policy]: text });

export const policyOf = (text: string): Policy => withPolicy(text).job().plan.policy!;

/** Faults and warnings with paths in the document: all of them are within it. */
export const faultsOf = (text: string) => inDocument(withPolicy(text).faults());
export const warningsOf = (text: string) => inDocument(withPolicy(text).job().warnings);

function inDocument(said: readonly string[]): string[] {
  for (const one of said) if (!one.startsWith(PATH)) throw new Error(`not of the policy: ${one}`);
  return said.map((one) => one.slice(PATH.length).replace(/^(\.|: )/, ''));
}
