import { countText } from '../../../language/count-text.ts';
import { formatDuration, formatShortDuration } from '../../../language/duration.ts';
import type { Charts, LineChart } from '../charts/chart.ts';
import type { ReportFacts } from '../facts/job-facts.ts';
import type { AttemptProgress, JobProgress } from '../facts/job-progress.ts';
import type { PageSection } from '../page/document.ts';
import { html } from '../page/markup.ts';
import { tableMarkup } from '../page/table.ts';

const COLUMNS = [
  { heading: 'Attempt', is: 'number' },
  { heading: 'First', is: 'number' },
  { heading: 'Last', is: 'number' },
  { heading: 'In', is: 'number' },
  { heading: 'One each', is: 'number' },
  { heading: 'Checkpoints' },
] as const;

/** How far each attempt came, and how fast; undefined if nothing tells it. */
export function progressSection(facts: ReportFacts, charts: Charts): PageSection | undefined {
  const { progress, data } = facts;
  if (!progress) return undefined;
  const chart = chartOf(progress, facts);
  const now = facts.hasEnded ? undefined : data.steps?.sentence;
  const content = html`<p class="lead">${SOURCES[progress.of]}${now && html` Now: ${now}.`}</p>
<figure><div class="wide">${charts.lines(chart, 'wide')}</div><div class="narrow">${charts.lines(chart, 'narrow')}</div>
<figcaption>Times are UTC. ${LINE_WORDS[progress.of]} Squares are the last complete checkpoints, dashed lines where an attempt begins.</figcaption></figure>
${tableMarkup('How far each attempt came', COLUMNS, progress.attempts.map(rowOf))}`;
  return { id: 'progress', heading: 'Progress', content };
}

const SOURCES = {
  steps: 'Steps, as the logs of the attempts told them.',
  progress: 'Progress, as the job reported it.',
} as const;

const LINE_WORDS = {
  steps: 'A line joins the first and the last step that the log of an attempt told.',
  progress: 'A line joins what an attempt reported, as far as the ledger has it.',
} as const;

function rowOf({ attempt, points, resumed, saved }: AttemptProgress) {
  const [first, last] = [points[0]!, points.at(-1)!];
  const [took, made] = [last.at - first.at, last.value - first.value];
  const checkpoints = [
    resumed !== undefined && `went on from ${numberText(resumed)}`,
    saved && `the last complete one is of ${numberText(saved.value)}`,
  ];
  return [
    attempt,
    points.length > 1 ? numberText(first.value) : '',
    numberText(last.value),
    took > 0 ? formatDuration(took) : '',
    took > 0 && made > 0 ? formatShortDuration(took / made) : '',
    checkpoints.filter(Boolean).join('; '),
  ];
}

function chartOf({ attempts, total, of }: JobProgress, { from, to, ...facts }: ReportFacts): LineChart {
  const all = attempts.flatMap(({ attempt, points }) => points.map((point) => ({ ...point, line: attempt })));
  const saved = attempts.flatMap((one) => (one.saved ? [one.saved] : []));
  const begins = facts.attempts.map(({ from: at, number }) => ({ at, label: `attempt ${number}` }));
  const ends = attempts.map(({ attempt, points }) => {
    const [first, last] = [points[0]!, points.at(-1)!];
    return points.length > 1
      ? `attempt ${attempt} from ${numberText(first.value)} to ${numberText(last.value)}`
      : `attempt ${attempt} at ${numberText(last.value)}`;
  });
  const whole = total === undefined ? '' : ` of ${numberText(total)}`;
  const kept = saved.length > 0 ? `, with ${countText(saved.length, 'checkpoint')}` : '';
  return {
    description: `${of === 'steps' ? 'Steps' : 'Progress'}${whole} over ${formatDuration(to - from)}${kept}: ${ends.slice(0, 12).join(', ')}.`,
    ...{ from, to, points: all, squares: saved },
    lines: begins.length > 1 ? begins : [],
    ...(total === undefined ? {} : { most: total }),
  };
}

const numberText = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 3 });
