/** The entry `@signalbox/sandbox/real-node`: nodes with a kubelet, and images for them, for tests that run as root. */
export { RealCluster } from './cluster.ts';
export { run } from './command.ts';
export { PAUSE_IMAGE } from './configuration.ts';
export { removeCluster } from './leftovers.ts';
export { clusterPaths } from './paths.ts';
export { missingRequirements } from './requirements.ts';
export { installLibraries, installNode, makeRootFolder } from './root-folder.ts';
