import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { errorCode } from './engine.ts';
import { SandboxError } from './errors.ts';
import { gangSchedulerNames } from './gang-schedulers.ts';
import { DEFAULT_KUBERNETES_VERSION, kubernetesVersions } from './kubernetes-versions.ts';
import { processIdentitySchema } from './process-identity.ts';
import { componentNames } from './supervisor/component.ts';

export const simulatedNodesSchema = z.object({
  count: z.number().int().min(0),
  gpusPerNode: z.number().int().min(0),
  cpusPerNode: z.number().int().min(1),
});
export type SimulatedNodes = z.infer<typeof simulatedNodesSchema>;

/** Of real nodes: short ones for tests, or those that Kubernetes is shipped with. */
export const nodeTimesSchema = z.enum(['quick', 'shipped']);
export type NodeTimes = z.infer<typeof nodeTimesSchema>;

/** Requested options. Saved, so that a later `up` without flags starts the same sandbox. */
export const optionsSchema = z.object({
  kubernetes: z.enum(kubernetesVersions).default(DEFAULT_KUBERNETES_VERSION),
  /** False: faster, but a power failure may lose data. For sandboxes of tests. */
  durable: z.boolean(),
  localNode: z.boolean(),
  /** How many GPUs the local node pretends to have. */
  gpus: z.number().int().min(0).optional(),
  realNodes: z.boolean().default(false),
  nodeTimes: nodeTimesSchema.default('quick'),
  simulatedNodes: simulatedNodesSchema,
  gang: z.array(z.enum(gangSchedulerNames)).default([]),
  /** How long Coscheduling holds nodes for an incomplete gang. */
  permitWaitingTimeSeconds: z.number().int().min(1).default(10),
  auditPolicy: z.string().optional(),
  endlessRestarts: z.boolean().default(false),
});
export type Options = z.infer<typeof optionsSchema>;

export const gangOptionsSchema = optionsSchema.pick({ gang: true, permitWaitingTimeSeconds: true });
export type SandboxGangOptions = z.infer<typeof gangOptionsSchema>;

export const portsSchema = z.object({
  kubernetes: z.number().int(),
  scheduler: z.number().int(),
  controllerManager: z.number().int(),
  temporal: z.number().int(),
  temporalUi: z.number().int(),
  temporalHttp: z.number().int(),
  temporalMetrics: z.number().int(),
  vcScheduler: z.number().int(),
  vcControllerManager: z.number().int(),
  schedulerPluginsScheduler: z.number().int(),
  schedulerPluginsController: z.number().int(),
});
export type Ports = z.infer<typeof portsSchema>;

const componentSchema = z.object({
  name: z.enum(componentNames),
  state: z.enum(['starting', 'ready', 'restarting', 'failed', 'stopped']),
  process: processIdentitySchema.optional(),
  /** How often it was restarted. */
  restarts: z.number().int(),
  log: z.string(),
  /** Why it is not ready, or why it was last restarted. */
  message: z.string().optional(),
});
export type ComponentState = z.infer<typeof componentSchema>;

const stateSchema = z.object({
  version: z.literal(1),
  phase: z.enum(['starting', 'ready', 'stopping', 'stopped', 'failed']),
  /** What a starting sandbox waits for. */
  step: z.string().optional(),
  error: z.object({ message: z.string(), remedy: z.string() }).optional(),
  supervisor: processIdentitySchema,
  startedAt: z.string(),
  options: optionsSchema,
  ports: portsSchema,
  kubeconfig: z.string(),
  kubernetesUrl: z.string(),
  temporalAddress: z.string(),
  temporalUiUrl: z.string(),
  components: z.array(componentSchema),
});
export type SandboxState = z.infer<typeof stateSchema>;

/** Returns undefined if there never was a sandbox here. */
export function readState(path: string): SandboxState | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const parsed = stateSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problem = parsed.error.issues[0];
  throw new SandboxError(
    `${path}: ${problem?.path.join('.') || 'state'}: ${problem?.message ?? 'not readable'}`,
    'the file was damaged or written by another version: `signalbox sandbox reset` removes it with all data of this sandbox',
    { cause: parsed.error },
  );
}

/** Replaces the file atomically. */
export function writeState(path: string, state: SandboxState): void {
  const draft = `${path}.${process.pid}.part`;
  writeFileSync(draft, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, path);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
