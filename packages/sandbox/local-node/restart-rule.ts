import type { RestartPolicy, TerminatedState } from '../engine.ts';

const RULES: Readonly<Record<RestartPolicy, (exitCode: number) => boolean>> = {
  Always: () => true,
  OnFailure: (exitCode) => exitCode !== 0,
  Never: () => false,
};

export function restartsAfter(policy: RestartPolicy, { exitCode }: TerminatedState): boolean {
  return RULES[policy](exitCode);
}
