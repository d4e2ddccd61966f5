import { z } from 'zod';
import type { ClusterClient } from '../engine.ts';
import { gangProgramsSchema } from '../gang-schedulers.ts';
import type { SandboxLayout } from '../layout.ts';
import { optionsSchema, portsSchema } from '../state.ts';
import type { Credentials } from './credentials.ts';

/** What `up` has decided; passed to the supervisor as its argument. */
export const launchSchema = z.object({
  dir: z.string(),
  options: optionsSchema,
  ports: portsSchema,
  programs: z.object({
    temporal: z.string(),
    etcd: z.string(),
    'kube-apiserver': z.string(),
    'kube-scheduler': z.string(),
    'kube-controller-manager': z.string(),
    kwok: z.string().optional(),
    ...gangProgramsSchema.shape,
  }),
  /** YAML files that define the custom resources of the gang schedulers. */
  customResources: z.array(z.string()),
});
export type LaunchOptions = z.infer<typeof launchSchema>;

/** What the definitions of components use. */
export interface Context {
  readonly launch: LaunchOptions;
  readonly layout: SandboxLayout;
  readonly credentials: Credentials;
  /** Throws until the API server has created its certificate. */
  readonly cluster: () => ClusterClient;
}
