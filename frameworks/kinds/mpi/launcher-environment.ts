import type { EnvVar } from '../../../contracts/kubernetes.ts';
import { CONFIG_PATH } from './config-map.ts';

export const HOSTFILE = 'hostfile';
export const HOSTFILE_PATH = `${CONFIG_PATH}/${HOSTFILE}`;

/** Empty, so that the container runtime does not give a launcher that only starts others the GPUs of its node. */
export const NO_GPUS: readonly EnvVar[] = [
  { name: 'NVIDIA_VISIBLE_DEVICES' },
  { name: 'NVIDIA_DRIVER_CAPABILITIES' },
];
