import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { type Ended, signalbox } from '../cli/process.ts';
import type { Stage } from './stage.ts';

/** Client and Temporal have the same names for what a job can be asked for. */
export type Request =
  | 'suspend'
  | 'resume'
  | 'scale'
  | 'retryNow'
  | 'extendDeadline'
  | 'hold'
  | 'release'
  | 'amendPolicy'
  | 'stop';

/** Rejects, with the job's own sentence, where the job refuses. */
export type Ask = (job: JobHandle, request: Request, input: object) => Promise<unknown>;

export const WAYS = ['the client', 'temporal'] as const;
type Way = (typeof WAYS)[number];

export const askBy = (stage: Stage, way: Way): Ask =>
  way === 'the client'
    ? (job, request, input) => job[request](input as never)
    : async ({ workflowId }, request, input) => {
        const { temporal } = await ensurePrograms({ names: ['temporal'] });
        const update = ['workflow', 'update', 'execute', '--workflow-id', workflowId, '--name', request];
        const args = ['--input', JSON.stringify(input), '--address', stage.sandbox.temporalAddress];
        return promisify(execFile)(temporal, [...update, ...args]);
      };

/** The command line as people run it, against the stage's servers. */
export const commandLine =
  ({ sandbox, namespace }: Stage) =>
  (...args: readonly string[]): Promise<Ended> =>
    signalbox(args, {
      env: {
        TEMPORAL_ADDRESS: sandbox.temporalAddress,
        SIGNALBOX_KUBECONFIG: sandbox.kubeconfig,
        SIGNALBOX_NAMESPACE: namespace,
      },
    });
