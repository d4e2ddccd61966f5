import { plotTrials } from '../../test/performance/recovery/recovery-plot.ts';
import {
  type RecoveryTable,
  recoveryFigures,
  recoveryParts,
} from '../../test/performance/recovery/recovery-report.ts';
import type { Trial } from '../../test/performance/recovery/trial.ts';
import { inPercent, roughTime } from '../worth/calculator/answers.ts';
import { calculatorPage } from '../worth/calculator/page.ts';
import { describeTimes } from '../worth/describe-times.ts';
import { type CostQuestion, estimate } from '../worth/estimate.ts';
import { plotEttr } from '../worth/ettr-plot.ts';
import { FAULT_KINDS, type FaultKindName, LLAMA_3, llama3Mix } from '../worth/failure-mixes.ts';
import { drillResults, measuredTimes } from '../worth/measured.ts';
import type { KindTimes } from '../worth/recovery-times.ts';
import { paragraph, table } from './markdown.ts';
import type { Sections } from './with-sections.ts';

/** What docs/worth.md has of the results that are kept, and what follows from them. */

const RESULTS = drillResults();
const TRIALS = RESULTS.flatMap(({ trials }) => trials);
const CAP = { capMs: Math.max(...RESULTS.map(({ options }) => options.capMs)) };
const TIMES = measuredTimes(RESULTS);
const KINDS = Object.keys(FAULT_KINDS) as FaultKindName[];

export const WORTH_SECTIONS: Sections = {
  runs,
  measured: () => inMarkdown(recoveryFigures(TRIALS, CAP)),
  parts: () => inMarkdown(recoveryParts(TRIALS)),
  mix,
  times,
  ratios,
};

/** Files that belong to the page. */
export const WORTH_FILES: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/pictures/recovery-trials.svg': () => plotTrials(TRIALS, CAP.capMs),
  'docs/pictures/ettr.svg': () => plotEttr(TIMES, QUESTION),
  'docs/worth-calculator.html': () => calculatorPage(TIMES),
};

/** The same as the page begins with. */
const QUESTION: CostQuestion = {
  ...{ gpus: 1_024, mix: llama3Mix(0.2), intervalSeconds: 1_800, saveSeconds: 10 },
  ...{ startSeconds: 180, personSeconds: 3_600 },
};

const inMarkdown = ({ head, rows }: RecoveryTable) =>
  table(
    head.map((title) => title.toLowerCase()),
    rows,
  );

function runs(): string {
  const rows = RESULTS.map(({ date, machine, options, trials }) => [
    date.slice(0, 10),
    `${machine.cpus} cores (${machine.model}), ${machine.memoryGb} GB`,
    loadsOf(trials),
    String(trials.length),
    `seed ${options.seed}, steps of ${options.stepSeconds} s, a checkpoint every ${options.checkpointSteps} steps`,
  ]);
  return table(['date', 'machine', 'load average', 'trials', 'program'], rows);
}

/** Above the number of cores the machine was busy with other programs. */
function loadsOf(trials: readonly Trial[]): string {
  const loads = trials.map(({ loadAverage }) => loadAverage);
  return `${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}`;
}

function mix(): string {
  const kindsOf: Readonly<Record<string, string>> = {
    gpu: 'crash or hang: not published',
    unseen: 'none: no engine notices',
  };
  const rows = LLAMA_3.causes.map(({ cause, count, kind }) => [cause, String(count), kindsOf[kind] ?? kind]);
  return table(['cause, in the words of the paper', 'interruptions', 'kind, as we read it'], rows);
}

function times(): string {
  const rows = TIMES.map(({ system, settings, kinds }) => [
    `${system}, ${settings}`,
    ...KINDS.map((kind) => timeOfKind(kinds[kind])),
  ]);
  return table(['', ...KINDS], rows);
}

/** What is calculated is in italics, with its reason. */
function timeOfKind(kind: KindTimes | undefined): string {
  const { text, calculated } = describeTimes(kind);
  return calculated ? `*${text}: ${calculated}*` : text;
}

function ratios(): string {
  const scales = [1_024, 16_384].flatMap((gpus) =>
    [600, 1_800].map((intervalSeconds) => ({ gpus, intervalSeconds })),
  );
  const rows = TIMES.flatMap((system) => {
    const cells = scales.map((scale) => estimate(system, { ...QUESTION, ...scale }));
    if (cells.some((cell) => cell === undefined)) return [];
    const texts = cells.map(
      (cell) => `${inPercent(cell!.ettr)} (${inPercent(cell!.low)} to ${inPercent(cell!.high)})`,
    );
    return [[`${system.system}, ${system.settings}`, ...texts]];
  });
  const head = scales.map(
    ({ gpus, intervalSeconds }) => `${gpus.toLocaleString('en')} GPUs, each ${roughTime(intervalSeconds)}`,
  );
  return `${table(['', ...head], rows)}\n\n${paragraph(assumptions())}`;
}

const assumptions = () =>
  `Assumed: a checkpoint pauses training for ${roughTime(QUESTION.saveSeconds)}; a real program starts ` +
  `${roughTime(QUESTION.startSeconds)} more slowly than the drill's; a person acts after ${roughTime(QUESTION.personSeconds)}; ` +
  'a fifth of the faults of GPUs hangs the process.';
