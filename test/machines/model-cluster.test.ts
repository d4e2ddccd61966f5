import { describe, it } from '@jest/globals';
import fc from 'fast-check';
import { policyOf } from '../../machines/policy.ts';
import type { ModelHost } from './model-host.ts';
import { moves } from './model-moves.ts';
import { explore } from './model-report.ts';
import { beginnings, bringToAnEnd, type Listener, live } from './model-walks.ts';

const lives = fc.record({ beginning: beginnings, moves });
type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

describe('in a cluster where anything may happen at any time', () => {
  it('a job keeps its promises, and ends', () => {
    explore({
      name: 'a job keeps its promises, and ends',
      file: 'test/machines/model-cluster.test.ts',
      share: 0.3,
      anyOf: lives,
      examine,
      tell,
    });
  });
});

function examine({ beginning, moves }: Life, listen?: Listener): void {
  bringToAnEnd(live(beginning, moves, listen), listen);
}

function tell(life: Life): readonly string[] {
  const lines = [`a job with ${JSON.stringify(life.beginning)}`];
  try {
    examine(life, (what, { host }) => lines.push(`${what}: ${placeOf(host)}`));
  } catch (error) {
    lines.push(`then: ${(error as Error).message}`);
  }
  return lines;
}

function placeOf({ state, context, cluster, lane }: ModelHost): string {
  const pods = cluster.pods.map(
    (pod) => `${pod.uid}@${pod.attempt} ${pod.state}${pod.leavesAt === undefined ? '' : ' leaving'}`,
  );
  const timers = Object.entries(context.deadlines).map(([name, at]) => `${name} ${at}`);
  return [
    `${cluster.now / 1000}s ${state} of attempt ${context.attempt}`,
    `doing ${JSON.stringify(lane?.effect)}`,
    `pods [${pods.join(', ')}]`,
    `timers [${timers.join(', ')}]`,
    `spent ${JSON.stringify({ restarts: context.restarts, charges: context.charges, ladder: context.ladder })}`,
    policyOf(context).restart.ladder[context.ladder?.rung ?? 0]?.scope,
  ].join('; ');
}
