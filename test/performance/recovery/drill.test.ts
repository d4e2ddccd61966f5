import { describe, expect, test } from '@jest/globals';
import { parseManifest } from '../../../frameworks/manifest/parse-manifest.ts';
import { keysOf } from '../../../language/fields.ts';
import { faultOfArguments } from '../fault-of-arguments.ts';
import { plansOf } from './drill.ts';
import { drillManifest } from './drill-manifest.ts';
import { parseRecoveryOptions } from './recovery-options.ts';
import { plotTrials } from './recovery-plot.ts';
import { recoveryText } from './recovery-report.ts';
import { SETTINGS, SYSTEMS } from './systems.ts';
import type { Trial } from './trial.ts';
import { describeTrial } from './trial-text.ts';

const DRAW = { phase: 0.5, victim: 1, loadAverage: 2.5 };
const NONE = { restartsOfHealthy: 0, aliveTwice: 0, skippedSteps: 0, forgottenSteps: 0 };

const recovered = (number: number, trainedMs: number): Trial => ({
  ...{ fault: 'crash', nodes: 'local', system: 'signalbox', settings: 'best', number, ...DRAW },
  findings: {
    recovery: {
      ...{ joinedMs: 1_500, loadedMs: 2_500, trainedMs, idleMs: trainedMs, vainStarts: 0 },
      ...{ lostSteps: 20, lostMs: 4_100, caughtUpMs: 7_000, seenMs: 120, runningMs: 900 },
    },
    wrong: NONE,
  },
});
const MISSED: Trial = {
  ...{ fault: 'hang', nodes: 'real', system: 'training-operator', settings: 'shipped', number: 1, ...DRAW },
  findings: { wrong: { ...NONE, aliveTwice: 1 } },
};
const FAILED: Trial = {
  ...{ fault: 'hang', nodes: 'real', system: 'training-operator', settings: 'shipped', number: 2, ...DRAW },
  error: 'no such pod',
};

describe('the plan of a drill', () => {
  const options = parseRecoveryOptions(['--trials', '4', '--only', 'crash,hang', '--seed', '7']);
  const plans = plansOf(options);
  const ROWS = keysOf(SYSTEMS).length * SETTINGS.length;

  test('has each kind, system and setting as often', () => {
    expect(plans).toHaveLength(2 * ROWS * 4);
  });

  test('lets the systems take turns to be first', () => {
    const firsts = [0, 1, 2, 3]
      .map((trial) => trial * ROWS)
      .map((index) => `${plans[index]!.system} ${plans[index]!.settings}`);
    expect(new Set(firsts).size).toBe(4);
  });

  test('hits all systems of a trial in the same way, which the seed repeats', () => {
    const drawn = ({ phase, victim }: { phase: number; victim: number }) => `${phase} ${victim}`;
    expect(new Set(plans.slice(0, ROWS).map(drawn)).size).toBe(1);
    expect(new Set(plans.map(drawn)).size).toBe(8);
    expect(plansOf(options)).toEqual(plans);
  });
});

describe('the options of a drill', () => {
  test.each([
    [['--only', 'image-pull'], 'image-pull cannot be shown here: there is no registry'],
    [['--only', 'crash,node-silent'], 'node-silent is shown with --nodes real alone'],
    [['--nodes', 'kind'], 'Allowed choices are local, real'],
    [['--only', 'crash,foo'], 'expected names of crash, out-of-memory, hang'],
    [
      ['--systems', 'volcano'],
      'expected names of signalbox, training-operator, jobset, trainer, got volcano',
    ],
    [['--cap', '0'], 'expected a duration such as 10s or 15m, got 0'],
    [['--trials', '0'], 'expected an integer from 1 to 1000, got 0'],
  ])('%j is refused', (argv, message) => {
    expect(faultOfArguments(() => parseRecoveryOptions(argv))).toContain(message);
  });

  test('name the program in steps and seconds', () => {
    const argv = ['--interval', '5s', '--step', '500ms', '--load', '3s', '--cap', '2m', '--only', 'hang'];
    expect(parseRecoveryOptions(argv)).toMatchObject({
      ...{ checkpointSteps: 10, stepSeconds: 0.5, loadSeconds: 3, capMs: 120_000, only: ['hang'] },
    });
  });
});

describe('the manifest of a trial', () => {
  const program = { stepSeconds: 0.2, checkpointSteps: 50, loadSeconds: 1 };
  const job = { name: 'crash-1', folder: '/trials/crash-1', program };

  test.each(keysOf(SYSTEMS).flatMap((system) => SETTINGS.map((settings) => [system, settings] as const)))(
    'of %s %s names the job, and gives its program the folder and its options',
    async (system, settings) => {
      const objects = await drillManifest(system, settings, job);
      for (const { metadata } of objects)
        expect(metadata).toMatchObject({ name: 'crash-1', namespace: 'default' });
      const text = JSON.stringify(objects);
      const templates = text.match(/"--folder=\/drill"/g)!.length;
      expect(text.match(/"--checkpoint-steps=50"/g)).toHaveLength(templates);
      expect(text.match(/"hostPath":\{"path":"\/trials\/crash-1"\}/g)).toHaveLength(templates);
      expect(text).not.toContain('"drill"');
    },
  );

  test.each(SETTINGS)('of signalbox %s is valid', async (settings) => {
    const [manifest] = await drillManifest('signalbox', settings, job);
    expect(parseManifest(manifest, { namespace: 'default' })).not.toHaveProperty('faults');
  });
});

describe('the report of a drill', () => {
  const trials = [recovered(1, 3_000), recovered(2, 5_000), MISSED, FAILED];
  const options = parseRecoveryOptions(['--cap', '15m']);

  test('has medians with their range, what missed the cap, and wrong acts', async () => {
    const text = await recoveryText(trials, options);
    expect(text).toMatch(
      /crash, local node +signalbox, best +2 +4\.0 s \(3\.0 to 5\.0\) .* 4\.1 s \(4\.1 to 4\.1\) +- +none/,
    );
    expect(text).toMatch(
      /hang, real nodes +training-operator, shipped +2, 1 without a result +- +- +- +1 of 1 \(15m\) +1 alive twice/,
    );
  });

  test('has the parts of the clock, and nothing where there is nothing to see', async () => {
    expect(await recoveryText(trials, options)).toMatch(
      /crash, local node +signalbox, best +0\.1 s +- +- +0\.9 s +1\.5 s +2\.5 s +4\.0 s +7\.0 s/,
    );
  });

  test('says of each trial how it ended', () => {
    expect(trials.map((trial) => describeTrial(trial, 900_000))).toEqual([
      'crash, trial 1, signalbox best: trains again after 3.0 s, 4.1 s of work lost (20 steps)',
      'crash, trial 2, signalbox best: trains again after 5.0 s, 4.1 s of work lost (20 steps)',
      'hang, trial 1, training-operator shipped: not within 15m; wrong: 1 alive twice',
      'hang, trial 2, training-operator shipped: no result: no such pod',
    ]);
  });

  test('draws a point for each trial that has a result', () => {
    const svg = plotTrials(trials, 900_000);
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(svg).toContain('training-operator, shipped');
  });
});
