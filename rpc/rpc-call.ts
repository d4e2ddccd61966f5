import type { ClientPorts } from '../client/servers/ports.ts';
import type { RpcAnswer } from '../contracts/rpc.ts';
import type { RPC_METHODS, RpcArguments } from '../contracts/schemas/rpc.ts';
import type { JobConfiguration } from '../contracts/settings.ts';
import type { Archive } from '../record/archive/archive-reader.ts';

/** What a method may use. */
export interface RpcCall {
  readonly ports: ClientPorts;
  readonly configuration: JobConfiguration;
  /** Path of the module by which this installation writes payloads. */
  readonly dataConverter?: string;
  /** Returns the archive, of which only this Temporal namespace's jobs are seen. Throws if the worker has none. */
  readonly archive: () => Archive;
  /** The same with the jobs of all installations that share it; absent if the worker has none. */
  readonly sharedArchive: Archive | undefined;
  readonly cursor: string | undefined;
  /** Ends what the method waits for. */
  readonly signal: AbortSignal;
}

/** What answers each method, with arguments that have been checked. */
export type Answers = {
  readonly [Name in keyof typeof RPC_METHODS]: (
    call: RpcCall,
    given: RpcArguments<Name>,
  ) => Promise<RpcAnswer>;
};
