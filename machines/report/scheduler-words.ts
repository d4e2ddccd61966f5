/** What schedulers and kubelets say, and what it means in a sentence. */
const MEANINGS: readonly (readonly [pattern: RegExp, meaning: (...found: string[]) => string])[] = [
  [/Insufficient ([\w-]+(?:[./][\w-]+)*)/g, (resource) => `not enough free ${resource}`],
  [/Too many pods/g, () => 'nodes are full of pods'],
  [/untolerated taint|had (?:untolerated )?taint/g, () => 'nodes have taints that the pods do not tolerate'],
  [/didn't match Pod's node affinity\/selector/g, () => 'nodes do not match nodeSelector or affinity'],
  [/were unschedulable/g, () => 'nodes are cordoned'],
  [/unbound immediate PersistentVolumeClaims/g, () => 'a PersistentVolumeClaim is not bound'],
  [
    /persistentvolumeclaim "([^"]+)" not found/g,
    (name) => `the PersistentVolumeClaim ${name} does not exist`,
  ],
  [/ErrImagePull|ImagePullBackOff|Back-off pulling image/g, () => 'the image cannot be pulled'],
  [/InvalidImageName/g, () => 'the name of the image is invalid'],
  [/(secret|configmap) "([^"]+)" not found/g, (kind, name) => `the ${kind} ${name} does not exist`],
];

/** Returns what the words of a scheduler or kubelet mean, in one clear phrase; undefined for words nobody knows. */
export function meaningOf(words: string): string | undefined {
  const meanings = MEANINGS.flatMap(([pattern, meaning]) =>
    [...words.matchAll(pattern)].map(([, ...found]) => meaning(...found)),
  );
  return meanings.length > 0 ? [...new Set(meanings)].join(', ') : undefined;
}

/** Formats `45s`, `3m20s` or `2h5m`. */
export function waitedFor(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m${seconds % 60 ? `${seconds % 60}s` : ''}`;
  return `${Math.floor(minutes / 60)}h${minutes % 60 ? `${minutes % 60}m` : ''}`;
}
