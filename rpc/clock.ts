import type { RpcAnswer } from '../contracts/rpc.ts';

/** Says what time it is for the worker that answers. */
export const answerClock = async (): Promise<RpcAnswer> => ({ result: { at: new Date().toISOString() } });
