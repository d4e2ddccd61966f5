import type { Shortage } from '../../contracts/digest.ts';
import { isPassingWait, phraseOfWait, WAITS } from '../../contracts/waits.ts';

/** Messages of schedulers and kubelets, each with its meaning in a sentence. */
const MEANINGS: readonly (readonly [pattern: RegExp, meaning: (...found: string[]) => string])[] = [
  [/Insufficient ([\w-]+(?:[./][\w-]+)*)/g, notEnough],
  [/Too many pods/g, () => 'nodes are full of pods'],
  [/untolerated taint|had (?:untolerated )?taint/g, () => 'nodes have taints that the pods do not tolerate'],
  [/didn't match Pod's node affinity\/selector/g, () => 'nodes do not match nodeSelector or affinity'],
  [/didn't match pod anti-affinity rules/g, () => 'podAntiAffinity keeps pods from nodes'],
  [
    /didn't satisfy existing pods anti-affinity rules/g,
    () => 'podAntiAffinity of other pods keeps pods from nodes',
  ],
  [/didn't match pod affinity rules/g, () => 'nodes do not match podAffinity'],
  [/didn't match pod topology spread constraints/g, () => 'nodes do not match topologySpreadConstraints'],
  [/didn't have free ports/g, () => 'host ports of nodes are in use'],
  [/were unschedulable/g, () => 'nodes are cordoned'],
  [/unbound immediate PersistentVolumeClaims/g, () => 'a PersistentVolumeClaim is not bound'],
  [
    /persistentvolumeclaim "([^"]+)" not found/g,
    (name) => `the PersistentVolumeClaim ${name} does not exist`,
  ],
  [
    /resourceclaim(?:\.resource\.k8s\.io)? "([^"]+)" not found/g,
    (name) => `the ResourceClaim ${name} does not exist`,
  ],
  [/cannot allocate all claims/g, () => 'no node has the devices of its ResourceClaims'],
  [/Back-off pulling image/g, () => WAITS.ImagePullBackOff.phrase],
  [/(secret|configmap) "([^"]+)" not found/g, (kind, name) => `the ${kind} ${name} does not exist`],
];

/**
 * Returns the meaning of a scheduler's or kubelet's message in one phrase, what keeps pods from most nodes first; undefined for an
 * unknown message. Numbers distinguish more than the scheduler does where the cluster as a whole has too little.
 */
export function meaningOf(words: string, shortages: readonly Shortage[] = []): string | undefined {
  const short = shortages.map(shortageText);
  const known = new Set(shortages.map(({ resource }) => notEnough(resource)));
  const said = MEANINGS.flatMap(([pattern, meaning]) =>
    [...words.matchAll(pattern)].map((match) => ({
      nodes: nodesBefore(words.slice(0, match.index)),
      text: meaning(...match.slice(1)),
    })),
  )
    .toSorted((a, b) => b.nodes - a.nodes)
    .map(({ text }) => text);
  const others = [...new Set([...kubeletPhrases(words), ...said])].filter((meaning) => !known.has(meaning));
  return [...short, others.join(', ')].filter(Boolean).join('; ') || undefined;
}

const shortageText = ({ resource, needs, has, role }: Shortage): string =>
  role === undefined
    ? `needs ${needs} ${resource}, the cluster has ${has}`
    : `each ${role} pod requests ${needs} ${resource}, the largest node has ${has}`;

/** The scheduler says of each reason how many nodes it excludes: `2 node(s) didn't match …, 1 Insufficient …`. */
const nodesBefore = (words: string): number => Number(/(\d+) [^,:.]*$/.exec(words)?.[1] ?? 0);

/** Returns what the reasons of kubelets among the words mean, except those that pass by themselves. */
const kubeletPhrases = (words: string): string[] =>
  [...words.matchAll(/\b[A-Z]\w+/g)].flatMap(([word]) =>
    isPassingWait(word) ? [] : (phraseOfWait(word) ?? []),
  );

function notEnough(resource: string): string {
  return `not enough free ${resource}`;
}
