/** The entry `@signalbox/sandbox/real-node`: nodes with a kubelet, and images for them, for tests that run as root. */
export { endGroup, startInBackground } from './background.ts';
export { makeCgroup, removeCgroup } from './cgroups.ts';
export { RealCluster } from './cluster.ts';
export { PATH, run } from './command.ts';
export { PAUSE_IMAGE } from './configuration.ts';
export { forwardPort } from './forward-port.ts';
export { removeCluster } from './leftovers.ts';
export { findInit, inside, namespacesCommand, untilGone } from './namespaces.ts';
export { chooseNetwork, hostAddress } from './network.ts';
export { clusterPaths } from './paths.ts';
export { findProgram, missingRequirements } from './requirements.ts';
export { installLibraries, installNode, installProgram, makeRootFolder } from './root-folder.ts';
