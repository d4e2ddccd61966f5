import type { WorkerSettings } from '../../contracts/settings.ts';
import { DEFAULT_CONVENTIONS } from '../../contracts/training-job.ts';
import type { ArchiveStore } from '../../record/archive/archive-store.ts';
import { answerFrom } from '../../rpc/answer.ts';
import type { RpcServers } from '../../rpc/rpc-servers.ts';

const SETTINGS = {
  temporal: { address: 'localhost:7233', namespace: 'default' },
  ...{ cluster: {}, taskQueue: 'signalbox' },
  jobs: { conventions: DEFAULT_CONVENTIONS, gang: 'none', coschedulingName: 'coscheduling' },
} as WorkerSettings;

interface Given {
  /** Default: nothing is archived. */
  readonly archive?: ArchiveStore;
  /** Stands in for the client of Temporal. */
  readonly temporal?: object;
}

/** Answers requests as a worker does that has only what is given. */
export const answerer = ({ archive, temporal = {} }: Given = {}) => {
  const servers = { settings: SETTINGS, temporal, evidenceStore: {}, archiveStore: archive } as RpcServers;
  const { signal } = new AbortController();
  return (method: unknown, given: unknown = {}, cursor?: unknown) =>
    answerFrom(servers, { method, arguments: given, cursor }, signal);
};

/** What a call throws. */
export const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (answer) => Promise.reject(new Error(`expected a failure, got ${JSON.stringify(answer)}`)),
    (failure: unknown) => failure,
  );
