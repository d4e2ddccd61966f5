import { countText } from '../../../language/count-text.ts';
import { formatDuration } from '../../../language/duration.ts';
import type { PodLife } from '../../facts/pod-lives.ts';
import { COUNTED, countsOfPods, thinnedOut } from '../facts/counts.ts';
import { clockText } from '../page/time-texts.ts';
import type { Bar, Mark, Row } from './chart.ts';

/** A job with more pods shows those that failed, were restarted or replaced, and the others of a role in one row. */
const MOST_ROWS = 32;
const MOST_TOLD_APART = 16;
/** Steps over the width of a row of many pods. */
const STEPS = 300;

/** Returns a heading and rows for each role. */
export function podRows(
  lives: readonly PodLife[],
  times: { readonly from: number; readonly to: number },
): Row[] {
  const isLarge = new Set(lives.map(({ pod }) => pod)).size > MOST_ROWS;
  return [...Map.groupBy(lives, ({ role }) => role)].flatMap(([role, own]) => {
    const pods = [...Map.groupBy(own, ({ pod }) => pod).values()].sort(isLarge ? troubledFirst : byIndex);
    const apart = isLarge ? pods.filter(isTroubled).slice(0, MOST_TOLD_APART) : pods;
    const rest = pods.slice(apart.length);
    return [
      { label: `${role}, ${countText(pods.length, 'pod')}`, size: 'heading', bars: [], marks: [] } as const,
      ...apart.map(podRow),
      ...restRows(rest, times),
    ];
  });
}

/** Whether a pod failed, was restarted in place, or had a successor in its own attempt. */
const isTroubled = (lives: readonly PodLife[]) =>
  lives.some(({ ended, restarts }) => ended === 'failed' || restarts > 0) ||
  new Set(lives.map(({ attempt }) => attempt)).size < lives.length;

const troubledFirst = (a: readonly PodLife[], b: readonly PodLife[]) =>
  Number(isTroubled(b)) - Number(isTroubled(a)) || byIndex(a, b);

const byIndex = (a: readonly PodLife[], b: readonly PodLife[]) => a[0]!.index - b[0]!.index;

const podRow = (lives: readonly PodLife[]): Row => ({
  label: lives[0]!.pod,
  size: 'bar',
  bars: lives.flatMap(barsOf),
  marks: [...lives.flatMap(restartMarks), ...failureMarks(lives)],
});

/** A crash loop may go on for days; more marks in a row cannot be distinguished. */
const MOST_MARKS = 100;

const restartMarks = ({ restarted }: PodLife): Mark[] =>
  thinnedOut(restarted, MOST_MARKS).map(({ at, message }) => {
    const title = `${clockText(at)} UTC: ${message}`;
    return { at, kind: 'restart', title };
  });

const failureMarks = (lives: readonly PodLife[]): Mark[] =>
  lives
    .filter(({ ended }) => ended === 'failed')
    .map((life) => ({ at: life.to, kind: 'failure', title: failureTitle(life) }));

const barsOf = (life: PodLife): Bar[] =>
  life.stretches.map(({ state, from, to }) => ({
    from,
    to,
    colour: `pod-${state}`,
    title: [
      `${life.pod}, attempt ${life.attempt}`,
      `${STATE_WORDS[state]} ${clockText(from)} to ${clockText(to)} UTC, ${formatDuration(to - from)}`,
      ...(life.restarts > 0 ? [`${countText(life.restarts, 'restart')} in place in all`] : []),
      ...(life.node ? [`node ${life.node}`] : []),
    ].join('\n'),
  }));

const STATE_WORDS = {
  waiting: 'waited for a node',
  starting: 'started',
  restarting: 'was restarted in place',
  running: 'ran',
} as const;

function failureTitle({ pod, to, failure = {} }: PodLife): string {
  const { container, exitCode, reason } = failure;
  const how = [container, exitCode === undefined ? undefined : `exit code ${exitCode}`, reason];
  return [`${clockText(to)} UTC: ${pod} failed`, how.filter(Boolean).join(', ')].filter(Boolean).join('\n');
}

function restRows(
  pods: readonly (readonly PodLife[])[],
  times: { readonly from: number; readonly to: number },
): Row[] {
  if (pods.length <= 2) return pods.map(podRow);
  const label = `${pods.length} others`;
  const lives = pods.flat();
  const bars = stackedBars(lives, { pods: pods.length, ...times });
  return [{ label, size: 'tall', bars, marks: failureMarks(lives) }];
}

interface Stack {
  readonly pods: number;
  readonly from: number;
  readonly to: number;
}

/** How many pods were in which state, as bars on top of each other: running ones at the bottom. */
function stackedBars(lives: readonly PodLife[], { pods, to }: Stack): Bar[] {
  const points = thinnedOut(countsOfPods(lives), STEPS);
  return points.flatMap(({ at, counts }, index) => {
    const until = points[index + 1]?.at ?? to;
    let bottom = 1;
    return COUNTED.toReversed().flatMap((state) => {
      if (counts[state] === 0 || until <= at) return [];
      const top = Math.max(0, bottom - counts[state] / pods);
      const bar = { from: at, to: until, colour: `pod-${state}`, top, bottom };
      bottom = top;
      return [bar];
    });
  });
}
