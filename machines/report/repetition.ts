import { CLEAN_UP_WORDS } from '../../contracts/clean-up.ts';
import { isFinal } from '../../contracts/status.ts';
import type { TimelineEntry } from '../../contracts/types.ts';

/**
 * Leaves out what the timeline has already said of the job's end. Evidence, a hold and clean-up follow each other with
 * the same outcome, and each state explains it for itself.
 */
export function withoutRepetition(why: string, timeline: readonly TimelineEntry[]): string {
  const known = new Set(
    timeline.filter(({ phase }) => isFinal(phase)).flatMap(({ cause }) => clausesOf(cause)),
  );
  const news = clausesOf(why).filter((clause) => !known.has(clause));
  return news.join(CLAUSE_END) || CLEAN_UP_WORDS.begins;
}

const CLAUSE_END = '; ';

const clausesOf = (text: string): string[] => text.split(CLAUSE_END);
