import type { LaneAnswer, LaneJob, LanesAnswer } from '../../contracts/types.ts';
import { amountsText } from './amounts-text.ts';
import { formatTable } from './table.ts';
import { between, clock } from './times.ts';

/** Formats lanes for people: the lanes, then what runs and waits in each. */
export async function lanesText({ lanes, unknown }: LanesAnswer, hasHeadings: boolean): Promise<string> {
  const parts = [await laneTable(lanes, hasHeadings), await jobTable(lanes, hasHeadings)];
  return [...parts, ...unknown.map((sentence) => `unknown: ${sentence}`)].filter(Boolean).join('\n\n');
}

function laneTable(lanes: readonly LaneAnswer[], hasHeadings: boolean): Promise<string> {
  const head = [
    'LANE',
    'POOL',
    'STATE',
    'WEIGHT',
    'USED',
    'SHARE',
    'BORROWED',
    'RUNNING',
    'WAITING',
    'NEXT START',
  ];
  const rows = lanes.map((lane) => [
    ...[lane.lane, lane.pool, stateText(lane), String(lane.weight)],
    ...[amountsText(lane.used), amountsText(lane.share), amountsText(lane.borrowed)],
    ...[String(lane.running.length), String(lane.waiting.length)],
    lane.nextStart === undefined ? '' : clock(lane.nextStart),
  ]);
  return formatTable(hasHeadings ? head : undefined, rows);
}

const stateText = ({ state, why }: LaneAnswer) => (why ? `${state}: ${why}` : state);

async function jobTable(lanes: readonly LaneAnswer[], hasHeadings: boolean): Promise<string> {
  const head = ['LANE', '#', 'JOB', 'PRIORITY', 'NEEDS', 'SINCE', 'WHY'];
  const rows = lanes.flatMap(({ lane, running, waiting }) => [
    ...running.map((job) => [lane, 'runs', ...jobCells(job), endText(job)]),
    ...waiting.map((job) => [lane, String(job.position ?? '-'), ...jobCells(job), job.message ?? '']),
  ]);
  return rows.length === 0 ? '' : formatTable(hasHeadings ? head : undefined, rows);
}

const jobCells = ({ namespace, name, priority, needs, since }: LaneJob): string[] => [
  `${namespace}/${name}`,
  String(priority),
  amountsText(needs),
  between(since, undefined),
];

const endText = ({ ends }: LaneJob) => (ends === undefined ? '' : `ends by ${clock(ends)}`);
