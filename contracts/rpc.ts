/**
 * What a client in another language asks of the engine: it starts a short workflow, whose activity calls the TypeScript
 * client and whose result is the answer. contracts/schemas/rpc.ts has the methods; docs/wire-contract.md
 */

/** Type of the workflow. */
export const RPC = 'rpc';

export interface RpcRequest {
  readonly method: string;
  readonly arguments?: unknown;
  /** Of an earlier answer: where its next page begins. */
  readonly cursor?: string;
}

export interface RpcAnswer {
  readonly result: unknown;
  /** There are more items. */
  readonly cursor?: string;
  /** What the list leaves out because it cannot be read. */
  readonly unreadable?: readonly string[];
}

/** The activity. */
export interface RpcActivities {
  answerRpc(request: unknown): Promise<RpcAnswer>;
}
