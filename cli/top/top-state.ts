import type { Phase } from '../../contracts/types.ts';
import { keyOf, type TopJob, topColumns } from './top-job.ts';

/** All that `top` shows follows from this. */
export interface TopState {
  /** What may be written to: what clears the rest of a full line would clear its last character. */
  readonly size: { readonly columns: number; readonly rows: number };
  /** Undefined: all. */
  readonly namespace: string | undefined;
  readonly jobs: readonly TopJob[];
  /** Of all jobs that match, also of those that are not in the table. */
  readonly counts: Readonly<Partial<Record<Phase, number>>>;
  /** When the jobs were listed last, in epoch milliseconds. */
  readonly asOf?: number;
  /** Why they could not be listed since. */
  readonly trouble?: string;
  /** By title of a column; as `list` sorts them, without one. */
  readonly sort: { readonly by?: string; readonly isReversed: boolean };
  readonly filter: TopFilter;
  /** Of the selected job. */
  readonly selected?: string;
  /** Where it was, in case that it is gone. */
  readonly index: number;
  /** What is shown instead of the table. */
  readonly page?: TopPage;
  readonly prompt?: TopPrompt;
  /** Until the next key. */
  readonly notice?: string;
}

interface TopFilter {
  /** As it was typed. */
  readonly text: string;
  /** What rows have all of, in any letter case. */
  readonly words: readonly string[];
}

export interface TopPage {
  readonly of: 'job' | 'why' | 'log' | 'help';
  readonly title: string;
  /** As the terminal shows them. */
  readonly lines: readonly string[];
  /** How many lines of the screen it is scrolled down; undefined: the end, also of what is still to come. */
  readonly down?: number;
}

export type TopPrompt =
  | { readonly for: 'filter'; readonly text: string }
  | { readonly for: 'why'; readonly text: string; readonly job: TopJob }
  | { readonly for: 'confirmation'; readonly text: string; readonly why: string; readonly job: TopJob };

/** Returns the rows of the table. */
export function shownJobs({ jobs, filter, sort, namespace }: TopState): readonly TopJob[] {
  const words = filter.words.map((word) => word.toLowerCase());
  const matching = jobs.filter((job) => {
    const text = [`${job.namespace}/${job.name}`, job.kind, job.phase, job.reason].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const column = topColumns(namespace === undefined).find(({ title }) => title === sort.by);
  const by = column?.by ?? column?.text;
  const sorted = by ? matching.toSorted((one, other) => compared(by(one), by(other))) : matching;
  return sort.isReversed ? sorted.toReversed() : sorted;
}

const compared = (one: string | number, other: string | number): number =>
  one < other ? -1 : one > other ? 1 : 0;

/** Returns the state with the selected job among the rows, if there is any. */
export function withSelection(state: TopState, index?: number): TopState {
  const rows = shownJobs(state);
  const found = rows.findIndex((job) => keyOf(job) === state.selected);
  const wanted = index ?? (found < 0 ? state.index : found);
  const place = Math.max(0, Math.min(wanted, rows.length - 1));
  const job = rows[place];
  return { ...state, index: place, selected: job && keyOf(job) };
}

export const jobAtCursor = (state: TopState): TopJob | undefined =>
  shownJobs(state).find((job) => keyOf(job) === state.selected);
