import { fileURLToPath } from 'node:url';

/** Returns the path of an input that somebody else's users had trouble with, e.g. `kueue-label/kueue.yaml`. */
export const casePath = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
