import { unlessEmpty } from '../../../language/fields.ts';
import type {
  ManifestContainer,
  ManifestPodTemplate,
  ManifestVolume,
  ManifestVolumeMount,
} from '../manifest-types.ts';
import type { AnyJobOptions } from './builder-options.ts';

/** Name of the volume of /dev/shm. */
const SHM = 'shm';

/** Returns a pod with one container, of the name that the kind looks for. */
export function buildPodTemplate(options: AnyJobOptions, container: string): ManifestPodTemplate {
  const { nodeSelector } = options;
  const volumes = volumesOf(options);
  return {
    spec: {
      ...(nodeSelector ? { nodeSelector: { ...nodeSelector } } : {}),
      containers: [containerOf(options, container)],
      ...(volumes.length > 0 ? { volumes: volumes.map(({ volume }) => volume) } : {}),
    },
  };
}

function containerOf(options: AnyJobOptions, name: string): ManifestContainer {
  const { image, command, args, env = {} } = options;
  const variables = Object.entries(env).map(([variable, value]) => ({ name: variable, value }));
  const resources = resourcesOf(options);
  const mounts = volumesOf(options).map(({ mount }) => mount);
  return {
    name,
    image,
    ...(command ? { command: [...command] } : {}),
    ...(args ? { args: [...args] } : {}),
    ...(variables.length > 0 ? { env: variables } : {}),
    ...(resources ? { resources } : {}),
    ...(mounts.length > 0 ? { volumeMounts: mounts } : {}),
  };
}

/** CPUs have no limit: a limit slows a program down even on an idle node. */
function resourcesOf(options: AnyJobOptions): ManifestContainer['resources'] {
  const { gpusPerNode = 0, gpuResource = 'nvidia.com/gpu', cpu, memory } = options;
  const limits = {
    ...(memory === undefined ? {} : { memory }),
    ...(gpusPerNode > 0 ? { [gpuResource]: gpusPerNode } : {}),
  };
  const requests = { ...(cpu === undefined ? {} : { cpu }), ...limits };
  return unlessEmpty({
    ...(unlessEmpty(requests) ? { requests } : {}),
    ...(unlessEmpty(limits) ? { limits } : {}),
  });
}

interface MountedVolume {
  readonly volume: ManifestVolume;
  readonly mount: ManifestVolumeMount;
}

function volumesOf({ volumes = {}, shm }: AnyJobOptions): MountedVolume[] {
  const claims = Object.entries(volumes).map(([claimName, mountPath], index) => {
    // A claim's name may be longer than that of a volume, or taken by /dev/shm.
    const name = `volume-${index}`;
    return {
      volume: { name, persistentVolumeClaim: { claimName } },
      mount: { name, mountPath },
    };
  });
  if (shm === undefined) return claims;
  const memory = { name: SHM, emptyDir: { medium: 'Memory', sizeLimit: shm } };
  return [...claims, { volume: memory, mount: { name: SHM, mountPath: '/dev/shm' } }];
}
