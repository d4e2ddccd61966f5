import type { GangAdapter } from './gang.ts';
import { gated } from './gated.ts';
import { native } from './native.ts';

/** Kubernetes' own gang scheduling, which sees a gang only when there is room for it. */
export const gatedNative: GangAdapter = {
  ...native,
  provider: 'gated-native',
  refuses: gated.refuses,
  gate: gated.gate,
};
