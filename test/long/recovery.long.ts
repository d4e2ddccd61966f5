import { describe, expect, it } from '@jest/globals';
import { runDrill } from '../performance/recovery/drill.ts';
import { parseRecoveryOptions } from '../performance/recovery/recovery-options.ts';
import type { Trial } from '../performance/recovery/trial.ts';
import { isClean } from '../performance/recovery/wrong-acts.ts';

/** `npm run bench:recovery`, short: two kinds of faults, one trial each, by both systems at their best. */

const KINDS = ['crash', 'hang'] as const;
const say = (text: string) => void process.stderr.write(`${text}\n`);
const nameOf = ({ fault, system }: Trial) => `${fault} ${system}`;

describe('after one fault', () => {
  it('a job trains again, is restarted once, and loses only what no checkpoint has', async () => {
    const systems = ['--systems', 'signalbox,training-operator'];
    const options = [
      ...systems,
      '--only',
      KINDS.join(','),
      '--settings',
      'best',
      '--trials',
      '1',
      '--cap',
      '5m',
    ];
    const trials = await runDrill(parseRecoveryOptions(options), say);
    expect(trials.map(nameOf).sort()).toEqual(
      KINDS.flatMap((kind) => [`${kind} signalbox`, `${kind} training-operator`]),
    );
    expect(trials.filter(({ findings }) => !findings?.recovery)).toEqual([]);
    const ours = trials.filter(({ system }) => system === 'signalbox');
    expect(ours.filter(({ findings }) => !isClean(findings!.wrong))).toEqual([]);
    // At least a checkpoint was written, and a fault loses less than an interval of it.
    for (const { findings } of ours) expect(findings!.recovery!.lostSteps).toBeLessThanOrEqual(50);
  }, 1_800_000);
});
