import { z } from 'zod';

/** The stored record of a failed pod, as JSON: Kubernetes' own objects, reduced to what explains a failure. */

const condition = z.object({
  type: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  message: z.string().optional(),
  lastTransitionTime: z.string().nullish(),
  lastHeartbeatTime: z.string().nullish(),
});

const terminated = z.object({
  exitCode: z.number(),
  signal: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  startedAt: z.string().nullish(),
  finishedAt: z.string().nullish(),
});

const state = z.object({
  waiting: z.object({ reason: z.string().optional(), message: z.string().optional() }).optional(),
  running: z.object({ startedAt: z.string().nullish() }).optional(),
  terminated: terminated.optional(),
});

/** The last lines that a container logged. */
const logExcerpt = z.object({
  lines: z.array(z.string()),
  /** Earlier lines were left out, or the first line is incomplete. */
  isCut: z.boolean(),
});

const container = z.object({
  name: z.string(),
  image: z.string().optional(),
  isInit: z.boolean().optional(),
  restarts: z.number(),
  state: state.optional(),
  /** State of the run before the last restart in place. */
  lastState: state.optional(),
  log: logExcerpt.optional(),
  previousLog: logExcerpt.optional(),
});

const node = z.object({
  name: z.string(),
  conditions: z.array(condition),
  taints: z.array(z.object({ key: z.string(), value: z.string().optional(), effect: z.string().optional() })),
  unschedulable: z.boolean(),
});

const event = z.object({
  type: z.string().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  count: z.number().optional(),
  firstAt: z.string().optional(),
  lastAt: z.string().optional(),
  source: z.string().optional(),
});

const summary = z.object({
  pod: z.string(),
  uid: z.string(),
  role: z.string(),
  index: z.number(),
  attempt: z.number(),
  node: z.string().optional(),
  container: z.string().optional(),
  exitCode: z.number().optional(),
  signal: z.number().optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  takenAt: z.string(),
  ref: z.string().optional(),
  matches: z.array(z.number()).optional(),
  incomplete: z.string().optional(),
});

export const evidenceRecord = z.object({
  version: z.literal(1),
  job: z.object({ kind: z.string(), namespace: z.string(), name: z.string() }),
  /** Identifies the run of the job. */
  anchorUid: z.string(),
  /** The summary that is also in the workflow's history. */
  summary,
  /** When the pod failed, RFC 3339; the time of the record for a pod that only stalled. */
  failedAt: z.string(),
  pod: z.object({
    phase: z.string().optional(),
    reason: z.string().optional(),
    message: z.string().optional(),
    startTime: z.string().nullish(),
    deletionTimestamp: z.string().optional(),
    conditions: z.array(condition),
  }),
  containers: z.array(container),
  node: node.optional(),
  events: z.array(event),
  /** Each part that could not be captured, and why. */
  incomplete: z.array(z.string()).optional(),
});

export type EvidenceRecord = z.infer<typeof evidenceRecord>;
export type ContainerEvidence = z.infer<typeof container>;
export type NodeEvidence = z.infer<typeof node>;
export type EventEvidence = z.infer<typeof event>;
export type LogExcerpt = z.infer<typeof logExcerpt>;
