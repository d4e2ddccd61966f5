// Where a worker and its launcher meet: a folder that all pods of one machine share. A worker of an MPIJob v1 has no
// name on the network; on a cluster it is the API server that leads to it.

const FOLDER = '/run/mpi-exec'; // the manifest's mountPath

export const socketOf = ({ OWN_NAMESPACE: namespace }, pod) => `${FOLDER}/${namespace}.${pod}`;
